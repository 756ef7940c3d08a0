import { unguardFormula, utf8 } from "../../../core/internal.ts";
import { indexesOf } from "./answers.ts";
import { assetOf, type NamedAsset } from "./asset_names.ts";
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
import { cleanText, nameKey } from "./clean_text.ts";
import { timeText } from "./date_and_clock.ts";
import type { Dialect, TableOptions } from "./detect_dialect.ts";
import { GIVEN, UNIT_ANSWERS, type Unit, unitOfValue, unitOfWord, unitsOfTitle } from "./detect_price_unit.ts";
import { type DistinguishingColumns, watchColumns } from "./distinguishing_columns.ts";
import { isTitleOfOther } from "./find_mentioned_assets.ts";
import { otherCurrencyOf } from "./find_other_currency.ts";
import { isOtherUnit } from "./name_codes.ts";
import { type OpenQuestion, openQuestionsOf, type Unread } from "./open_questions.ts";
import { isMissing, isPlainNumber, type Marks, movePoint, readNumber } from "./parse_numbers.ts";
import { createTimeReader } from "./parse_times.ts";
import type { ColumnPlan } from "./plan_columns.ts";
import {
  type CellRow,
  type Column,
  type ParsedRecord,
  type ReadRecord,
  type RejectedRow,
  rejectedRow,
} from "./record_columns.ts";
import { textOf } from "./utf8_text.ts";
import { isSpan } from "./written_time.ts";

/** What was passed over, because it is no record and no mistake. */
export interface Skipped {
  /** Rows, or cells of wide tables, without a value. */
  withoutValue: number;
  /** Rows with a sum or an average. */
  totals: number;
  /** Opens outside high and low, which are not stored. */
  opens: number;
  /** Rows that are not among those that are wanted. */
  unwanted: number;
}

/** Makes records of the rows of one table. */
export interface RowReader {
  /** Adds the records of a row to `records`: one, none, or in wide tables one for each asset. */
  read(row: CellRow, records: ParsedRecord[]): void;
  readonly skipped: Readonly<Skipped>;
  readonly distinguishing: DistinguishingColumns;
  /** Why nothing of the file is to be stored, as far as its rows have shown it. */
  unread(): Unread | undefined;
}

function isFilled(cell: unknown): boolean {
  return typeof cell === "string" && cell.trim() !== "";
}

/** A cell with a value, its place, and the unit that another cell of the row says. */
interface Value {
  readonly cell: unknown;
  readonly at: number;
  readonly unit: Unit | undefined;
  /** The asset as the table names it. */
  readonly asset: NamedAsset | undefined;
}

type Entry = Omit<ReadRecord, "record"> & { readonly record: MutableRecord };
type MutableRecord = { -readonly [Name in Column]?: unknown };

/** A star or a colon, or several words: half a name may be the end of a file that is cut. */
const NOTE = /^[*#]|:|\S\s+\S+\s+\S/;
/** A sum or an average, and what it is of: `میانگین تیر`, `Total 2025`. */
const TOTAL = /^(?:grand |sub-?)?(?:totals?|sum|average|mean|جمع کل|جمع|مجموع|میانگین)(?![^ :])(.*)$/i;
/** A cell that begins or ends with something other than a digit. */
const OTHER_ENDS = /^[^\d\u0660-\u0669\u06f0-\u06f9]|[^\d\u0660-\u0669\u06f0-\u06f9]$/;
const MAX_CACHED_TEXTS = 1_000;
const FORMULA_TEXTS: ReadonlySet<Column> = new Set(["provider", "qualityMessage"]);

/** Whether a row has the texts of the answers. */
export function isWanted(cells: readonly unknown[], { where }: ColumnPlan): boolean {
  return where.every(([at, key]) => nameKey(String(cells[at] ?? "")) === key);
}

/** A row that is no more than a note: one cell of words, as files have them below their tables. */
export function noteOf(cells: readonly unknown[]): string | undefined {
  if (isFilled(cells[0]) && isFilled(cells[1])) return undefined; // As most rows are.
  const at = cells.findIndex(isFilled);
  if (at === -1 || cells.some((cell, other) => other > at && isFilled(cell))) return undefined;
  const text = String(cells[at]).trim();
  return NOTE.test(text) && !/\p{Nd}/u.test(text) ? text : undefined;
}

/** Makes the reader of rows with these columns. `isCsv`: cells are texts, and each row must have all of them. */
export function createRowReader(
  plan: ColumnPlan,
  dialect: Dialect,
  options: TableOptions & { readonly isCsv: boolean; readonly header: string },
): RowReader {
  const { columns, codes, names, unitColumn, service, isWide } = plan;
  const { code, ohlc, isCsv } = options;
  const distinguishing = watchColumns(plan);
  const [valueColumn, timeColumn] = [columns.indexOf("value"), columns.indexOf("businessTime")];
  const timeKey = nameKey(names[timeColumn] ?? "");
  const marks = dialect.marks;
  /** Where values have shown that points mark a fraction; and in dollars, where slashes do, too. */
  const pointed: Marks = { ...marks, isPointOpen: false };
  const inDollars: Marks = { ...pointed, slash: marks.slash ?? "fraction" };
  const readTime = createTimeReader({ ...dialect.times, ...(plan.candle && { dayAtMs: 0 }) });
  const skipped: Skipped = { withoutValue: 0, totals: 0, opens: 0, unwanted: 0 };
  const indexes = indexesOf(options.context);
  // A file has few different providers and messages.
  const texts = new Map<string, string>();
  let firstLabel: string | undefined;
  let hasWanted = false;
  let contradiction: string | undefined;
  let noteOfUnit: string | undefined;
  /** What rows leave open, each answer once: a million rows may ask the same. */
  const questions = new Map<string, OpenQuestion>();
  /** Codes in rial whose values show that a point marks their fraction, and those with a value of which that is open. */
  const [withFractions, withOpenPoints] = [new Set<unknown>(), new Set<unknown>()];

  function ask(question: OpenQuestion): void {
    const key = JSON.stringify([question.set, question.missing]);
    if (!questions.has(key)) questions.set(key, question);
  }

  function read({ line, cells }: CellRow, records: ParsedRecord[]): void {
    if (isCsv) {
      const first = cells.find(isFilled);
      if (first === undefined) return;
      const [, span] = TOTAL.exec(String(first).trim()) ?? [];
      if (span !== undefined && isSpan(span)) return void skipped.totals++;
      if (code !== undefined && isTitleOfOther(cells, { code, names: options.names })) {
        contradiction ??= `line ${line} is the title "${String(first).trim()}" of a second table, and ${code} was given for all rows: save each table as a file of its own`;
      }
      const note = noteOf(cells);
      if (note !== undefined) return void readNote(line, note);
      if (noteOfUnit !== undefined)
        contradiction ??= `${noteOfUnit} between its rows: save each table as a file of its own`;
      if (!isWhole(cells))
        return void records.push({ line, reason: `line has ${cells.length} fields, the header ${names.length}` });
      if (isHeader(cells)) {
        if (cells.every((cell, at) => nameKey(String(cell)) === nameKey(names[at] ?? ""))) return;
        contradiction ??= `line ${line} is the header of a second table: save each table as a file of its own`;
      }
    }
    if (!isWanted(cells, plan)) return void skipped.unwanted++;
    hasWanted = true;
    distinguishing.see(line, cells);
    const labelFault = checkLabel(cells);
    if (labelFault !== undefined) return void records.push({ line, reason: labelFault });
    const record: MutableRecord = code === undefined ? {} : { code };
    for (let at = 0; at < columns.length; at++) {
      const column = columns[at];
      if (column === "businessTime" && plan.clock !== undefined) record[column] = timeText(cells, at, plan.clock);
      else if (column !== undefined && cells[at] !== undefined)
        record[column] = isCsv && FORMULA_TEXTS.has(column) ? readText(String(cells[at])) : cells[at];
    }
    const entry: Entry = { line, record };
    const fault = readTimeOf("businessTime", entry) ?? readTimeOf("sourceTime", entry);
    if (fault) return void records.push({ line, ...fault });
    const said = unitColumn !== undefined && typeof cells[unitColumn] === "string" ? cells[unitColumn] : "";
    const unit = said === "" ? undefined : unitOfWord(said);
    if (!isWide) {
      const asset =
        code === undefined
          ? readCode(record, cells, unit ?? dialect.units[valueColumn]?.unit)
          : plan.assets[valueColumn];
      if (code === undefined && asset?.question) return void records.push({ line, ...asset.question });
      const isOther = said !== "" && unit === undefined && isOtherUnit(said, String(record.code), options.names);
      if (isOther)
        return void records.push({
          line,
          reason: `value is in "${said}", which is neither rial nor toman nor US dollars`,
        });
      if (plan.candle) return void records.push(...readCandle({ line, cells }, { record, unit, asset }, plan.candle));
      addValue(entry, { cell: record.value, at: valueColumn, unit, asset }, records);
      return;
    }
    for (let at = 0; at < codes.length; at++) {
      const asset = codes[at];
      if (asset !== undefined)
        addValue(
          { line, record: { ...record, code: asset }, asset },
          { cell: cells[at], at, unit, asset: plan.assets[at] },
          records,
        );
    }
  }

  /** Asks about a note that says another unit than the one in which values are read. */
  function readNote(line: number, note: string): void {
    const codesHere = code === undefined ? codes.flatMap((one) => one ?? []) : [code];
    contradiction ??= otherCurrencyOf({ names: options.names, titles: [], beside: [note], codes: codesHere, code });
    const units = unitsOfTitle(note).map(({ name }) => name);
    const inForce = columns.flatMap((column, at) =>
      column === "value" || codes[at]?.endsWith("_RLS") ? (dialect.units[at]?.unit.name ?? "rial") : [],
    );
    if (units.length === 0 || unitColumn !== undefined || dialect.hasUnits) return;
    if (inForce.every((name) => units.includes(name))) return;
    noteOfUnit ??= `line ${line} says "${note}"`;
    const unit = UNIT_ANSWERS.find((answer) => answer === units[0]);
    // Where a unit was stated or given, or there is no price in rial, no answer mends it.
    const isContrary = !unit || code?.endsWith("_USD") || dialect.units.some((one) => one !== undefined);
    if (isContrary) contradiction ??= `${noteOfUnit}, and values are read in another unit`;
    else ask({ set: { unit }, reason: noteOfUnit });
  }

  /** Whether a row names the column of times again. */
  function isHeader(cells: readonly unknown[]): boolean {
    const cell = cells[timeColumn];
    return typeof cell === "string" && !/\p{Nd}/u.test(cell) && nameKey(cell) === timeKey;
  }

  /** A text as it was before export. A copy, as a part of a chunk of the file would keep all of that in memory. */
  function readText(cell: string): string {
    let text = texts.get(cell);
    if (text === undefined) {
      if (texts.size >= MAX_CACHED_TEXTS) texts.clear();
      const copy = textOf(utf8(cell)) ?? cell;
      texts.set(copy, (text = unguardFormula(copy)));
    }
    return text;
  }

  /** Gives a record the code of the asset that it names. Most have a code of the catalog, which tells nothing more. */
  function readCode(record: MutableRecord, cells: readonly unknown[], unit: Unit | undefined): NamedAsset | undefined {
    if (typeof record.code !== "string") return undefined;
    const other = plan.label === undefined ? undefined : cells[plan.label];
    const {
      codes: [own],
    } = options.names.find(record.code, service);
    if (other === undefined && own === record.code) return void (record.code = own); // The catalog's text, as a part of a chunk is slower to look up.
    const text = (record.code = cleanText(record.code));
    const asset = assetOf(text, { names: options.names, service, quote: unit?.quote });
    if (!asset) return undefined;
    if (asset.question) ask(asset.question);
    record.code = asset.code;
    // The asset's other name may say how many a value is for: `10 Japanese Yen` beside `JPY`.
    const named = typeof other === "string" && asset.per === 1 ? options.names.find(other, service) : undefined;
    return named?.codes.some((one) => one === asset.code) ? { ...asset, per: named.per } : asset;
  }

  /** Adds a record with a value, unless that is missing. */
  function addValue(entry: Entry, value: Value, records: ParsedRecord[]): void {
    const { cell, at, asset } = value;
    const { record } = entry;
    const quote = typeof record.code === "string" && record.code.endsWith("_USD") ? "USD" : "RLS";
    const isKnown = quote === "USD" || (withFractions.size > 0 && withFractions.has(record.code));
    const inRial = isKnown ? pointed : marks;
    const mark = quote === "USD" ? inDollars : inRial;
    const isPlain = typeof cell === "string" && isPlainNumber(cell, mark);
    if (cell === null || (!isPlain && (isCsv || isWide) && (cell === undefined || isMissing(cell))))
      return void skipped.withoutValue++;
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
      if (isContradiction && options.decimal === undefined) contradiction ??= `line ${entry.line}: ${reason}`;
      return void records.push({ ...rejectedRow(entry, reason), ...(set && { set }) });
    }
    const column = dialect.units[at];
    // The unit that is given is about rial: what is quoted in dollars, by its code or its name, is none of that. An index has none.
    const isGivenForOthers = column?.by === GIVEN && (quote === "USD" || asset?.unit?.quote === "USD");
    const stated = isGivenForOthers || indexes.has(record.code) ? undefined : column?.unit;
    const unit = beside?.unit ?? value.unit ?? asset?.unit ?? stated;
    const other =
      unit === stated ? undefined : [value.unit, asset?.unit, stated].find((said) => said && said.name !== unit?.name);
    if (unit && other) {
      contradiction ??= `line ${entry.line}: value "${String(cell)}" is in ${unit.name} and in ${other.name}, as the file says both`;
      return void records.push(rejectedRow(entry, `value is in ${unit.name} and in ${other.name}`));
    }
    // A dollar is no unit of the dollar's price, nor a euro of the euro's: it says what is priced.
    const isBase = unit && String(record.code).startsWith(`${unit.quote}_`);
    if (unit && unit.quote !== quote && !isBase)
      return void records.push(rejectedRow(entry, `value is in ${unit.name}: received "${String(record.code)}"`));
    const read = number ? number.value : cell;
    const places = (unit?.places ?? 0) - (asset ? Math.round(Math.log10(asset.per)) : 0);
    if (read !== undefined)
      record.value =
        places !== 0 && (typeof read === "string" || typeof read === "number") ? movePoint(read, places) : read;
    records.push(entry);
  }

  /** The record of a candle's close, or those of all its prices, if these can be of one candle. */
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
      const found: ParsedRecord[] = [];
      addValue({ line, record: own }, { cell, at: prices[price], unit, asset }, found);
      if ("reason" in found[0]!) return found;
      read.set(price, own);
    }
    if (!read.has("close")) {
      skipped.withoutValue++;
      return [];
    }
    const candle = Object.fromEntries([...read].map(([price, { value }]) => [price, Number(value)]));
    const fault = candleFault(candle);
    if (fault !== undefined) return [{ line, reason: fault }];
    if (ohlc && isOpenOutside(candle)) {
      skipped.opens++;
      read.delete("open");
    }
    const start = Date.parse(String(record.businessTime));
    // What is no time is refused when it is checked, in words that quote it.
    if (Number.isNaN(start)) return [{ line, record: read.get("close")! }];
    const endText = end === undefined || isMissing(cells[end] ?? "") ? undefined : timeText(cells, end);
    const last = endText === undefined ? undefined : readTime(endText);
    const lastMs = last?.ok ? Date.parse(last.value) : undefined;
    if (last && !(lastMs! >= start))
      return [{ line, reason: `its candle's end "${endText!}" is not a time after its start` }];
    const span = candleSpan(start, lastMs, {
      ...options,
      zone: dialect.times.zone,
      widthMs: dialect.candleMs,
    });
    return [...read].flatMap(([price, own]) => {
      if (!ohlc && price !== "close") return [];
      own.businessTime = candleTime(price, span);
      if (ohlc) own.qualityMessage ||= candleMessage(price, dialect.candleMs);
      return [{ line, record: own }];
    });
  }

  /** With a code for all rows, those of another asset than the first row's would become prices of that code. */
  function checkLabel(cells: readonly unknown[]): string | undefined {
    const { label } = plan;
    if (code === undefined || label === undefined || typeof cells[label] !== "string") return undefined;
    const text = cells[label].trim();
    firstLabel ??= text;
    return text === firstLabel
      ? undefined
      : `${names[label]!} is "${text}" here and "${firstLabel}" before, and one asset was given for all rows`;
  }

  /** Turns a time of a record into ISO 8601; returns why it cannot. */
  function readTimeOf(
    column: "businessTime" | "sourceTime",
    { line, record }: Entry,
  ): Omit<RejectedRow, "line"> | undefined {
    const cell = record[column];
    const text = typeof cell === "number" ? String(cell) : cell; // JSON has counts as numbers.
    if (typeof text !== "string") return undefined;
    const time = readTime(text);
    if (!time.ok) {
      const { reason, set, missing, isContradiction } = time.error;
      if (set) ask({ set, reason, ...(missing && { missing }) });
      if (isContradiction && (options.dateOrder === undefined || dialect.times.year !== undefined))
        contradiction ??= `line ${line}: ${reason}`;
      return { reason: `${column} ${reason}`, ...(set && { set }) };
    }
    record[column] = time.value;
    return undefined;
  }

  /** Whether a row has the cells of the header; blank ones may follow, as spreadsheets add them. */
  function isWhole(cells: readonly unknown[]): boolean {
    return cells.length === names.length || (cells.length > names.length && !cells.slice(names.length).some(isFilled));
  }

  /** What rows leave open, with the decimal mark that the rest of the file has. */
  function openRows(): Unread | undefined {
    if (skipped.unwanted > 0 && !hasWanted)
      return {
        reason: `no row has ${[...options.where].map(([name, text]) => `"${text}" in its column "${name}"`).join(" and ")}`,
      };
    const isFraction = [...withOpenPoints].every((code) => withFractions.has(code));
    return openQuestionsOf(
      Array.from(questions.values(), (question) =>
        question.set.decimal === "," && isFraction ? { ...question, set: { decimal: "." } as const } : question,
      ),
      options.header,
    );
  }

  return {
    read,
    skipped,
    distinguishing,
    unread: () => (contradiction === undefined ? openRows() : { reason: contradiction }),
  };
}
