// Numbers, prices, changes, ages and 30-day lines, as all views show them.
import { computed } from "@preact/signals";
import { useMemo, useRef } from "preact/hooks";
import type { MarketRow } from "../../market_summary.ts";
import { directionOf, lastDays, pointsOf } from "../data/lines.ts";
import { isStale } from "../data/market.ts";
import { type Entry, ratioOf } from "../data/market_entries.ts";
import { format, now, settings, texts, yesterday } from "../data/state.ts";
import { fill } from "../texts/fill.ts";
import { icon } from "./icons.tsx";

/** A number, written left to right and not split in right-to-left text. `pad` is what `padsOf` returns for it. */
export function num(text: string, pad?: string) {
  return (
    <bdi class="n" dir="ltr" data-pad={pad}>
      {text}
    </bdi>
  );
}

/** Returns a function that gives the invisible digits after a number, so that a column's decimal points align. */
export function padsOf(numbers: readonly string[]): (text: string) => string {
  const decimalsIn = (text: string): number => /[.٫](\p{Nd}+)$/u.exec(text)?.[1]?.length ?? 0;
  const most = Math.max(0, ...numbers.map(decimalsIn));
  const zero = format.value.number(0, { minimumFractionDigits: most });
  return (text) => zero.slice(decimalsIn(text) === 0 ? 1 : decimalsIn(text) + 2);
}

/** A price, which flashes when the value changes; changed digits are tinted. Parents must set a `key` per asset. */
export function Price({ value, unit, pad }: Readonly<{ value: number; unit: string; pad?: string }>) {
  const text = format.value.priceNumber(value, unit);
  const shown = useRef({ value, text, times: 0, move: "same" as ReturnType<typeof directionOf>, from: 0 });
  if (shown.current.value !== value) {
    const { text: before, times } = shown.current;
    const changed = [...text].findIndex((sign, at) => sign !== before[at]);
    const from = Math.max(0, changed);
    const move = directionOf(Math.sign(value - shown.current.value));
    shown.current = { value, text, times: times + 1, move, from };
  }
  const { times, move, from } = shown.current;
  if (times === 0 || shown.current.text !== text) return num(text, pad);
  // A new key creates a new element, so the animation starts again.
  return (
    <bdi key={times} class={`n flash ${move}`} dir="ltr" data-pad={pad}>
      {text.slice(0, from)}
      <span>{text.slice(from)}</span>
    </bdi>
  );
}

type ChangeProps = Readonly<{ latest: MarketRow | undefined; usual?: string | undefined }>;

/** The change in percent since the previous day with a record. The date is shown beside it, unless it is `usual`. */
export function Change({ latest, usual = yesterday.value }: ChangeProps) {
  const ratio = ratioOf(latest);
  if (ratio === undefined) return <span class="none">—</span>;
  const { date } = latest!.before!; // exists, because the ratio was computed from it
  const { since, sinceDay } = texts.value;
  return (
    <>
      <Percent ratio={ratio} title={fill(since, { day: format.value.date(date) })} />
      {date !== usual && <small> {fill(sinceDay, { day: format.value.shortDate(date, now.peek()) })}</small>}
    </>
  );
}

/** A range between two numbers, in the reading direction of the language. */
export function Span({ low, high }: Readonly<Record<"low" | "high", string>>) {
  return (
    <>
      {num(low)} – {num(high)}
    </>
  );
}

/** A ratio with a sign and a colour. */
export function Percent({ ratio, title }: { readonly ratio: number; readonly title?: string | undefined }) {
  return (
    <span class={`change-text ${directionOf(ratio)}`} title={title}>
      {num(format.value.percent(ratio))}
    </span>
  );
}

/** The change of a price in its unit. */
export function Difference({ latest, unit, pad }: Pick<Entry, "latest" | "unit"> & { readonly pad?: string }) {
  if (latest?.before == null) return <span class="none">—</span>;
  return num(format.value.difference(latest.value - latest.before.value, unit), pad);
}

/** The dollar sign in front of a price in dollars. Other units are named in the group's heading or beside the price. */
export function UnitSign({ unit }: { readonly unit: string }) {
  if (unit !== "USD") return null;
  return (
    <span class="unit-sign" aria-hidden="true">
      $
    </span>
  );
}

/** Whether a record is older than the threshold, measured by the page's clock. */
export function useStale(latest: MarketRow | undefined): boolean {
  const isOld = (): boolean => latest !== undefined && isStale(latest, now.value, settings.staleThresholdMinutes);
  return useMemo(() => computed(isOld), [latest]).value;
}

/** The age of a record, updated with the clock. */
export function Age({ latest, isShort = false }: { readonly latest: MarketRow; readonly isShort?: boolean }) {
  const taken = Date.parse(latest.businessTime);
  const write = (): string => format.value[isShort ? "shortAge" : "age"](taken, now.value);
  return <>{useMemo(() => computed(write), [latest, isShort])}</>;
}

/** A clock icon with the record's age if the record is stale; otherwise nothing. */
export function StaleAge({ latest }: { readonly latest: MarketRow | undefined }) {
  if (!useStale(latest)) return null;
  return (
    <span class="stale-age">
      {icon("clock")} <Age latest={latest!} isShort />
    </span>
  );
}

type SparklineProps = Readonly<{ entry: Entry; width: number; height: number }>;

/**
 * The last 30 days as a grey line, because a red line could contradict a green number. A dot at its end has the day's
 * colour. The line continues across days without a value. If there are fewer than two values, there is no line.
 */
export function Sparkline({ entry: { latest, unit, ratio }, width, height }: SparklineProps) {
  const { days = [] } = latest ?? {};
  const points = pointsOf(days, width, height);
  if (points.length === 0) return null;
  const values = lastDays(days).filter((value) => value !== null);
  const [first, last] = [values[0]!, values.at(-1)!];
  const { priceNumber, price, percent } = format.value;
  const label = fill(texts.value.trend, {
    from: priceNumber(first, unit),
    to: price(last, unit),
    percent: percent(first === 0 ? 0 : last / first - 1),
    low: priceNumber(Math.min(...values), unit),
    high: priceNumber(Math.max(...values), unit),
  });
  return (
    <svg
      role="img"
      aria-label={label}
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
