// A price, its change and its last days, as every view shows them.
import { useRef } from "preact/hooks";
import type { MarketRow } from "../../market_summary.ts";
import { usePage } from "../page_context.ts";
import { fill } from "../texts.ts";
import { type Entry, ratioOf } from "./market_entries.ts";

/** A price. One that changes while it is shown flashes once, its changed digits tinted. Another unit is no change; the owner gives each asset its `key`. */
export function Price({ value, unit }: { readonly value: number; readonly unit: string }) {
  const { format } = usePage();
  const text = format.priceNumber(value, unit);
  const shown = useRef({ value, text, times: 0, move: "same" as ReturnType<typeof directionOf>, from: 0 });
  if (shown.current.value !== value) {
    const from = [...text].findIndex((sign, at) => sign !== shown.current.text[at]);
    shown.current = {
      value,
      text,
      times: shown.current.times + 1,
      move: directionOf(Math.sign(value - shown.current.value)),
      from: Math.max(0, from),
    };
  }
  const { times, move, from } = shown.current;
  if (times === 0 || shown.current.text !== text)
    return (
      <bdi class="n" dir="ltr">
        {text}
      </bdi>
    );
  // Another key is another element, whose animation begins anew.
  return (
    <bdi key={times} class={`n flash ${move}`} dir="ltr">
      {text.slice(0, from)}
      <span>{text.slice(from)}</span>
    </bdi>
  );
}

/** The change against the day before in percent, with a sign that needs no colour. */
export function Change({ latest }: { readonly latest: MarketRow | undefined }) {
  const { format, texts } = usePage();
  const ratio = ratioOf(latest);
  if (ratio === undefined) return <span class="none">—</span>;
  const title = latest?.before ? fill(texts.since, { day: format.date(latest.before.date) }) : undefined;
  return (
    <span class={`change-text ${directionOf(ratio)}`} title={title}>
      <bdi class="n" dir="ltr">
        {format.percent(ratio)}
      </bdi>
    </span>
  );
}

/** The change in the unit. */
export function Difference({ latest, unit }: Pick<Entry, "latest" | "unit">) {
  const { format } = usePage();
  if (latest?.before == null) return <span class="none">—</span>;
  return (
    <bdi class="n" dir="ltr">
      {format.difference(latest.value - latest.before.value, latest.value, unit)}
    </bdi>
  );
}

/** The sign before a price in dollars; other units are told by the group or the words beside. */
export function UnitSign({ unit }: { readonly unit: string }) {
  return unit === "USD" ? (
    <span class="unit-sign" aria-hidden="true">
      $
    </span>
  ) : null;
}

/**
 * The last 30 days as a line: neutral, as a red one beside a green number would contradict it, with a dot in the colour of the day.
 * Days without a value keep their width, and the line leads on across them. Fewer than two values make no line.
 */
export function Sparkline({
  entry: { latest, unit, ratio },
  width,
  height,
}: {
  readonly entry: Entry;
  readonly width: number;
  readonly height: number;
}) {
  const { format, texts } = usePage();
  const days = latest?.days.slice(-31) ?? [];
  const values = days.filter((value) => value !== null);
  if (values.length < 2) return null;
  const [first, last, low, high] = [values[0]!, values.at(-1)!, Math.min(...values), Math.max(...values)];
  const y = scaleOf(values, height, 0);
  const points = days.flatMap((value, at) =>
    value === null ? [] : [[tenths((at * width) / (days.length - 1)), y(value)] as const],
  );
  const write = (value: number): string => format.priceNumber(value, unit);
  const percent = format.percent(first === 0 ? 0 : last / first - 1);
  const text = fill(texts.trend, {
    from: write(first),
    to: format.price(last, unit),
    percent,
    low: write(low),
    high: write(high),
  });
  return (
    <svg
      role="img"
      aria-label={text}
      class={`spark ${directionOf(ratio)}`}
      viewBox={`-3 -3 ${width + 6} ${height + 6}`}
      width={width + 6}
      height={height + 6}
    >
      <path d={`M${points.map((point) => point.join(" ")).join("L")}`} />
      <path class="end" d={`M${points.at(-1)!.join(" ")}h0`} />
    </svg>
  );
}

/** `up`, `down` or `same` of a ratio, which are classes too: the same is what is shown as 0.00%. */
export function directionOf(change: number | undefined): "up" | "down" | "same" {
  if (change === undefined || Math.abs(change) < 0.00005) return "same";
  return change > 0 ? "up" : "down";
}

/** The places of values on a line: the lowest at `start`, the highest at `end`; equal ones in the middle. */
export function scaleOf(values: readonly number[], start: number, end: number): (value: number) => number {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return (value) => tenths(start + (end - start) * (high === low ? 0.5 : (value - low) / (high - low)));
}

/** A tenth of a pixel is enough, and keeps the document small. */
export function tenths(value: number): number {
  return Math.round(value * 10) / 10;
}
