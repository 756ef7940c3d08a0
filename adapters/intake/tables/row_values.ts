import { indexesOf } from "./answers.ts";
import type { NamedAsset } from "./asset_names.ts";
import {
  CANDLE_PRICES,
  type CandleColumns,
  type CandlePrice,
  candleFault,
  candleMessage,
  candleSpan,
  candleTime,
  isOpenOutside,
} from "./candle_columns.ts";
import { timeText } from "./date_and_clock.ts";
import type { Dialect, TableOptions } from "./detect_dialect.ts";
import { GIVEN, isOwnName, type Unit, unitOfValue } from "./detect_price_unit.ts";
import type { OpenQuestion } from "./open_questions.ts";
import { isMissing, isPlainNumber, type Marks, movePoint, readNumber } from "./parse_numbers.ts";
import type { createTimeReader } from "./parse_times.ts";
import { type CellRow, type Column, type ParsedRecord, type ReadRecord, rejectedRow } from "./record_columns.ts";
import type { createRowFindings } from "./row_findings.ts";

export type MutableRecord = { -readonly [Name in Column]?: unknown };
export type Entry = Omit<ReadRecord, "record"> & { readonly record: MutableRecord };

/** A cell with a value, its place, the unit in another cell of the row, and the named asset. */
interface Value {
  readonly cell: unknown;
  readonly at: number;
  readonly unit: Unit | undefined;
  readonly asset: NamedAsset | undefined;
}

type Context = Readonly<{
  dialect: Dialect;
  findings: ReturnType<typeof createRowFindings>;
  readTime: ReturnType<typeof createTimeReader>;
  isWide: boolean;
}>;

/** A cell that begins or ends with something other than a digit. */
const OTHER_ENDS = /^[^\d\u0660-\u0669\u06f0-\u06f9]|[^\d\u0660-\u0669\u06f0-\u06f9]$/;

/** Creates the reader of the values of rows. */
export function createValueReader(
  { dialect, findings, readTime, isWide }: Context,
  options: TableOptions & { readonly isCsv: boolean },
) {
  const { ohlc, isCsv } = options;
  const { marks } = dialect;
  const { skip, ask, contradict } = findings;
  /** How to read values whose points mark fractions; in dollars, slashes may mark fractions, too. */
  const pointed: Marks = { ...marks, isPointOpen: false };
  const inDollars: Marks = { ...pointed, slash: marks.slash ?? "fraction" };
  const indexes = indexesOf(options.context);
  /** Codes in rial with a value whose point marks a fraction, and codes with a value whose point is ambiguous. */
  const [withFractions, withOpenPoints] = [new Set<unknown>(), new Set<unknown>()];

  /** Returns a record with a value, its rejection, or nothing if the value is missing. */
  function withValue(entry: Entry, { cell, at, unit: ofRow, asset }: Value): ParsedRecord | undefined {
    const { record } = entry;
    const unitOfRow = ofRow && isOwnName(ofRow, record.code) ? undefined : ofRow;
    const quote = typeof record.code === "string" && record.code.endsWith("_USD") ? "USD" : "RLS";
    const isKnown = quote === "USD" || (withFractions.size > 0 && withFractions.has(record.code));
    const inRial = isKnown ? pointed : marks;
    const mark = quote === "USD" ? inDollars : inRial;
    const isPlain = typeof cell === "string" && isPlainNumber(cell, mark);
    if (cell === null || (!isPlain && (isCsv || isWide) && (cell === undefined || isMissing(cell)))) {
      skip("withoutValue");
      return undefined;
    }
    const isOther = typeof cell === "string" && !isPlain;
    const beside = isOther && OTHER_ENDS.test(cell) ? unitOfValue(cell) : undefined;
    const number = isOther ? readNumber(beside?.rest ?? cell, mark) : undefined;
    const readDigits = number?.ok ? number.value : "";
    const digits = isPlain ? cell : readDigits;
    if (!isKnown && marks.isPointOpen && digits.includes(".")) withFractions.add(record.code);
    if (number && !number.ok) {
      const { reason, set, isContradiction } = number.error;
      if (set?.decimal === ",") withOpenPoints.add(record.code);
      if (set) ask({ set, reason });
      if (isContradiction && options.decimal === undefined) contradict(`line ${entry.line}: ${reason}`);
      return { ...rejectedRow(entry, reason), ...(set && { set }) };
    }
    const column = dialect.units[at];
    // A given unit concerns rial, so it does not apply to assets quoted in dollars or to indexes.
    const isGivenForOthers = column?.by === GIVEN && (quote === "USD" || asset?.unit?.quote === "USD");
    const stated = isGivenForOthers || indexes.has(record.code) ? undefined : column?.unit;
    const unit = beside?.unit ?? unitOfRow ?? asset?.unit ?? stated;
    const other =
      unit === stated ? undefined : [unitOfRow, asset?.unit, stated].find((one) => one && one.name !== unit?.name);
    if (unit && other) {
      const units = `in ${unit.name} and in ${other.name}`;
      contradict(`line ${entry.line}: value "${String(cell)}" is ${units}, because the file says both`);
      return rejectedRow(entry, `value is ${units}`);
    }
    if (unit && unit.quote !== quote && !isOwnName(unit, record.code))
      return rejectedRow(entry, `value is in ${unit.name}, which is not the quote unit of ${String(record.code)}`);
    const read = number ? number.value : cell;
    const places = (unit?.places ?? 0) - (asset ? Math.round(Math.log10(asset.per)) : 0);
    const isMoved = places !== 0 && (typeof read === "string" || typeof read === "number");
    if (read !== undefined) record.value = isMoved ? movePoint(read, places) : read;
    return entry;
  }

  /** Returns the record of a candle's close or, with `ohlc`, of all its prices; or a rejection of impossible prices. */
  function readCandle(
    { line, cells }: CellRow,
    { record, unit, asset }: Omit<Value, "cell" | "at"> & Pick<Entry, "record">,
    { prices, end }: CandleColumns,
  ): readonly ParsedRecord[] {
    const read = new Map<CandlePrice, MutableRecord>();
    for (const price of CANDLE_PRICES) {
      const cell = cells[prices[price]] ?? "";
      if (isMissing(cell)) continue;
      const own = { ...record };
      const found = withValue({ line, record: own }, { cell, at: prices[price], unit, asset });
      if (found && "reason" in found) return [found];
      read.set(price, own);
    }
    if (!read.has("close")) return skip("withoutValue");
    const candle = Object.fromEntries([...read].map(([price, { value }]) => [price, Number(value)]));
    const fault = candleFault(candle);
    if (fault !== undefined) return [{ line, reason: fault }];
    if (ohlc && isOpenOutside(candle)) {
      skip("opens");
      read.delete("open");
    }
    const start = Date.parse(String(record.businessTime));
    // The later check of the record rejects an invalid time and quotes it.
    if (Number.isNaN(start)) return [{ line, record: read.get("close")! }];
    const endText = end === undefined || isMissing(cells[end] ?? "") ? undefined : timeText(cells, end);
    const last = endText === undefined ? undefined : readTime(endText);
    const lastMs = last?.ok ? Date.parse(last.value) : undefined;
    if (last && !(lastMs! >= start))
      return [{ line, reason: `its candle's end "${endText!}" is not a time after its start` }];
    const span = candleSpan(start, lastMs, { ...options, zone: dialect.times.zone, widthMs: dialect.candleMs });
    return [...read].flatMap(([price, own]) => {
      if (!ohlc && price !== "close") return [];
      own.businessTime = candleTime(price, span);
      if (ohlc) own.qualityMessage ||= candleMessage(price, dialect.candleMs);
      return [{ line, record: own }];
    });
  }

  /** Suggests the decimal mark that other values of the same assets show. */
  function settle(question: OpenQuestion): OpenQuestion {
    const isFraction = question.set.decimal === "," && [...withOpenPoints].every((code) => withFractions.has(code));
    return isFraction ? { ...question, set: { decimal: "." } } : question;
  }

  return { withValue, readCandle, settle };
}
