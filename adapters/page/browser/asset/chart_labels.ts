// Names and times on and around the chart, in the chosen language, digits and calendar.
import { DAY_MS, HOUR_MS } from "../../../../core/internal.ts";
import type { Interval } from "../../../../core/mod.ts";
import type { Format } from "../format.ts";
import { RANGES } from "./choice.ts";
import type { RangeName } from "./choice.ts";

/** What a tick of the time axis marks. */
export type TickKind = "year" | "month" | "day" | "time";

/** A range in words, e.g. `3 months`, or in signs for a button, e.g. `3m`. */
export function rangeName(range: RangeName, format: Format, texts: { readonly all: string }, unitDisplay: "long" | "narrow" = "long"): string {
  const [, count, unit] = RANGES[range];
  return range === "all" ? texts.all : format.number(count, { style: "unit", unit, unitDisplay });
}

/** A length of time in days, hours or minutes, e.g. `93 days`. */
export function durationText(ms: number, format: Format): string {
  const [unit, width] = ms >= DAY_MS ? ["day", DAY_MS] as const : ms >= HOUR_MS ? ["hour", HOUR_MS] as const : ["minute", 60_000] as const;
  return format.number(ms / width, { style: "unit", unit, unitDisplay: "long", maximumFractionDigits: 0 });
}

/** The time of a bar: for candles of a day that day in UTC, for shorter ones the beginning in the market's time zone. */
export function barTime(time: number, interval: Interval, format: Format): string {
  return interval === "1d" ? `${format.date(new Date(time).toISOString().slice(0, 10))} UTC` : format.dateTime(time);
}

/**
 * How far the chart's clock is ahead of UTC, in milliseconds: the chart knows no time zones, so its times are shifted to have its days begin at
 * midnight of the market. One shift for all bars, as one that changes would bring two to the same time.
 *
 * @param time The time of the latest bar.
 */
export function axisShift(time: number, interval: Interval, timeZone: string): number {
  if (interval === "1d") return 0;
  const shown = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "medium" }).format(time); // 2026-11-20 20:00:00
  return Date.parse(`${shown.replace(" ", "T")}Z`) - Math.floor(time / 1_000) * 1_000;
}

/**
 * The text of a tick of the time axis.
 *
 * @param shifted Milliseconds of the chart's clock, which is read as UTC.
 */
export function tickText(shifted: number, kind: TickKind, { locale }: Format): string {
  const text = new Intl.DateTimeFormat(locale, { timeZone: "UTC", ...TICK_PARTS[kind] }).format(shifted).replace(/ AP$/, "");
  return canvasText(text, locale);
}

const TICK_PARTS: Readonly<Record<TickKind, Intl.DateTimeFormatOptions>> = {
  year: { year: "numeric" },
  month: { month: "short" },
  day: { day: "numeric" },
  time: { hour: "2-digit", minute: "2-digit", hourCycle: "h23" },
};

/** A text for a canvas, which has no direction of its own: without marks, a Persian day would stand behind its month. */
export function canvasText(text: string, locale: string): string {
  return locale.startsWith("fa") ? `\u2067${text}\u2069` : text;
}

/** What moments at the beginning of days mark in the Jalali calendar; the first of all counts as a day. */
export function jalaliKinds(times: readonly number[]): readonly ("year" | "month" | "day")[] {
  const calendar = new Intl.DateTimeFormat("en-u-ca-persian-nu-latn", { timeZone: "UTC", year: "numeric", month: "numeric" }); // 9/1405 AP
  const months = times.map((time) => calendar.format(time));
  return months.map((month, at) => (at === 0 || month === months[at - 1] ? "day" : month.startsWith("1/") ? "year" : "month"));
}
