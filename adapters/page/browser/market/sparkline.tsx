import { usePage } from "../context.ts";
import { fill } from "../texts.ts";
import type { Entry } from "./entries.ts";

/**
 * A line through values from left to right in a box, the highest at the top: for the attribute `d` of a path, its last point, and its bounds.
 * Days without a value keep their width, and the line leads on across them. Fewer than two values make no line.
 */
export function lineOf(values: readonly (number | null)[], width: number, height: number) {
  const known = values.filter((value) => value !== null);
  if (known.length < 2) return undefined;
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const points = values.flatMap((value, at) => {
    const y = value === null || high === low ? height / 2 : height * (1 - (value - low) / (high - low));
    return value === null ? [] : [[tenths((at * width) / (values.length - 1)), tenths(y)] as const];
  });
  return { path: `M${points.map((point) => point.join(" ")).join("L")}`, end: points.at(-1)!, low, high };
}

/** The last 30 days as a line: neutral, as a red one beside a green number would contradict it, with a dot in the colour of the day. */
export function Sparkline({ entry: { latest, unit, ratio }, width, height }: { readonly entry: Entry; readonly width: number; readonly height: number }) {
  const { format, texts } = usePage();
  const days = latest?.days ?? [];
  const line = lineOf(days, width, height);
  if (line === undefined) return null;
  const [first, last] = [days.find((value) => value !== null)!, days.findLast((value) => value !== null)!];
  const [from, low, high] = [first, line.low, line.high].map((value) => format.priceNumber(value, unit)) as [string, string, string];
  const text = fill(texts.trend, { from, to: format.price(last, unit), percent: format.percent(first === 0 ? 0 : last / first - 1), low, high });
  return (
    <svg role="img" aria-label={text} class={`spark ${directionOf(ratio)}`} viewBox={`-3 -3 ${width + 6} ${height + 6}`} width={width + 6} height={height + 6}>
      <path d={line.path} />
      <circle cx={line.end[0]} cy={line.end[1]} r={2.2} />
    </svg>
  );
}

/** `up`, `down` or `same`, which are classes too. */
export function directionOf(change: number | undefined): "up" | "down" | "same" {
  return change === undefined || change === 0 ? "same" : change > 0 ? "up" : "down";
}

/** A tenth of a pixel is enough, and keeps the document small. */
export function tenths(value: number): number {
  return Math.round(value * 10) / 10;
}
