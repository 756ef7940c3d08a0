import { cleanText } from "./clean_text.ts";
import type { ColumnPlan } from "./columns.ts";
import { unguardFormula } from "./csv.ts";
import type { Dialect, FormatOptions } from "./dialect.ts";
import { isMissing, readNumber, timesTen } from "./numbers.ts";
import { refuse } from "./record_columns.ts";
import type { Column, ParsedRecord, ReadRecord, RefusedRow, Row } from "./record_columns.ts";
import { createTimeReader } from "./times.ts";

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
}

function isFilled(cell: unknown): boolean {
  return typeof cell === "string" && cell.trim() !== "";
}

type MutableRecord = { -readonly [Name in Column]?: unknown };

const TOTAL = /^(?:grand )?(?:totals?|sum|average|mean|جمع|جمع کل|مجموع|میانگین)\s*:?$/i;
const MAX_CACHED_TEXTS = 1_000;
const FORMULA_TEXTS: ReadonlySet<Column> = new Set(["provider", "qualityMessage"]);

/** Makes the reader of rows with these columns. `isCsv`: cells are texts, and each row must have all of them. */
export function createRowReader(plan: ColumnPlan, dialect: Dialect, options: FormatOptions & { readonly isCsv: boolean }): RowReader {
  const { columns, codes, names } = plan;
  const { code, wide, unit, isCsv } = options;
  const readTime = createTimeReader({ ...options, ...(dialect.dateOrder && { dateOrder: dialect.dateOrder }) });
  const skipped: Skipped = { withoutValue: 0, totals: 0 };
  // A file has few different providers and messages.
  const texts = new Map<string, string>();
  let firstLabel: string | undefined;

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
    if (!wide) return addValue({ line, record }, record.value, records);
    for (let at = 0; at < codes.length; at++) {
      const asset = codes[at];
      if (asset !== undefined) addValue({ line, record: { ...record, code: asset }, asset }, cells[at], records);
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

  function addValue(entry: Omit<ReadRecord, "record"> & { readonly record: MutableRecord }, cell: unknown, records: ParsedRecord[]): void {
    if ((isCsv || wide) && (cell === undefined || cell === null || isMissing(cell))) return void skipped.withoutValue++;
    const { record } = entry;
    const number = typeof cell === "string" ? readNumber(cell, dialect.decimal) : undefined;
    if (number && !number.ok) return void records.push({ ...number.error, ...refuse(entry, number.error.reason) });
    const value = number ? number.value : cell;
    if (typeof record.code === "string") record.code = cleanText(record.code);
    const isToman = unit === "toman" && (typeof value === "string" || typeof value === "number");
    if (isToman && typeof record.code === "string" && !record.code.endsWith("_RLS")) {
      return void records.push(refuse(entry, `--unit toman is for codes that end in _RLS: received "${record.code}"`));
    }
    if (value !== undefined) record.value = isToman ? timesTen(value) : value;
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

  return { read, skipped };
}
