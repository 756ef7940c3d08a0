import { usePage } from "../context.ts";
import type { Entry } from "./entries.ts";
import { MARKET } from "./messages.ts";
import { sparkline } from "./sparkline.ts";

/** The last 30 days as a line: neutral, as a red one beside a green number would contradict it, with a dot in the colour of the day. */
export function Sparkline({ entry: { latest, unit, ratio }, width, height }: { readonly entry: Entry; readonly width: number; readonly height: number }) {
  const { format, preferences } = usePage();
  const line = sparkline(latest?.days ?? [], width, height);
  if (line === undefined) return null;
  const { path, end, first, last, low, high } = line;
  const text = MARKET[preferences.language].trend(
    format.priceNumber(first, unit), format.price(last, unit), format.percent(first === 0 ? 0 : last / first - 1), format.priceNumber(low, unit), format.priceNumber(high, unit),
  );
  return (
    <svg role="img" aria-label={text} class={`spark ${directionOf(ratio)}`} viewBox={`-3 -3 ${width + 6} ${height + 6}`} width={width + 6} height={height + 6}>
      <path d={path} />
      <circle cx={end[0]} cy={end[1]} r={2.2} />
    </svg>
  );
}

/** `up`, `down` or `same`, which are classes too. */
export function directionOf(change: number | undefined): "up" | "down" | "same" {
  return change === undefined || change === 0 ? "same" : change > 0 ? "up" : "down";
}
