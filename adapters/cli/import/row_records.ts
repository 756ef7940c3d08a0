import { cleanText } from "./clean_text.ts";
import type { ColumnPlan } from "./columns.ts";
import { unguardFormula } from "./csv.ts";
import type { Dialect, FormatOptions } from "./dialect.ts";
import { openNeeds } from "./needs.ts";
import type { Need, Unread } from "./needs.ts";
import { isMissing, movePoint, readNumber } from "./numbers.ts";
import type { Marks } from "./numbers.ts";
import { refuse } from "./record_columns.ts";
import type { Column, ParsedRecord, ReadRecord, RefusedRow, Row } from "./record_columns.ts";
import { createTimeReader } from "./times.ts";
import { unitOfValue, unitOfWord } from "./units.ts";
import type { Unit } from "./units.ts";

/** What was passed over, because it is no record and no mistake. */
export interface Skipped {
  /** Rows, or cells of wide tables, without a value. */
  withoutValue: number;
  /** Rows with a sum or an average. */
  totals: number;
}

/** Makes records of the rows of one table. */
export interface RowReader {
  /** Adds the records of a row to `records`: one, none, or in wide tables one for each asset. */
  read(row: Row, records: ParsedRecord[]): void;
  readonly skipped: Readonly<Skipped>;
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
}

type Entry = Omit<ReadRecord, "record"> & { readonly record: MutableRecord };
type MutableRecord = { -readonly [Name in Column]?: unknown };

const TOTAL = /^(?:grand )?(?:totals?|sum|average|mean|جمع|جمع کل|مجموع|میانگین)\s*:?$/i;
/** A cell that begins or ends with something other than a digit. */
const OTHER_ENDS = /^[^\d\u0660-\u0669\u06f0-\u06f9]|[^\d\u0660-\u0669\u06f0-\u06f9]$/;
const MAX_CACHED_TEXTS = 1_000;
const FORMULA_TEXTS: ReadonlySet<Column> = new Set(["provider", "qualityMessage"]);

/** Makes the reader of rows with these columns. `isCsv`: cells are texts, and each row must have all of them. */
export function createRowReader(plan: ColumnPlan, dialect: Dialect, options: FormatOptions & { readonly isCsv: boolean; readonly header: string }): RowReader {
  const { columns, codes, names, unitColumn } = plan;
  const { code, wide, isCsv } = options;
  const valueColumn = columns.indexOf("value");
  const marks: Readonly<Record<"RLS" | "USD", Marks>> = { RLS: { mark: dialect.decimal, isPointOpen: dialect.isPointOpen }, USD: { mark: dialect.decimal } };
  const readTime = createTimeReader({ ...options, ...(dialect.dateOrder && { dateOrder: dialect.dateOrder }) });
  const skipped: Skipped = { withoutValue: 0, totals: 0 };
  // A file has few different providers and messages.
  const texts = new Map<string, string>();
  let firstLabel: string | undefined;
  let contradiction: string | undefined;
  const needs: Need[] = [];

  function read({ line, cells }: Row, records: ParsedRecord[]): void {
    if (isCsv) {
      const first = cells.find(isFilled);
      if (first === undefined) return;
      if (TOTAL.test(String(first).trim())) return void skipped.totals++;
      if (!isWhole(cells)) return void records.push({ line, reason: `line has ${cells.length} fields, the header ${names.length}` });
    }
    const labelFault = checkLabel(cells);
    if (labelFault !== undefined) return void records.push({ line, reason: labelFault });
    const record: MutableRecord = code === undefined ? {} : { code };
    for (let at = 0; at < columns.length; at++) {
      const column = columns[at];
      if (column !== undefined && cells[at] !== undefined) record[column] = isCsv && FORMULA_TEXTS.has(column) ? readText(String(cells[at])) : cells[at];
    }
    const fault = readTimeOf("businessTime", record) ?? readTimeOf("sourceTime", record);
    if (fault) return void records.push({ line, ...fault });
    const unit = unitColumn !== undefined && typeof cells[unitColumn] === "string" ? unitOfWord(cells[unitColumn]) : undefined;
    if (!wide) return addValue({ line, record }, { cell: record.value, at: valueColumn, unit }, records);
    for (let at = 0; at < codes.length; at++) {
      const asset = codes[at];
      if (asset !== undefined) addValue({ line, record: { ...record, code: asset }, asset }, { cell: cells[at], at, unit }, records);
    }
  }

  /** A text as it was before export. A copy, as a part of a chunk of the file would keep all of that in memory. */
  function readText(cell: string): string {
    let text = texts.get(cell);
    if (text === undefined) {
      if (texts.size >= MAX_CACHED_TEXTS) texts.clear();
      const copy = Buffer.from(cell).toString();
      texts.set(copy, (text = unguardFormula(copy)));
    }
    return text;
  }

  /** Adds a record with a value, unless that is missing. */
  function addValue(entry: Entry, value: Value, records: ParsedRecord[]): void {
    const { cell, at } = value;
    if ((isCsv || wide) && (cell === undefined || cell === null || isMissing(cell))) return void skipped.withoutValue++;
    const { record } = entry;
    if (typeof record.code === "string") record.code = cleanText(record.code);
    const quote = typeof record.code === "string" && record.code.endsWith("_USD") ? "USD" : "RLS";
    const beside = typeof cell === "string" && OTHER_ENDS.test(cell) ? unitOfValue(cell) : undefined;
    const number = typeof cell === "string" ? readNumber(beside?.rest ?? cell, marks[quote]) : undefined;
    if (number && !number.ok) {
      const { reason, option, isContradiction } = number.error;
      if (option !== undefined) needs.push({ option, reason });
      if (isContradiction && options.decimal === undefined) contradiction ??= `line ${entry.line}: ${reason}`;
      return void records.push({ ...refuse(entry, reason), ...(option !== undefined && { option }) });
    }
    const stated = dialect.units[at]?.unit;
    const unit = beside?.unit ?? value.unit ?? stated;
    const other = unit === stated ? undefined : [value.unit, stated].find((said) => said && said.name !== unit?.name);
    if (unit && other) {
      contradiction ??= `line ${entry.line}: value "${String(cell)}" is in ${unit.name} and in ${other.name}, as the file says both`;
      return void records.push(refuse(entry, `value is in ${unit.name} and in ${other.name}`));
    }
    // A dollar is no unit of the dollar's price: it says what is priced.
    const isBase = unit?.quote === "USD" && String(record.code).startsWith("USD_");
    if (unit && unit.quote !== quote && !isBase) return void records.push(refuse(entry, `value is in ${unit.name}: received "${String(record.code)}"`));
    const read = number ? number.value : cell;
    const isMoved = unit !== undefined && unit.places > 0 && (typeof read === "string" || typeof read === "number");
    if (read !== undefined) record.value = isMoved ? movePoint(read, unit.places) : read;
    records.push(entry);
  }

  /** With `--code`, rows of another asset than the first row's would become prices of that code. */
  function checkLabel(cells: readonly unknown[]): string | undefined {
    const { label } = plan;
    if (label === undefined || typeof cells[label] !== "string") return undefined;
    const text = cells[label].trim();
    firstLabel ??= text;
    return text === firstLabel ? undefined : `${names[label]!} is "${text}" here and "${firstLabel}" before, and --code is for one asset`;
  }

  /** Turns a time of a record into ISO 8601; returns why it cannot. */
  function readTimeOf(column: "businessTime" | "sourceTime", record: MutableRecord): Omit<RefusedRow, "line"> | undefined {
    const text = record[column];
    if (typeof text !== "string") return undefined;
    const time = readTime(text);
    if (!time.ok) return { reason: `${column} ${time.error.reason}`, ...(time.error.need && { option: time.error.need.option }) };
    record[column] = time.value;
    return undefined;
  }

  /** Whether a row has the cells of the header; blank ones may follow, as spreadsheets add them. */
  function isWhole(cells: readonly unknown[]): boolean {
    return cells.length === names.length || (cells.length > names.length && !cells.slice(names.length).some(isFilled));
  }

  return { read, skipped, unread: () => (contradiction === undefined ? openNeeds(needs, options.header) : { reason: contradiction }) };
}
