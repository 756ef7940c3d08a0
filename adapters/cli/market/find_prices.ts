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
  INTERVALS,
  type Interval,
  type PriceCandle,
  type Prices,
  type UtcMillis,
} from "../../../core/mod.ts";

/** The arguments of `get`. */
export interface PriceRequest extends Readonly<Record<"day" | "from" | "to" | "candles", string | undefined>> {
  readonly code: string;
}

type Values = readonly AssetValue<string>[];

/** The answer to a request. */
export type FoundPrices =
  | { readonly kind: "latest" | "day"; readonly value: AssetValue<string>; readonly before: Values }
  /** `absence` is the sentence that explains an empty history. */
  | { readonly kind: "history"; readonly values: Values; readonly absence: string }
  | { readonly kind: "candles"; readonly interval: string; readonly candles: readonly PriceCandle[] };

/** A range without `--from`, and the row of bars below a single value, begin this many days before their end. */
const BACK_DAYS = 30;
/** How many candles are shown if no range is given. */
const LATEST_CANDLES = 24;
const FIRST_TIME = Date.parse("0000-01-01T00:00:00Z");
const LAST_TIME = Date.parse("9999-12-31T23:59:59.999Z");

/** Finds the requested prices. Throws `PriceError`, as `createPrices` does. */
export async function findPrices(
  prices: Prices<string>,
  asked: PriceRequest,
  marketTimeZone: string,
): Promise<FoundPrices> {
  const { code, day, from, to, candles } = asked;
  if (candles !== undefined) return findCandles(prices, { ...asked, interval: candles }, marketTimeZone);
  if (from !== undefined || to !== undefined) {
    const last = to ?? dayOf(await prices.latest(code), marketTimeZone);
    const values = await historyOf(prices, code, { from: from ?? daysBefore(last, BACK_DAYS), to: last });
    const absence = values.length > 0 ? "" : await absenceOf(prices, asked, marketTimeZone);
    return { kind: "history", values, absence };
  }
  const value = day === undefined ? await prices.latest(code) : await prices.on(code, day);
  const date = day ?? dayOf(value, marketTimeZone);
  const before = await historyOf(prices, code, { from: daysBefore(date, BACK_DAYS), to: date });
  return { kind: day === undefined ? "latest" : "day", value, before };
}

/** The sentence for requested days without records. Names the first and the last day that have records. */
async function absenceOf(prices: Prices<string>, { code }: PriceRequest, marketTimeZone: string): Promise<string> {
  const zone = createZone(marketTimeZone);
  const { first, last } = await coverageOf(prices, code);
  const [firstDay, lastDay] = [zone.dateAt(first), zone.dateAt(last)];
  return `There is no record in these days; the records of ${code} run from ${firstDay} to ${lastDay}.`;
}

/** The candles of a day or a range, or else the latest candles. Requests only the part of a range that has records. */
async function findCandles(
  prices: Prices<string>,
  { code, day, from, to, interval }: PriceRequest & { readonly interval: string },
  zoneName: string,
): Promise<FoundPrices> {
  const timeOf = timeReader(zoneName);
  const width = INTERVALS.get(interval)!;
  const known = await coverageOf(prices, code);
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
  const candles = await prices.candles(code, {
    interval: interval as Interval,
    from: timeText(start, first),
    to: timeText(end, last),
  });
  return { kind: "candles", interval, candles };
}

/**
 * Makes a function that reads a time or a date. For a date, it returns the start of the day `daysAfter` days later; for
 * any other text, `NaN`.
 */
function timeReader(zoneName: string): (text: string, daysAfter: number) => number {
  const zone = createZone(zoneName);
  return (text, daysAfter) => {
    const date = parseDate(text);
    return date === undefined ? (parseTimestamp(text)?.millis ?? NaN) : zone.startOfDay(dayNumber(date) + daysAfter);
  };
}

function timeText(time: number, given: string | undefined): string {
  if (Number.isNaN(time)) return given ?? "";
  return formatTimestamp(Math.min(Math.max(time, FIRST_TIME), LAST_TIME) as UtcMillis);
}

/** The values of each day of a range. For a wrong range, throws the same error as the API. */
async function historyOf(
  prices: Prices<string>,
  code: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<Values> {
  const [first, last] = [parseDate(from), parseDate(to)];
  if (first === undefined || last === undefined || last < first) return prices.history(code, from, to);
  const known = await coverageOf(prices, code);
  // `start` and `end` are a day beyond the records, because a market day may differ by one from the day in UTC.
  const [start, end] = [Math.floor(known.first / DAY_MS) - 1, Math.floor(known.last / DAY_MS) + 1];
  const [begin, finish] = [Math.max(dayNumber(first), start), Math.min(dayNumber(last), end)];
  return begin > finish ? [] : prices.history(code, dateOfDayNumber(begin), dateOfDayNumber(finish));
}

/** Business times of the first and the last record. Rejects if the code is unknown or has no record. */
async function coverageOf(
  prices: Prices<string>,
  code: string,
): Promise<{ readonly first: UtcMillis; readonly last: UtcMillis }> {
  const latest = await prices.latest(code);
  const entry = (await prices.catalog()).find((one) => one.code === code);
  const last = Date.parse(latest.businessTime) as UtcMillis;
  const from = entry?.ohlcAvailableFrom;
  return { first: from ? (Date.parse(from) as UtcMillis) : last, last };
}

/** The market day of a record. */
export function dayOf({ businessTime }: Pick<AssetValue, "businessTime">, zone: string): string {
  return createZone(zone).dateAt(Date.parse(businessTime) as UtcMillis);
}

/** The date `days` days before `text`. Returns a wrong date unchanged, so that the error message quotes it. */
function daysBefore(text: string, days: number): string {
  const date = parseDate(text);
  return date === undefined ? text : dateOfDayNumber(Math.max(Math.floor(FIRST_TIME / DAY_MS), dayNumber(date) - days));
}
