import { DAY_MS, dayNumber, formatTimestamp, HOUR_MS, MINUTE_MS, ok } from "../../../core/internal.ts";
import type { UtcMillis } from "../../../core/mod.ts";
import { type OpenQuestion, type ReadResult, unread } from "./open_questions.ts";
import type { TimeOptions } from "./parse_times.ts";

/** The prices of a candle, in the order in which they are stored. */
export const CANDLE_PRICES = ["open", "high", "low", "close"] as const;
export type CandlePrice = (typeof CANDLE_PRICES)[number];
/** The columns of candles that an answer may name. */
export const CANDLE_COLUMNS = [...CANDLE_PRICES, "end"] as const;

/** The places of a candle's cells in a row. `businessTime` has its start or, if `end` has the same place, its end. */
export interface CandleColumns {
  readonly prices: Readonly<Record<CandlePrice, number>>;
  readonly end: number | undefined;
}

/** Column names by price. If a header has several names of one price, the first one in this list is used. */
const NAMES: Readonly<Record<CandlePrice, string>> = {
  open: "open openprice openingprice o باز بازشدن بازگشایی اولین اولینقیمت",
  high: "high highprice highestprice h بیشترین بالاترین حداکثر سقف بیشترینقیمت بالاترینقیمت",
  low: "low lowprice lowestprice l کمترین پایینترین حداقل کف کمترینقیمت پایینترینقیمت",
  close: "close closeprice closingprice c پایانی قیمتپایانی بسته بستهشدن آخرین آخرینقیمت",
};
const STARTS = "start starttime opentime timeopen begin";
const ENDS = "end endtime closetime timeclose";

/**
 * Finds the columns of candles in a header.
 *
 * @param keys The names of the columns. A column that an answer sets has its name in `CANDLE_COLUMNS`.
 * @param value The place of the column of values, and whether it comes from an answer.
 */
export function findCandle(
  keys: readonly string[],
  value: { readonly at: number | undefined; readonly isMapped: boolean },
): CandleColumns | undefined {
  const [open, high, low, named] = CANDLE_PRICES.map((price) => placeOf(keys, NAMES[price]));
  if (open === undefined || high === undefined || low === undefined) return undefined;
  const isClose = value.at === undefined || value.at === named || (named === undefined && !value.isMapped);
  const close = value.at ?? named;
  return isClose && close !== undefined ? { prices: { open, high, low, close }, end: placeOf(keys, ENDS) } : undefined;
}

/** Returns the place of the column with the candles' start, else the place of the column with their end. */
export function findCandleTime(keys: readonly string[]): number | undefined {
  return placeOf(keys, STARTS) ?? placeOf(keys, ENDS);
}

function placeOf(keys: readonly string[], names: string): number | undefined {
  const name = names.split(" ").find((other) => keys.includes(other));
  return name === undefined ? undefined : keys.indexOf(name);
}

/** The length of a table's candles, and a question if the rows do not show that length. */
export type CandleWidth = { readonly widthMs: number; readonly questions: readonly OpenQuestion[] };

/**
 * Finds the length of candles: the smallest distance between rows, if no other distance is more common, and if it is a
 * week or divides a day.
 *
 * @param times The times of each asset's rows.
 * @param hasDates Whether all times are dates without an hour.
 */
export function findCandleWidth(times: Iterable<readonly number[]>, hasDates: boolean): ReadResult<CandleWidth> {
  const counts = new Map<number, number>();
  for (const list of times) {
    const sorted = [...new Set(list)].sort((a, b) => a - b);
    for (const [at, time] of sorted.slice(1).entries())
      counts.set(time - sorted[at]!, (counts.get(time - sorted[at]!) ?? 0) + 1);
  }
  const gaps = [...counts].sort(([a], [b]) => a - b);
  const [smallest = DAY_MS, count = 0] = gaps[0] ?? [];
  const isFit = smallest === 7 * DAY_MS || (smallest >= MINUTE_MS && DAY_MS % smallest === 0);
  const isCommon = gaps.every(([, other]) => other <= count);
  if (gaps.length === 0 ? hasDates : isFit && isCommon) return ok({ widthMs: smallest, questions: [] });
  if (smallest > 7 * DAY_MS) return unread("its candles are longer than a week, so their ends are unknown");
  const widthMs = isFit ? smallest : DAY_MS;
  const reason = "its rows do not show the length of candles";
  return ok({ widthMs, questions: [{ set: { interval: widthInWords(widthMs) }, reason }] });
}

type CandleSpan = readonly [first: number, last: number];

/** Returns the span of a candle. Without an `end`, whole days end at midnight of the zone, or at `dayAtMs`. */
export function candleSpan(
  start: number,
  end: number | undefined,
  { widthMs, zone, dayAtMs }: { readonly widthMs: number } & Pick<TimeOptions, "zone" | "dayAtMs">,
): CandleSpan {
  if (end !== undefined) {
    const next = nextStart(end);
    return [start < end ? start : next - widthMs, next - 1];
  }
  const day = dayNumber(zone.dateAt(start as UtcMillis));
  const days = widthMs / DAY_MS;
  if (days % 1 !== 0 || zone.momentAt(day, 0) !== start) return [start, start + widthMs - 1];
  return [start, dayAtMs === undefined ? zone.momentAt(day + days, 0) - 1 : zone.momentAt(day + days - 1, dayAtMs)];
}

/** The start of the next candle. Some files write a candle's last millisecond as its end. */
export function nextStart(end: number): number {
  return end % 1_000 === 999 ? end + 1 : end;
}

/** The time to store for a candle's open, high, low or close. The true times of high and low are unknown. */
export function candleTime(price: CandlePrice, [first, last]: CandleSpan): string {
  const part = CANDLE_PRICES.indexOf(price) / (CANDLE_PRICES.length - 1);
  return formatTimestamp((first + Math.floor((last - first) * part)) as UtcMillis);
}

/** The quality message of a candle's price. */
export function candleMessage(price: CandlePrice, widthMs: number): string {
  const isWithin = price === "high" || price === "low";
  return `${price} of a candle of ${widthInWords(widthMs)}${isWithin ? "; the time within it is not known" : ""}`;
}

type CandleValues = Readonly<Partial<Record<CandlePrice, number>>>;

/** Returns why these values cannot be the prices of one candle. */
export function candleFault({ high = Infinity, low = -Infinity, close = low }: CandleValues): string | undefined {
  if (high < low) return `high ${high} is below low ${low}`;
  if (close > high) return `close ${close} is above high ${high}`;
  return close < low ? `close ${close} is below low ${low}` : undefined;
}

/** Whether the open is not between high and low. Some exchanges publish the previous day's close as the open. */
export function isOpenOutside({ open, high = Infinity, low = -Infinity }: CandleValues): boolean {
  return open !== undefined && (open > high || open < low);
}

const WIDTHS = [
  ["w", 7 * DAY_MS],
  ["d", DAY_MS],
  ["h", HOUR_MS],
  ["m", MINUTE_MS],
] as const;

/** The text of a width, such as `15m`, `1h`, `1d` or `1w`. */
export function widthInWords(widthMs: number): string {
  const [letter, unit] = WIDTHS.find(([, ms]) => widthMs % ms === 0) ?? WIDTHS[3];
  return `${Math.round(widthMs / unit)}${letter}`;
}

/** Parses the text of a width. */
export function parseWidth(text: string): number | undefined {
  const [, count, letter] = /^([1-9]\d{0,2})([mhdw])$/.exec(text) ?? [];
  const [, unit] = WIDTHS.find(([name]) => name === letter) ?? [];
  return unit === undefined ? undefined : Number(count) * unit;
}
