// Prepares candles for the chart, and writes the chart's labels and times in the chosen language.
import { DAY_MS, HOUR_MS } from "../../../../core/internal.ts";
import type { Interval, PriceCandle } from "../../../../core/mod.ts";
import type { MarketRow } from "../../market_summary.ts";
import type { Format } from "./format.ts";
import { RANGES, type RangeName } from "./ranges.ts";

/** One candle or, in a line chart, one point at `close`. Values are in the API's unit. */
export interface Bar extends Pick<PriceCandle, "open" | "high" | "low" | "close"> {
  /** The start of the candle's interval, in milliseconds. */
  readonly time: number;
  /** Whether the candle's interval has not ended yet. */
  readonly isRunning: boolean;
}

type Latest = Pick<MarketRow, "value" | "businessTime">;

/** Converts candles to bars, in the same unit and order. */
export function barsOf(candles: readonly PriceCandle[]): readonly Bar[] {
  return candles.map(({ start, complete, open, high, low, close }) => {
    return { time: Date.parse(start), isRunning: !complete, open, high, low, close };
  });
}

/** Whether at least two thirds of the bars have a height. Candles without height would look like a row of dashes. */
export function areCandles(bars: readonly Bar[]): boolean {
  return bars.filter(({ high, low }) => high !== low).length * 3 >= bars.length * 2;
}

/** Finds the gaps: two successive bars more than three usual steps apart. Returns the times of both bars. */
export function gapsOf(bars: readonly Bar[], widthMs: number): readonly Readonly<Record<"from" | "to", number>>[] {
  const spans = bars.slice(1).map(({ time }, at) => ({ from: bars[at]!.time, to: time }));
  const steps = spans.map(({ from, to }) => to - from).sort((one, other) => one - other);
  const usual = Math.max(widthMs, steps[steps.length >> 1] ?? 0); // more than `widthMs` if prices come less often
  return spans.filter(({ from, to }) => to - from > 3 * usual);
}

/** The times of all intervals from the first to the last bar. Intervals without a bar keep the axis to scale. */
export function slotsOf(bars: readonly Bar[], widthMs: number): readonly number[] {
  if (bars.length === 0) return [];
  const [first, last] = [bars[0]!.time, bars.at(-1)!.time];
  return Array.from({ length: Math.round((last - first) / widthMs) + 1 }, (_, at) => first + at * widthMs);
}

/** Updates the last bar with the latest value, or adds a bar for it. A value older than the last bar is ignored. */
export function withLatest(bars: readonly Bar[], latest: Latest | undefined, widthMs: number): readonly Bar[] {
  const last = bars.at(-1);
  if (last === undefined || latest === undefined) return bars;
  const { value, businessTime } = latest;
  const start = Math.floor(Date.parse(businessTime) / widthMs) * widthMs;
  if (start < last.time) return bars;
  const begun: Bar = { time: start, open: value, high: value, low: value, close: value, isRunning: true };
  if (start > last.time) return [...bars.slice(0, -1), { ...last, isRunning: false }, begun];
  if (!last.isRunning || last.close === value) return bars;
  const { high, low } = last;
  return [...bars.slice(0, -1), { ...last, close: value, high: Math.max(high, value), low: Math.min(low, value) }];
}

/** The first time at which both assets have a bar, and their closes at this time, to which percentages are relative. */
export function commonStart(bars: readonly Bar[], others: readonly Bar[]): CommonStart | undefined {
  const closes = new Map(others.map(({ time, close }) => [time, close]));
  const first = bars.find(({ time, close }) => close && closes.get(time));
  return first && { time: first.time, close: first.close, otherClose: closes.get(first.time)! };
}

/** Where a comparison begins. */
export type CommonStart = Readonly<Record<"time" | "close" | "otherClose", number>>;

/** The lowest low and the highest high. */
export function extremesOf(bars: readonly Pick<Bar, "low" | "high">[]): Readonly<Record<"low" | "high", number>> {
  return { low: Math.min(...bars.map(({ low }) => low)), high: Math.max(...bars.map(({ high }) => high)) };
}

/** The number of decimals on a price axis: enough for five significant digits, but at most 12. */
export function axisDecimals(highest: number): number {
  return highest > 0 ? Math.min(12, Math.max(0, 4 - Math.floor(Math.log10(highest)))) : 0;
}

/** The kinds of labels on the time axis. */
export type TickKind = "year" | "month" | "day" | "time";

/** A range in words, e.g. `3 months`. */
export function rangeName(range: RangeName, format: Format, texts: Readonly<Record<"all" | "nowruz", string>>): string {
  if (range === "all" || range === "nowruz") return texts[range];
  const [, count, unit] = RANGES[range];
  return format.number(count, { style: "unit", unit, unitDisplay: "long" });
}

/** A length of time in days, hours or minutes, e.g. `93 days`. */
export function durationText(ms: number, format: Format): string {
  const write = (unit: string, width: number): string =>
    format.number(ms / width, { style: "unit", unit, unitDisplay: "long", maximumFractionDigits: 0 });
  if (ms >= DAY_MS) return write("day", DAY_MS);
  return ms >= HOUR_MS ? write("hour", HOUR_MS) : write("minute", 60_000);
}

/** The time of a bar as text: for `1d` candles the UTC day, for shorter candles the start in the market's time zone. */
export function barTime(time: number, interval: Interval, format: Format): string {
  if (interval !== "1d") return format.dateTime(time);
  return `${format.date(new Date(time).toISOString().slice(0, 10))}${format.locale.startsWith("fa") ? "، روز UTC" : ", UTC day"}`;
}

/**
 * The milliseconds to add to UTC times, so that the chart's days begin at the market's midnight: the chart library has
 * no time zones. All bars get the same shift, because different shifts could give two bars the same time.
 */
export function axisShift(time: number, interval: Interval, timeZone: string): number {
  if (interval === "1d") return 0;
  const shown = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "medium" }).format(time); // 2026-11-20 20:00:00
  return Date.parse(`${shown.replace(" ", "T")}Z`) - Math.floor(time / 1_000) * 1_000;
}

/** The text of a tick of the time axis. `shifted` is a UTC time plus `axisShift`. */
export function tickText(shifted: number, kind: TickKind, { locale }: Format): string {
  return canvasText(new Intl.DateTimeFormat(locale, { timeZone: "UTC", ...TICK_PARTS[kind] }).format(shifted), locale);
}

const TICK_PARTS: Readonly<Record<TickKind, Intl.DateTimeFormatOptions>> = {
  year: { year: "numeric" },
  month: { month: "short" },
  day: { day: "numeric" },
  time: { hour: "2-digit", minute: "2-digit", hourCycle: "h23" },
};

/** A text for a canvas. Without direction marks, a canvas would draw a Persian day after its month. */
export function canvasText(text: string, locale: string): string {
  return locale.startsWith("fa") ? `\u2067${text}\u2069` : text;
}

/** What begins on each day in the Jalali calendar: a year, a month or only a day. For the first, it is always `day`. */
export function jalaliKinds(times: readonly number[]): readonly ("year" | "month" | "day")[] {
  const parts = { timeZone: "UTC", year: "numeric", month: "numeric" } as const;
  const calendar = new Intl.DateTimeFormat("en-u-ca-persian-nu-latn", parts); // 9/1405 AP
  const months = times.map((time) => calendar.format(time));
  return months.map((month, at) => {
    if (at === 0 || month === months[at - 1]) return "day";
    return month.startsWith("1/") ? "year" : "month";
  });
}
