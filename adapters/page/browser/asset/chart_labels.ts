// Names and times on and around the chart, in the chosen language, digits and calendar.
import type { Format } from "../format.ts";
import { INTERVALS } from "../../../../core/mod.ts";
import { DAY_MS, HOUR_MS } from "../../../../core/internal.ts";
import type { Interval } from "../../../../core/mod.ts";
import type { Bar } from "./chart_data.ts";
import type { RangeName } from "./ranges.ts";

/** What a tick of the time axis marks. */
export type TickKind = "year" | "month" | "day" | "date" | "time";

/** The unit of `Intl.NumberFormat` and the number of each range. */
const RANGE_LENGTHS = { "1d": [1, "day"], "1w": [1, "week"], "1m": [1, "month"], "3m": [3, "month"], "1y": [1, "year"] } as const;

/** An interval in words, e.g. `15 minutes`. */
export function intervalName(interval: Interval, { locale }: Format): string {
  const width = INTERVALS.get(interval) ?? DAY_MS;
  if (width >= DAY_MS) return lengthName(width / DAY_MS, "day", locale);
  return width >= HOUR_MS ? lengthName(width / HOUR_MS, "hour", locale) : lengthName(width / 60_000, "minute", locale);
}

/** A range in words, e.g. `3 months`, or in signs for a button, e.g. `3m`. */
export function rangeName(range: RangeName, { locale }: Format, all: string, options: { readonly isShort?: boolean } = {}): string {
  return range === "all" ? all : lengthName(RANGE_LENGTHS[range][0], RANGE_LENGTHS[range][1], locale, options.isShort === true ? "narrow" : "long");
}

/** The time of a bar: for candles of a day that day in UTC, for shorter ones the beginning in the market's time zone. */
export function barTime({ time, observations }: Bar, interval: Interval, format: Format): string {
  if (observations === undefined) return format.date(time);
  return interval === "1d" ? format.date(utcDay({ time })) : format.dateTime(time);
}

/** The day in UTC of a bar, `YYYY-MM-DD`. */
export function utcDay({ time }: Pick<Bar, "time">): string {
  return new Date(time).toISOString().slice(0, 10);
}

/**
 * How far the chart's clock is ahead of UTC, in milliseconds: the chart knows no time zones, so its times are shifted to
 * have its days begin at midnight of the market. One shift for all bars, as one that changes would bring two to the same time.
 */
export function axisShift(bars: readonly Bar[], interval: Interval, timeZone: string): number {
  const last = bars.at(-1);
  if (last === undefined || (interval === "1d" && last.observations !== undefined)) return 0;
  const shown = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "medium" }).format(last.time); // 2026-11-20 20:00:00
  return Date.parse(`${shown.replace(" ", "T")}Z`) - Math.floor(last.time / 1_000) * 1_000;
}

/** What a tick marks on the axis of such bars: days have no hours, which the chart would mark where there is one bar alone. */
export function tickKind(kind: TickKind, bars: readonly Bar[], interval: Interval): TickKind {
  return kind === "time" && (interval === "1d" || bars[0]?.observations === undefined) ? "date" : kind;
}

/**
 * The text of a tick of the time axis.
 *
 * @param shifted Milliseconds of the chart's clock, which is read as UTC.
 */
export function tickText(shifted: number, kind: TickKind, { locale }: Format): string {
  const text = new Intl.DateTimeFormat(locale, { timeZone: "UTC", ...tickParts(kind, locale.includes("-ca-persian")) }).format(shifted).replace(/ AP$/, "");
  return canvasText(text, locale);
}

/** A text for a canvas, which has no direction of its own: without marks, a Persian day would stand behind its month. */
export function canvasText(text: string, locale: string): string {
  return locale.startsWith("fa") ? `\u2067${text}\u2069` : text;
}

/** Years and months of the axis begin on Gregorian days, so the Jalali calendar names the day. */
function tickParts(kind: TickKind, isJalali: boolean): Intl.DateTimeFormatOptions {
  if (kind === "time") return { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
  if (kind === "date") return { day: "numeric", month: "short" };
  if (isJalali) return { day: "numeric", month: "short", ...(kind === "year" ? { year: "numeric" } : {}) };
  return kind === "year" ? { year: "numeric" } : kind === "month" ? { month: "short" } : { day: "numeric" };
}

function lengthName(count: number, unit: string, locale: string, options: "long" | "narrow" = "long"): string {
  return new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: options }).format(count);
}
