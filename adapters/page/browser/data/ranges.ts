// The range of an asset's chart, as in `#/asset/USD_RLS?interval=1h&range=1w`, and the range of its table of days.
import { csvRecord, DAY_MS, dateOfDayNumber, dayNumber, gregorianOf, parseDate } from "../../../../core/internal.ts";
import type { AssetValue, CalendarDate, CandleQuery, Interval, PriceCandle } from "../../../../core/mod.ts";
import { INTERVALS } from "../../../../core/mod.ts";

/** Reads the day from `#/asset/USD_RLS?day=2026-11-04`; `undefined` unless it is a valid day before `last`. */
export function pastDay(query: URLSearchParams, last: string | undefined): CalendarDate | undefined {
  const day = parseDate(query.get("day") ?? "");
  return day !== undefined && last !== undefined && day >= "1970-01-01" && day < last ? day : undefined;
}

/** The candle intervals in the order shown. */
export const INTERVAL_NAMES = ["15m", "1h", "4h", "1d"] as const satisfies readonly Interval[];

/** The chart's ranges. Each has a maximum number of days; its name consists of a number and a unit. */
export const RANGES = {
  "1d": [1, 1, "day"],
  "1w": [7, 1, "week"],
  "1m": [31, 1, "month"],
  "3m": [92, 3, "month"],
  nowruz: [366, 1, "year"],
  "1y": [366, 1, "year"],
  all: [9_131, 25, "year"],
} as const;
/** The name of a range. */
export type RangeName = keyof typeof RANGES;
/** All ranges, ascending. */
export const RANGE_NAMES = Object.keys(RANGES) as RangeName[]; // a cast, because `Object.keys` returns plain strings

/** The minimum number of candles for a chart. */
const FEWEST_CANDLES = 6;

/** The candles to request. `from` and `to` are edges of intervals, in ISO 8601 in UTC, in whole seconds. */
export type CandleWindow = CandleQuery & Readonly<Record<"from" | "to", string>>;

/** Reads the choices of the chart from the query of an address. Missing and invalid values are replaced by defaults. */
export function parseChoice(query: URLSearchParams) {
  return {
    interval: INTERVAL_NAMES.find((name) => name === query.get("interval")) ?? "1d",
    range: RANGE_NAMES.find((name) => name === query.get("range")) ?? "3m",
    /** If `undefined`, `areCandles` decides. */
    kind: (["line", "candles"] as const).find((kind) => kind === query.get("kind")),
    /** The code of the asset that the chart is compared with. */
    compare: query.get("compare") ?? undefined,
  };
}

/** Returns the wanted range if the interval can show it; otherwise the next shorter range, or the shortest possible. */
export function rangeFor(interval: Interval, wanted: RangeName, maxCandles: number): RangeName {
  const fitting = RANGE_NAMES.filter((name) => fits(name, interval, maxCandles));
  return fitting.findLast((name) => RANGE_NAMES.indexOf(name) <= RANGE_NAMES.indexOf(wanted)) ?? fitting[0] ?? wanted;
}

/**
 * The day that a range ending on `day` is compared with, e.g. a week or three months earlier. For `nowruz`, it is the
 * last day of the old Jalali year; for `all`, a day before all records.
 */
export function firstDayOf(range: RangeName, day: CalendarDate): CalendarDate {
  const [most, count, unit] = RANGES[range];
  const [year, month, date] = day.split("-").map(Number) as [number, number, number];
  if (range === "nowruz") {
    const [last, next] = [year - 622, year - 621].map((jalali) => dayNumber(gregorianOf(`${jalali}-01-01`)!));
    return dateOfDayNumber((next! <= dayNumber(day) ? next! : last!) - 1);
  }
  if (range === "all" || unit === "day" || unit === "week") return dateOfDayNumber(dayNumber(day) - most);
  const months = month - 1 - count * (unit === "year" ? 12 : 1);
  const daysOfMonth = new Date(Date.UTC(year, months + 1, 0)).getUTCDate();
  return dateOfDayNumber(Date.UTC(year, months, Math.min(date, daysOfMonth)) / DAY_MS);
}

/**
 * The candles to request for a choice. An interval with too few candles for the range is replaced by the finest that
 * fits, one with too many by the coarsest. The window ends at the latest record, so that old archives have a chart.
 */
export function chosenWindow(
  wanted: Readonly<{ interval: Interval; range: RangeName }>,
  last: number,
  maxCandles: number,
) {
  const fitting = INTERVAL_NAMES.filter((name) => fits(wanted.range, name, maxCandles));
  const isShort = candlesIn(wanted.range, wanted.interval) < FEWEST_CANDLES;
  const interval = fitting.find((name) => name === wanted.interval) ?? fitting.at(isShort ? 0 : -1) ?? wanted.interval;
  const range = rangeFor(interval, wanted.range, maxCandles);
  const width = widthOf(interval);
  const end = (Math.floor(last / width) + 1) * width;
  const lastDay = dateOfDayNumber(Math.floor(last / DAY_MS));
  const days = dayNumber(lastDay) - dayNumber(firstDayOf(range, lastDay));
  const start = end - Math.min(maxCandles, (days * DAY_MS) / width + 1) * width; // + 1 candle to compare with
  const [from, to] = [start, end].map((time) => `${new Date(time).toISOString().slice(0, 19)}Z`) as [string, string];
  return { interval, range, from, to };
}

/** The width of an interval in milliseconds. */
export function widthOf(interval: Interval): number {
  return INTERVALS.get(interval)!;
}

/** Whether the range has enough candles for a chart, and few enough for one answer. */
function fits(range: RangeName, interval: Interval, maxCandles: number): boolean {
  return candlesIn(range, interval) >= FEWEST_CANDLES && candlesIn(range, interval) <= maxCandles;
}

function candlesIn(range: RangeName, interval: Interval): number {
  return (RANGES[range][0] * DAY_MS) / widthOf(interval);
}

/** The days that one API request can cover: `to` may be 31 days after `from`, and both are included. */
const DAYS_OF_REQUEST = 32;

/** Days from `from` to `to`, both included. */
export type DayRange = Readonly<Record<"from" | "to", CalendarDate>>;

/** The longest range of days up to `last` that one request can cover. */
export function latestDays(last: CalendarDate): DayRange {
  return { from: dateOfDayNumber(dayNumber(last) - DAYS_OF_REQUEST + 1), to: last };
}

/** The day ranges to request, which contain each of the given days and the 21 days before it. */
export function windowsUpTo(days: readonly CalendarDate[]): readonly DayRange[] {
  const windows: DayRange[] = [];
  for (const day of days.toSorted().reverse()) {
    const isWithin = windows.some(({ from }) => dayNumber(day) - dayNumber(from) >= 21);
    if (!isWithin) windows.push(latestDays(day));
  }
  return windows;
}

/** The requests for a range, in ascending order. Each costs one unit. */
export function requestsOf({ from, to }: DayRange): DayRange[] {
  const [first, last] = [dayNumber(from), dayNumber(to)];
  return Array.from({ length: Math.ceil((last - first + 1) / DAYS_OF_REQUEST) }, (_, index) => {
    const start = first + index * DAYS_OF_REQUEST;
    return { from: dateOfDayNumber(start), to: dateOfDayNumber(Math.min(last, start + DAYS_OF_REQUEST - 1)) };
  });
}

/** The requests for the candles of a range of market days, with one more UTC day on each side for any time zone. */
export function windowsOf(range: DayRange): CandleWindow[] {
  const midnight = (day: CalendarDate, more: number) => `${dateOfDayNumber(dayNumber(day) + more)}T00:00:00Z`;
  return requestsOf(range).map(({ from, to }) => ({ interval: "15m", from: midnight(from, -1), to: midnight(to, 2) }));
}

/** The lowest and highest price of each day, from 15-minute candles. */
export function extremesOf(candles: readonly PriceCandle[], dayOf: (time: number) => string) {
  const days = new Map<string, { readonly low: number; readonly high: number }>();
  for (const { start, low, high } of candles) {
    const day = dayOf(Date.parse(start));
    const known = days.get(day) ?? { low, high };
    days.set(day, { low: Math.min(low, known.low), high: Math.max(high, known.high) });
  }
  return days;
}

/** Reads a range, which is cut off at `last`; `undefined` if it is not valid or begins after `last`. */
export function parseDays(fromText: string | null, toText: string | null, last: CalendarDate): DayRange | undefined {
  const [from, to] = [parseDate(fromText ?? ""), parseDate(toText ?? "")];
  if (from === undefined || to === undefined || from > to || from > last) return undefined;
  return { from, to: to < last ? to : last };
}

const COLUMNS = ["code", "value", "businessTime", "quoteUnit", "labelEn", "labelFa"] as const;

/** Records as CSV (RFC 4180) for `mazaneh import`: values in the quote unit, times in UTC. */
export function recordsCsv(records: readonly Pick<AssetValue<string>, (typeof COLUMNS)[number]>[]): string {
  const rows = records.map((record) => COLUMNS.map((column) => record[column]));
  return [COLUMNS, ...rows].map((cells) => `${csvRecord(cells)}\r\n`).join("");
}
