import { err, ok } from "../../../core/internal.ts";
import { CANDLE_PRICES } from "./candle_columns.ts";
import { cleanText } from "./clean_text.ts";
import { timeText } from "./date_and_clock.ts";
import type { TableOptions } from "./detect_dialect.ts";
import { unitOfValue, unitOfWord } from "./detect_price_unit.ts";
import { parseEpoch } from "./epoch_and_serial_times.ts";
import type { ReadResult } from "./open_questions.ts";
import { isMissing, parseNumber } from "./parse_numbers.ts";
import { createTimeReader } from "./parse_times.ts";
import type { Cells } from "./record_columns.ts";
import { parseWrittenTime } from "./written_time.ts";

/** The columns of a table without a header, as the cells of its first row show them. */
export interface UnnamedColumns {
  /** For each column, the kind that its cell shows, or the number of the column. */
  readonly names: readonly string[];
  /** Whether the kinds of all columns are known, and one column is a date. */
  readonly isSure: boolean;
  /** The possible places of a candle. */
  readonly prices: PricePlaces | undefined;
}

/** Where four columns of numbers begin, and which columns have the time of these numbers. */
type PricePlaces = { readonly first: number; readonly time: number; readonly clock?: number };

/** The places of a candle's four prices, counted from the first of them. */
const PLACES = [0, 1, 2, 3];
/**
 * The column of highs has the highest price in the share `MOST` of rows; the column of lows is found likewise. An
 * unusual order of columns is proved only by `MANY` rows.
 */
const [MOST, MANY] = [0.9, 20];
/** Matches numbers that are not prices: changes, and volumes such as `1.2K`. */
const OTHER_NUMBER = /^(?:[-+(]?[\d.,]+ ?[%kmb)]*|nan)$/i;
/** Prices have fewer digits than milliseconds since 1970. */
const MILLISECONDS = /^\d{13,}/;

/** The columns of a row without a header; `undefined` if the row may be a header. */
export function findUnnamedColumns(
  cells: readonly string[],
  { names: assets, code }: TableOptions,
): UnnamedColumns | undefined {
  const kinds = cells.map((cell) => {
    const clean = cleanText(cell);
    if (isMissing(cell)) return "";
    const isAsset = assets.find(cell).codes.length > 0;
    if (!/\d/.test(clean) && unitOfWord(clean) && !(isAsset && code === undefined)) return "unit";
    if (/^\d\d?:\d\d(?::\d\d)?$/.test(clean)) return "time";
    if (parseWrittenTime(clean)) return "date";
    if (parseNumber(unitOfValue(cell)?.rest ?? cell)) return "value";
    if (isAsset) return "asset";
    return OTHER_NUMBER.test(clean) ? "number" : undefined;
  });
  const isCandle = (at: number): boolean => PLACES.every((next) => kinds[at + next] === "value");
  const count = cells.findIndex(
    (cell, at) => parseEpoch(cleanText(cell)) && (at === 0 || MILLISECONDS.test(cell) || isCandle(at + 1)),
  );
  if (!kinds.includes("date") && count !== -1) kinds[count] = "date";
  const countOf = (wanted: string): number => kinds.filter((kind) => kind === wanted).length;
  const isOfNumbers = kinds.every((kind) => kind !== undefined && kind !== "asset" && kind !== "unit");
  const hasTime = countOf("date") > 0;
  if (countOf("value") === 0 || !(hasTime || (isOfNumbers && kinds[0] !== ""))) return undefined;
  const time = kinds.indexOf("date");
  const first = kinds.findIndex((_, at) => at > time && isCandle(at));
  const clock = countOf("time") === 1 ? { clock: kinds.indexOf("time") } : {};
  return {
    names: kinds.map((kind, at) =>
      kind === "" || (kind && kind !== "number" && countOf(kind) === 1) ? kind : `${at + 1}`,
    ),
    isSure: hasTime && !kinds.includes(undefined),
    prices: first === -1 || countOf("date") !== 1 ? undefined : { first, time, ...clock },
  };
}

/** Adds columns of candles if the rows prove them, else asks. `isEndPossible`: the time may be the end of a candle. */
export function withCandleColumns(
  rows: readonly Cells[],
  { isEndPossible = false, ...places }: PricePlaces & { readonly isEndPossible?: boolean },
  options: TableOptions,
): ReadResult<TableOptions> {
  const { map, wide } = options;
  if (wide || ["value", ...CANDLE_PRICES].some((column) => map.has(column))) return ok(options);
  const found = findCandleOrder(rows, places, options);
  const time = `${places.time + 1}`;
  const isTimeOpen = found && isEndPossible && !map.has("businessTime") && !map.has("end");
  const columns = {
    ...(places.clock === undefined && !isTimeOpen && { businessTime: time }),
    ...(isTimeOpen && { end: time }),
    ...found?.columns,
  };
  if (found?.isProved && !isTimeOpen) return ok({ ...options, map: new Map([...Object.entries(columns), ...map]) });
  const cells = rows[0]!.slice(places.first, places.first + 4).join(", ");
  const reason = `its rows do not show which of these cells are open, high, low and close: ${cells}`;
  if (!found) return err({ questions: [{ set: {}, missing: "value", reason }] });
  if (!isTimeOpen) return err({ questions: [{ set: { columns }, reason }] });
  const ofCoinGecko = "its lists look like CoinGecko's, whose times are the ends of candles";
  return err({
    questions: [{ set: { columns }, otherwise: { columns: { businessTime: time } }, reason: ofCoinGecko }],
  });
}

/**
 * Finds the order of the prices of candles. High and low are a row's highest and lowest price. An open is nearer to the
 * previous close than a close is to the previous open. `isProved`: no other order fits. `undefined`: no candles.
 */
function findCandleOrder(rows: readonly Cells[], { first, time, clock }: PricePlaces, options: TableOptions) {
  const read = createTimeReader({ ...options, isZoneKnown: true, dayAtMs: 0 });
  const candles = rows.flatMap((cells) => {
    const prices = PLACES.map((at) => Number(parseNumber(String(cells[first + at] ?? ""))?.decimal));
    const start = read(timeText(cells, time, clock) ?? "");
    return prices.some(Number.isNaN) ? [] : [{ start: start.ok ? Date.parse(start.value) : NaN, prices }];
  });
  candles.sort((a, b) => a.start - b.start);
  const shareOf = (at: number, extreme: typeof Math.max): number =>
    candles.filter(({ prices }) => prices[at] === extreme(...prices)).length / candles.length;
  const high = [1, 2, 3, 0].find((at) => shareOf(at, Math.max) >= MOST);
  const low = [2, 1, 3, 0].find((at) => at !== high && shareOf(at, Math.min) >= MOST);
  if (high === undefined || low === undefined) return undefined;
  const [before = 0, after = 0] = PLACES.filter((at) => at !== high && at !== low);
  let [ahead, back, body, move] = [0, 0, 0, 0];
  for (const [at, { prices: next }] of candles.slice(1).entries()) {
    const { prices } = candles[at]!;
    ahead += Math.abs(next[before]! - prices[after]!);
    back += Math.abs(next[after]! - prices[before]!);
    body += Math.abs(prices[after]! - prices[before]!);
    move += Math.abs(next[before]! - prices[before]!);
  }
  const countAt = (cells: Cells, at: number): number => Number(parseEpoch(String(cells[at])));
  const hasEnds = rows.every((cells) => countAt(cells, first + 5) > countAt(cells, time));
  const isUsual = high === 1 && low === 2 && ahead <= back;
  const isClear = 2 * Math.min(ahead, back) < Math.max(ahead, back) && candles.every(({ start }) => start > 0);
  const isInOrder = isUsual ? isClear || hasEnds : isClear && candles.length >= MANY;
  const isProved = isInOrder && shareOf(high, Math.max) === 1 && shareOf(low, Math.min) === 1;
  // Columns of four different assets would differ more from each other than from row to row.
  if (!isProved && !(isUsual && body <= 2 * move)) return undefined;
  const [open, close] = ahead <= back ? [before, after] : [after, before];
  const places = Object.entries({ open, high, low, close, ...(hasEnds && { end: 5 }) });
  return { columns: Object.fromEntries(places.map(([name, at]) => [name, `${first + at + 1}`])), isProved };
}
