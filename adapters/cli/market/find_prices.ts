import {
  createZone,
  DAY_MS,
  dateOfDayNumber,
  dayNumber,
  formatTimestamp,
  parseDate,
  parseTimestamp,
} from "../../../core/internal.ts";
import {
  type AssetValue,
  type CalendarDate,
  INTERVALS,
  type Interval,
  type PriceCandle,
  type Prices,
  type UtcMillis,
} from "../../../core/mod.ts";
import { FIRST_TIME, LAST_TIME } from "../time_bounds.ts";

/** The arguments of `get`. */
export interface PriceRequest extends Readonly<Record<"day" | "from" | "to" | "candles", string | undefined>> {
  readonly code: string;
}

type Values = readonly AssetValue<string>[];

/** The answer to a request. */
export type FoundPrices =
  | { readonly kind: "value"; readonly value: AssetValue<string>; readonly before: Values }
  /** `absence` is the sentence that explains an empty history. */
  | { readonly kind: "history"; readonly values: Values; readonly absence: string }
  | { readonly kind: "candles"; readonly interval: string; readonly candles: readonly PriceCandle[] };

/** A range without `--from`, and the row of bars below a single value, begin this many days before their end. */
const BACK_DAYS = 30;
/** How many candles are shown if no range is given. */
const LATEST_CANDLES = 24;

/** Finds the requested prices. Throws `PriceError`, as `createPrices` does. */
export async function findPrices(
  prices: Prices<string>,
  { code, day, from, to, candles: interval }: PriceRequest,
  marketTimeZone: string,
): Promise<FoundPrices> {
  const zone = createZone(marketTimeZone);
  const dayOf = ({ businessTime }: AssetValue<string>): CalendarDate =>
    zone.dateAt(Date.parse(businessTime) as UtcMillis);

  /** Business times of the first and the last record. Rejects if the code is unknown or has no record. */
  async function coverage(): Promise<{ readonly first: UtcMillis; readonly last: UtcMillis }> {
    const { businessTime } = await prices.latest(code);
    const entry = (await prices.catalog()).find((one) => one.code === code);
    const first = Date.parse(entry?.ohlcAvailableFrom ?? businessTime) as UtcMillis;
    return { first, last: Date.parse(businessTime) as UtcMillis };
  }

  /** The values of each day of a range. For a wrong range, throws the same error as the API. */
  async function history(from: string, to: string): Promise<Values> {
    const [first, last] = [parseDate(from), parseDate(to)];
    if (first === undefined || last === undefined || last < first) return prices.history(code, from, to);
    const known = await coverage();
    const [start, end] = [known.first, known.last].map((time) => dayNumber(zone.dateAt(time))) as [number, number];
    const [begin, finish] = [Math.max(dayNumber(first), start), Math.min(dayNumber(last), end)];
    return begin > finish ? [] : prices.history(code, dateOfDayNumber(begin), dateOfDayNumber(finish));
  }

  /** Reads a time or a date: for a date, the start of the day `daysAfter` days later; for any other text, `NaN`. */
  function timeOf(text: string, daysAfter: number): number {
    const date = parseDate(text);
    return date === undefined ? (parseTimestamp(text)?.millis ?? NaN) : zone.startOfDay(dayNumber(date) + daysAfter);
  }

  /** The candles of a day or a range, or else the latest candles. Requests only the part of a range that has records. */
  async function candles(interval: string): Promise<readonly PriceCandle[]> {
    const width = INTERVALS.get(interval)!;
    const known = await coverage();
    const [first, last] = [day ?? from, day ?? to];
    let end = last === undefined ? known.last + 1 : timeOf(last, 1);
    let start =
      first === undefined
        ? (Math.ceil(Math.min(end, known.last + 1) / width) - LATEST_CANDLES) * width
        : timeOf(first, 0);
    if (start <= known.last && end > known.first) {
      start = Math.max(start, Math.floor(known.first / width) * width);
      end = Math.min(end, known.last + 1);
    }
    // A wrong time is passed on unchanged, so that the error message of `candles` quotes the time.
    const range = { from: timeText(start, first), to: timeText(end, last) };
    return prices.candles(code, { interval: interval as Interval, ...range });
  }

  if (interval !== undefined) return { kind: "candles", interval, candles: await candles(interval) };
  if (from !== undefined || to !== undefined) {
    const last = to ?? dayOf(await prices.latest(code));
    const values = await history(from ?? daysBefore(last, BACK_DAYS), last);
    if (values.length > 0) return { kind: "history", values, absence: "" };
    const known = await coverage();
    const span = `${zone.dateAt(known.first)} to ${zone.dateAt(known.last)}`;
    const absence = `There is no record in these days; the records of ${code} run from ${span}.`;
    return { kind: "history", values, absence };
  }
  const value = day === undefined ? await prices.latest(code) : await prices.on(code, day);
  const date = day ?? dayOf(value);
  return { kind: "value", value, before: await history(daysBefore(date, BACK_DAYS), date) };
}

function timeText(time: number, given: string | undefined): string {
  if (Number.isNaN(time)) return given ?? "";
  return formatTimestamp(Math.min(Math.max(time, FIRST_TIME), LAST_TIME) as UtcMillis);
}

/** The date `days` days before `text`. Returns a wrong date unchanged, so that the error message quotes it. */
function daysBefore(text: string, days: number): string {
  const date = parseDate(text);
  return date === undefined ? text : dateOfDayNumber(Math.max(Math.floor(FIRST_TIME / DAY_MS), dayNumber(date) - days));
}
