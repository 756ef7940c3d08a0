import { unguardFormula, utf8 } from "../../../core/internal.ts";
import { assetOf, type NamedAsset } from "./asset_names.ts";
import { cleanText, nameKey } from "./clean_text.ts";
import { timeText } from "./date_and_clock.ts";
import type { Dialect, TableOptions } from "./detect_dialect.ts";
import { UNIT_ANSWERS, type Unit, unitOfWord, unitsOfTitle } from "./detect_price_unit.ts";
import { watchColumns } from "./distinguishing_columns.ts";
import { isTitleOfOther } from "./find_mentioned_assets.ts";
import { otherCurrencyOf } from "./find_other_currency.ts";
import { isOtherUnit } from "./name_codes.ts";
import type { Unread } from "./open_questions.ts";
import { createTimeReader } from "./parse_times.ts";
import type { ColumnPlan } from "./plan_columns.ts";
import type { CellRow, Cells, Column, ParsedRecord } from "./record_columns.ts";
import { createRowFindings } from "./row_findings.ts";
import { createValueReader, type Entry, type MutableRecord } from "./row_values.ts";
import { textOf } from "./utf8_text.ts";
import { isSpan } from "./written_time.ts";

/** Reads records from the rows of one table. */
export type RowReader = ReturnType<typeof createRowReader>;

/** A note has a star, a colon, or several words. A single word may be the end of a truncated file. */
const NOTE = /^[*#]|:|\S\s+\S+\s+\S/;
/** A sum or an average, and its subject, as in `میانگین تیر` and `Total 2025`. */
const TOTAL = /^(?:grand |sub-?)?(?:totals?|sum|average|mean|جمع کل|جمع|مجموع|میانگین)(?![^ :])(.*)$/i;
const MAX_CACHED_TEXTS = 1_000;
const FORMULA_TEXTS: ReadonlySet<Column> = new Set(["provider", "qualityMessage"]);

function isFilled(cell: unknown): boolean {
  return typeof cell === "string" && cell.trim() !== "";
}

/** Whether a row has the wanted texts. */
export function isWanted(cells: Cells, { where }: ColumnPlan): boolean {
  return where.every(([at, key]) => nameKey(String(cells[at] ?? "")) === key);
}

/** The text of a row that is only a note: a single cell with words, as found below tables. */
export function noteOf(cells: Cells): string | undefined {
  if (isFilled(cells[0]) && isFilled(cells[1])) return undefined; // Most rows return here.
  const at = cells.findIndex(isFilled);
  if (at === -1 || cells.some((cell, other) => other > at && isFilled(cell))) return undefined;
  const text = String(cells[at]).trim();
  return NOTE.test(text) && !/\p{Nd}/u.test(text) ? text : undefined;
}

/** Creates the reader of rows with these columns. With `isCsv`, cells are texts, and each row must be complete. */
export function createRowReader(
  plan: ColumnPlan,
  dialect: Dialect,
  options: TableOptions & { readonly isCsv: boolean; readonly header: string },
) {
  const { columns, codes, names, unitColumn, service, isWide } = plan;
  const { code, isCsv } = options;
  const distinguishing = watchColumns(plan);
  const assetsByPlace = codes.flatMap((asset, at) => (asset === undefined ? [] : [[at, asset] as const]));
  const [valueColumn, timeColumn] = [columns.indexOf("value"), columns.indexOf("businessTime")];
  const timeKey = nameKey(names[timeColumn] ?? "");
  const readTime = createTimeReader({ ...dialect.times, ...(plan.candle && { dayAtMs: 0 }) });
  const findings = createRowFindings(options.header);
  const { skipped, skip, ask, contradict } = findings;
  const { withValue, readCandle, settle } = createValueReader({ dialect, findings, readTime, isWide }, options);
  // Providers and messages are kept here, because a file has few different ones.
  const texts = new Map<string, string>();
  let firstLabel: string | undefined;
  let hasWanted = false;
  let noteOfUnit: string | undefined;

  /** Returns the records of a row: at most one or, in wide tables and of candles, several. */
  function read({ line, cells }: CellRow): readonly ParsedRecord[] {
    if (isCsv) {
      const first = cells.find(isFilled);
      if (first === undefined) return [];
      const [, span] = TOTAL.exec(String(first).trim()) ?? [];
      if (span !== undefined && isSpan(span)) return skip("totals");
      if (code !== undefined && isTitleOfOther(cells, { code, names: options.names })) {
        const title = `line ${line} is the title "${String(first).trim()}" of a second table`;
        contradict(`${title}, and ${code} was given for all rows: save each table in a separate file`);
      }
      const note = noteOf(cells);
      if (note !== undefined) {
        checkNote(line, note);
        return [];
      }
      if (noteOfUnit !== undefined) contradict(`${noteOfUnit} between its rows: save each part in a separate file`);
      if (!isWhole(cells)) return [{ line, reason: `line has ${cells.length} fields, the header ${names.length}` }];
      if (isHeader(cells)) {
        if (cells.every((cell, at) => nameKey(String(cell)) === nameKey(names[at] ?? ""))) return [];
        contradict(`line ${line} is the header of a second table: save each table in a separate file`);
      }
    }
    if (!isWanted(cells, plan)) return skip("unwanted");
    hasWanted = true;
    distinguishing.see(line, cells);
    const labelFault = checkLabel(cells);
    if (labelFault !== undefined) return [{ line, reason: labelFault }];
    const record = recordOf(cells);
    const entry: Entry = { line, record };
    const fault = readTimeOf("businessTime", entry) ?? readTimeOf("sourceTime", entry);
    if (fault) return [{ line, ...fault }];
    const unitText = unitColumn !== undefined && typeof cells[unitColumn] === "string" ? cells[unitColumn] : "";
    const unit = unitText === "" ? undefined : unitOfWord(unitText);
    if (isWide) {
      const records: ParsedRecord[] = [];
      for (const [at, asset] of assetsByPlace) {
        const own = { line, record: { ...record, code: asset }, asset };
        const found = withValue(own, { cell: cells[at], at, unit, asset: plan.assets[at] });
        if (found) records.push(found);
      }
      return records;
    }
    const quoteUnit = unit ?? dialect.units[valueColumn]?.unit;
    const asset = code === undefined ? readCode(record, cells, quoteUnit) : plan.assets[valueColumn];
    if (code === undefined && asset?.question) return [{ line, ...asset.question }];
    if (unitText !== "" && unit === undefined && isOtherUnit(unitText, String(record.code), options.names))
      return [{ line, reason: `value is in "${unitText}", which is neither rial nor toman nor US dollars` }];
    if (plan.candle) return readCandle({ line, cells }, { record, unit, asset }, plan.candle);
    const found = withValue(entry, { cell: record.value, at: valueColumn, unit, asset });
    return found ? [found] : [];
  }

  function recordOf(cells: Cells): MutableRecord {
    const record: MutableRecord = code === undefined ? {} : { code };
    for (let at = 0; at < columns.length; at++) {
      const column = columns[at];
      if (column === "businessTime" && plan.clock !== undefined) record[column] = timeText(cells, at, plan.clock);
      else if (column !== undefined && cells[at] !== undefined)
        record[column] = isCsv && FORMULA_TEXTS.has(column) ? readText(String(cells[at])) : cells[at];
    }
    return record;
  }

  /** Checks a note against the unit of values. */
  function checkNote(line: number, note: string): void {
    const codesHere = code === undefined ? codes.flatMap((one) => one ?? []) : [code];
    const currency = otherCurrencyOf({ names: options.names, titles: [], beside: [note], codes: codesHere, code });
    if (currency !== undefined) contradict(currency);
    const units = unitsOfTitle(note).map(({ name }) => name);
    const inForce = columns.flatMap((column, at) =>
      column === "value" || codes[at]?.endsWith("_RLS") ? (dialect.units[at]?.unit.name ?? "rial") : [],
    );
    if (units.length === 0 || unitColumn !== undefined || dialect.hasUnits) return;
    if (inForce.every((name) => units.includes(name))) return;
    noteOfUnit ??= `line ${line} says "${note}"`;
    const unit = UNIT_ANSWERS.find((answer) => answer === units[0]);
    // If there is no price in rial, or the unit is stated or given, no answer can fix the contradiction.
    if (!unit || code?.endsWith("_USD") || dialect.units.some((one) => one !== undefined))
      contradict(`${noteOfUnit}, and values are read in another unit`);
    else ask({ set: { unit }, reason: noteOfUnit });
  }

  /** Whether a row repeats the name of the column of times. */
  function isHeader(cells: Cells): boolean {
    const cell = cells[timeColumn];
    return typeof cell === "string" && !/\p{Nd}/u.test(cell) && nameKey(cell) === timeKey;
  }

  /** Removes the apostrophe that exports put first. Copies texts, as substrings would keep whole chunks in memory. */
  function readText(cell: string): string {
    let text = texts.get(cell);
    if (text === undefined) {
      if (texts.size >= MAX_CACHED_TEXTS) texts.clear();
      const copy = textOf(utf8(cell)) ?? cell;
      texts.set(copy, (text = unguardFormula(copy)));
    }
    return text;
  }

  /** Sets a record's code to that of the named asset. Returns the asset, unless the cell contains the code itself. */
  function readCode(record: MutableRecord, cells: Cells, unit: Unit | undefined): NamedAsset | undefined {
    if (typeof record.code !== "string") return undefined;
    const other = plan.label === undefined ? undefined : cells[plan.label];
    const [own] = options.names.find(record.code, service).codes;
    if (other === undefined && own === record.code) return void (record.code = own); // A substring is a slow map key.
    const text = (record.code = cleanText(record.code));
    const asset = assetOf(text, { names: options.names, service, quote: unit?.quote });
    if (!asset) return undefined;
    if (asset.question) ask(asset.question);
    record.code = asset.code;
    // The asset's other name may state a count, such as `10 Japanese Yen` beside `JPY`.
    const named = typeof other === "string" && asset.per === 1 ? options.names.find(other, service) : undefined;
    return named?.codes.some((one) => one === asset.code) ? { ...asset, per: named.per } : asset;
  }

  /** If one code is given for all rows, each row must have the same label as the first row. */
  function checkLabel(cells: Cells): string | undefined {
    const { label } = plan;
    if (code === undefined || label === undefined || typeof cells[label] !== "string") return undefined;
    const text = cells[label].trim();
    firstLabel ??= text;
    if (text === firstLabel) return undefined;
    return `${names[label]!} is "${text}" here and "${firstLabel}" before, and one asset was given for all rows`;
  }

  /** Turns a time of a record into ISO 8601, or returns why it cannot be read. */
  function readTimeOf(column: "businessTime" | "sourceTime", { line, record }: Entry) {
    const cell = record[column];
    const text = typeof cell === "number" ? String(cell) : cell; // In JSON, a count may be a number.
    if (typeof text !== "string") return undefined;
    const time = readTime(text);
    if (!time.ok) {
      const { reason, set, missing, isContradiction } = time.error;
      if (set) ask({ set, reason, ...(missing && { missing }) });
      if (isContradiction && (options.dateOrder === undefined || dialect.times.year !== undefined))
        contradict(`line ${line}: ${reason}`);
      return { reason: `${column} ${reason}`, ...(set && { set }) };
    }
    record[column] = time.value;
    return undefined;
  }

  /** Whether a row has all cells of the header. Spreadsheets add blank cells. */
  function isWhole(cells: Cells): boolean {
    return cells.length === names.length || (cells.length > names.length && !cells.slice(names.length).some(isFilled));
  }

  return {
    read,
    skipped,
    distinguishing,
    /** Why no record of the file may be stored, according to the rows so far. */
    unread(): Unread | undefined {
      const unread = findings.unread(settle);
      if ((unread && "reason" in unread) || skipped.unwanted === 0 || hasWanted) return unread;
      const wanted = [...options.where].map(([name, text]) => `"${text}" in its column "${name}"`);
      return { reason: `no row has ${wanted.join(" and ")}` };
    },
  };
}
