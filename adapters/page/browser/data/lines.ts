// The shape of a price's movement: its direction, and its last days as a line.
import type { MarketRow } from "../../market_summary.ts";

/** The direction of a ratio and its CSS class, `up`, `down` or `same`: `same` if the ratio is shown as 0.00%. */
export function directionOf(change: number | undefined): "up" | "down" | "same" {
  if (change === undefined || Math.abs(change) < 0.00005) return "same";
  return change > 0 ? "up" : "down";
}

/** The values of the last thirty days: 31, so that thirty days lie between the first and the last. */
export const lastDays = (days: MarketRow["days"]): MarketRow["days"] => days.slice(-31);

/** The points of the last thirty days. Days without a value keep their width. Empty if there are fewer than two values. */
export function pointsOf(
  days: MarketRow["days"],
  width: number,
  height: number,
): readonly (readonly [x: number, y: number])[] {
  const shown = lastDays(days);
  const values = shown.filter((value) => value !== null);
  if (values.length < 2) return [];
  const y = scaleOf(values, height, 0);
  return shown.flatMap((value, at) =>
    value === null ? [] : [[tenths((at * width) / (shown.length - 1)), y(value)] as const],
  );
}

/** The positions of values on a line: the lowest value at `start`, the highest at `end`; equal values in the middle. */
export function scaleOf(values: readonly number[], start: number, end: number): (value: number) => number {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return (value) => tenths(start + (end - start) * (high === low ? 0.5 : (value - low) / (high - low)));
}

/** Rounds pixels to tenths, which keeps the document small. */
export function tenths(value: number): number {
  return Math.round(value * 10) / 10;
}
