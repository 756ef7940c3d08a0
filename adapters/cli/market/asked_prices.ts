import { DAY_MS, createZone, dateOfDayNumber, dayNumber, formatTimestamp, parseDate, parseTimestamp } from "../../../core/internal.ts";
import { INTERVALS } from "../../../core/mod.ts";
import type { AssetValue, Interval, PriceCandle, Prices, UtcMillis } from "../../../core/mod.ts";

/** What a command line asks for, as it was given. */
export interface Asked {
  readonly code: string;
  readonly day: string | undefined;
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly candles: string | undefined;
}

/** What was found. */
export type FoundPrices =
  | { readonly kind: "latest" | "day"; readonly value: AssetValue<string>; readonly before: readonly AssetValue<string>[] }
  | { readonly kind: "history"; readonly values: readonly AssetValue<string>[] }
  | { readonly kind: "candles"; readonly interval: string; readonly candles: readonly PriceCandle[] };

/** Days that the line of bars beside one value, and a range without `--from`, go back. */
const BACK_DAYS = 30;
/** Candles that are shown where no range is given. */
const LATEST_CANDLES = 24;
/** Days of one call of `history`. */
const CALL_DAYS = 32;

/** Reads what is asked for. Throws `PriceError`, as `createPrices` does. Ranges of any length are read, call by call. */
export async function findPrices(prices: Prices<string>, asked: Asked, marketTimeZone: string): Promise<FoundPrices> {
  const { code, day, from, to, candles } = asked;
  if (candles !== undefined) return findCandles(prices, { ...asked, interval: candles }, marketTimeZone);
  if (from !== undefined || to !== undefined) {
    const last = to ?? dayOf(await prices.latest(code), marketTimeZone);
    return { kind: "history", values: await historyOf(prices, code, from ?? daysBefore(last, BACK_DAYS), last) };
  }
  const value = day === undefined ? await prices.latest(code) : await prices.on(code, day);
  const date = day ?? dayOf(value, marketTimeZone);
  const before = await historyOf(prices, code, daysBefore(date, BACK_DAYS), date);
  return { kind: day === undefined ? "latest" : "day", value, before };
}

async function findCandles(prices: Prices<string>, { code, day, from, to, interval }: Asked & { readonly interval: string }, zoneName: string): Promise<FoundPrices> {
  const zone = createZone(zoneName);
  const width = INTERVALS.get(interval) ?? DAY_MS; // `candles` refuses an unknown one
  const latest = await prices.latest(code);
  const end = Date.parse(latest.businessTime) + 1;
  /** A date means the beginning of its market day, `after` days later; a time is itself. */
  const edge = (text: string, after: number): string => {
    const date = parseDate(text);
    return date === undefined ? text : formatTimestamp(zone.startOfDay(dayNumber(date) + after));
  };
  const until = day ?? to;
  const toTime = until === undefined ? formatTimestamp(end as UtcMillis) : edge(until, 1);
  const endOf = parseTimestamp(toTime)?.millis ?? end;
  const newest = (Math.ceil(endOf / width) - LATEST_CANDLES) * width;
  const start = day ?? from;
  const fromTime = start === undefined ? formatTimestamp(newest as UtcMillis) : edge(start, 0);
  const candles = await prices.candles(code, { interval: interval as Interval, from: fromTime, to: toTime });
  return { kind: "candles", interval, candles };
}

/** The values of each day of a range of any length. A range that cannot be cut is passed on, so that it is refused as the API does. */
async function historyOf(prices: Prices<string>, code: string, from: string, to: string): Promise<AssetValue<string>[]> {
  const [first, last] = [parseDate(from), parseDate(to)];
  if (first === undefined || last === undefined || last < first) return prices.history(code, from, to);
  const found: AssetValue<string>[] = [];
  const known = await coveredDays(prices, code);
  const end = Math.min(dayNumber(last), known.last);
  for (let day = Math.max(dayNumber(first), known.first); day <= end; day += CALL_DAYS) {
    found.push(...(await prices.history(code, dateOfDayNumber(day), dateOfDayNumber(Math.min(day + CALL_DAYS - 1, end)))));
  }
  return found;
}

/** The days around all records of an asset, in any time zone: what lies outside need not be read. */
async function coveredDays(prices: Prices<string>, code: string): Promise<{ readonly first: number; readonly last: number }> {
  await prices.latest(code); // Fails for an unknown code, and where there is no record.
  const entry = (await prices.catalog()).find((one) => one.code === code);
  const day = (time: string | null | undefined): number => Math.floor(Date.parse(time ?? "") / DAY_MS);
  return { first: day(entry?.ohlcAvailableFrom) - 1, last: day(entry?.businessTime) + 1 };
}

/** The market day of a record. */
export function dayOf({ businessTime }: Pick<AssetValue, "businessTime">, zone: string): string {
  return createZone(zone).dateAt(Date.parse(businessTime) as UtcMillis);
}

/** The date some days before; the text itself where it is no date, so that it is refused by name. */
function daysBefore(text: string, days: number): string {
  const date = parseDate(text);
  return date === undefined ? text : dateOfDayNumber(Math.max(0, dayNumber(date) - days));
}
