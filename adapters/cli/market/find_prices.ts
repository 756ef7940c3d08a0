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

/** What a command line asks for, as it was given. */
export interface PriceRequest {
  readonly code: string;
  readonly day: string | undefined;
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly candles: string | undefined;
}

/** What was found. */
export type FoundPrices =
  | {
      readonly kind: "latest" | "day";
      readonly value: AssetValue<string>;
      readonly before: readonly AssetValue<string>[];
    }
  /** Where there is no value, `absence` is the sentence that says so. */
  | { readonly kind: "history"; readonly values: readonly AssetValue<string>[]; readonly absence: string }
  | { readonly kind: "candles"; readonly interval: string; readonly candles: readonly PriceCandle[] };

/** Days that the line of bars beside one value, and a range without `--from`, go back. */
const BACK_DAYS = 30;
/** Candles that are shown where no range is given. */
const LATEST_CANDLES = 24;
/** The times that can be printed. */
const FIRST_TIME = Date.parse("0000-01-01T00:00:00Z");
const LAST_TIME = Date.parse("9999-12-31T23:59:59.999Z");
/** Reads what is asked for. Throws `PriceError`, as `createPrices` does. */
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
    return {
      kind: "history",
      values,
      absence: values.length > 0 ? "" : await absenceOf(prices, asked, marketTimeZone),
    };
  }
  const value = day === undefined ? await prices.latest(code) : await prices.on(code, day);
  const date = day ?? dayOf(value, marketTimeZone);
  const before = await historyOf(prices, code, { from: daysBefore(date, BACK_DAYS), to: date });
  return { kind: day === undefined ? "latest" : "day", value, before };
}

/** Says that there is no record in the days that are asked for, and which days have some. */
async function absenceOf(prices: Prices<string>, { code }: PriceRequest, marketTimeZone: string): Promise<string> {
  const zone = createZone(marketTimeZone);
  const { first, last } = await coverageOf(prices, code);
  const [firstDay, lastDay] = [zone.dateAt(first), zone.dateAt(last)];
  return `There is no record in these days; the records of ${code} run from ${firstDay} to ${lastDay}.`;
}

/** The candles of a day, of a range, or the latest ones. What lies outside the asset's records is not asked for. */
async function findCandles(
  prices: Prices<string>,
  { code, day, from, to, interval }: PriceRequest & { readonly interval: string },
  zoneName: string,
): Promise<FoundPrices> {
  const timeOf = timeReader(zoneName);
  const width = INTERVALS.get(interval) ?? DAY_MS; // `candles` refuses an unknown one
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
  // A text that is no time is passed on, so that it is refused by name.
  const candles = await prices.candles(code, {
    interval: interval as Interval,
    from: timeText(start, first),
    to: timeText(end, last),
  });
  return { kind: "candles", interval, candles };
}

/** Reads a date as the beginning of its market day, or of the one so many days after it, and a time as itself; `NaN` for other texts. */
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

/** The values of each day of a range. One that is no range is passed on, so that it is refused as the API does. */
async function historyOf(
  prices: Prices<string>,
  code: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<AssetValue<string>[]> {
  const [first, last] = [parseDate(from), parseDate(to)];
  if (first === undefined || last === undefined || last < first) return prices.history(code, from, to);
  const known = await coverageOf(prices, code);
  // A day more at both ends, as days begin at other moments in other time zones.
  const [start, end] = [Math.floor(known.first / DAY_MS) - 1, Math.floor(known.last / DAY_MS) + 1];
  const [begin, finish] = [Math.max(dayNumber(first), start), Math.min(dayNumber(last), end)];
  return begin > finish ? [] : prices.history(code, dateOfDayNumber(begin), dateOfDayNumber(finish));
}

/** Business time of the first and the last record of an asset. Fails for an unknown code, and where there is no record. */
async function coverageOf(
  prices: Prices<string>,
  code: string,
): Promise<{ readonly first: UtcMillis; readonly last: UtcMillis }> {
  const latest = await prices.latest(code);
  const entry = (await prices.catalog()).find((one) => one.code === code);
  const [first, last] = [entry?.ohlcAvailableFrom ?? latest.businessTime, latest.businessTime].map(
    (time) => Date.parse(time) as UtcMillis,
  );
  return { first: first!, last: last! };
}

/** The market day of a record. */
export function dayOf({ businessTime }: Pick<AssetValue, "businessTime">, zone: string): string {
  return createZone(zone).dateAt(Date.parse(businessTime) as UtcMillis);
}

/** The date some days before; the text itself where it is no date, so that it is refused by name. */
function daysBefore(text: string, days: number): string {
  const date = parseDate(text);
  return date === undefined ? text : dateOfDayNumber(Math.max(Math.floor(FIRST_TIME / DAY_MS), dayNumber(date) - days));
}
