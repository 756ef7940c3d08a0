import { ok } from "../../../core/internal.ts";
import { createCsvRows } from "./csv_rows.ts";
import { joinDateParts } from "./date_and_clock.ts";
import { describeReading, type Layout } from "./describe_reading.ts";
import { findDialect, type TableKind, type TableOptions } from "./detect_dialect.ts";
import { unitOfWord } from "./detect_price_unit.ts";
import type { DistinguishingColumns } from "./distinguishing_columns.ts";
import { karatColumn, withKarat } from "./gold_karats.ts";
import { withGuesses } from "./guess_columns.ts";
import { createJsonRows, type JsonItem, namesOf } from "./json_rows.ts";
import { nameCodes } from "./name_codes.ts";
import { lacksPrices, openQuestionsOf, type ReadResult, type Unread, unread, unreadBecause } from "./open_questions.ts";
import { type ColumnPlan, planColumns } from "./plan_columns.ts";
import { type CellRow, COLUMNS, type ParsedRecord, type RejectedRow } from "./record_columns.ts";
import { createRowReader, isWanted, noteOf, type RowReader, type Skipped } from "./row_records.ts";
import type { SplitLine } from "./split_lines.ts";
import { findQuantity } from "./total_prices.ts";
import { chatInWords, noteInWords, pivotInWords, treeInWords } from "./unreadable_shapes.ts";

/** Reads records of one file, whose layout is known, item by item: lines, or objects. */
export interface TableReader<Item> {
  /** Reads the next item of the file; adds the records that it completes. */
  read(item: Item, records: ParsedRecord[]): void;
  /** Adds the records that the end of the file completes. */
  end(records: ParsedRecord[]): void;
  /** How the file is read, in words; `undefined` for the plain import format. */
  readonly reading: string | undefined;
  /** Names of the file's columns that are not part of the import format, each once. */
  ignored(): readonly string[];
  readonly skipped: Readonly<Skipped>;
  /** The columns that may tell prices apart. */
  readonly distinguishing: DistinguishingColumns;
  /** Whether the file says its unit itself, which no answer changes. */
  readonly saysUnit: boolean;
  /** Why nothing of the file is to be stored, as far as its rows have shown it. */
  unread(): Unread | undefined;
  /** The layout and the names of the columns. */
  readonly header: string;
}

/** The header of a CSV table, as it was found. */
export interface CsvHeader {
  readonly layout: Layout;
  readonly separator: string;
  /** The line that holds the header. */
  readonly number: number;
  readonly text: string;
  readonly plan: ColumnPlan;
  /** The lines above it. */
  readonly titles: readonly string[];
}

const MAX_IGNORED = 100;
const MAX_SAMPLE_CELLS = 2_000_000;
/** Makes the table of a CSV file. `sample` are the lines after the header. */
export function createCsvTable(
  header: CsvHeader,
  sample: readonly SplitLine[],
  options: TableOptions,
): ReadResult<TableReader<SplitLine>> {
  const { separator, layout, titles } = header;
  const first = createCsvRows(separator, header.text);
  const rows: (CellRow | RejectedRow)[] = [];
  for (const line of sample.slice(0, Math.ceil(MAX_SAMPLE_CELLS / header.plan.names.length))) first.read(line, rows);
  const withDate = dateJoiner(header.plan, options);
  // The next day's file has another day, and the same header.
  const given = header.plan.names.filter((name) => options.day === undefined || name !== header.plan.dateParts?.name);
  const isRow = (row: CellRow | RejectedRow): row is CellRow => "cells" in row && noteOf(row.cells) === undefined;
  const below = rows.slice(rows.findLastIndex((row) => !("cells" in row) || isRow(row)) + 1);
  const sampled = rows.filter(isRow).map((row) => withDate(row).cells);
  const opened = openRows(
    header.plan,
    sampled,
    {
      ...{ layout, titles, headerLine: header.number, names: given, isCsv: true },
      beside: below.flatMap((row) => ("cells" in row ? (noteOf(row.cells) ?? []) : [])),
      reasonFor: (_, { names }) => pivotInWords(names),
    },
    options,
  );
  if (!opened.ok) return opened;
  const { reader, withAsset, facts } = opened.value;
  const splitter = createCsvRows(separator, header.text);
  const completed: (CellRow | RejectedRow)[] = [];

  function takeCompleted(records: ParsedRecord[]): void {
    for (const row of completed) {
      if ("cells" in row) reader.read(withAsset(withDate(row)), records);
      else records.push(row);
    }
    completed.length = 0;
  }

  return ok({
    read(line, records) {
      splitter.read(line, completed);
      takeCompleted(records);
    },
    end(records) {
      splitter.end(completed);
      takeCompleted(records);
    },
    ...facts,
  });
}

/** Puts the time of a row into its cell where that is made of several, or of the day that the caller gives. */
function dateJoiner({ dateParts, names }: ColumnPlan, { year }: TableOptions): (row: CellRow) => CellRow {
  const at = dateParts ? names.indexOf(dateParts.name) : -1;
  return (row) => {
    if (!dateParts || row.cells.length < at) return row;
    const time = joinDateParts(row.cells, dateParts, year);
    return { ...row, cells: [...row.cells.slice(0, at), time, ...row.cells.slice(at + 1)] };
  };
}

/** Makes the table of a file of objects, of which `sample` are the first. */
export function createObjectTable(
  sample: readonly JsonItem[],
  layout: Layout,
  options: TableOptions & Partial<Pick<TableKind, "titles" | "beside">>,
): ReadResult<TableReader<JsonItem>> {
  const names = namesOf(sample);
  const [only] = sample;
  const note = only && "object" in only && sample.length === 1 ? noteInWords(only.object) : undefined;
  const found = planObjects(names, options);
  if (!found.ok) return unreadBecause(note, found.error);
  const { row, others } = createJsonRows(found.value.names);
  const withDate = dateJoiner(found.value, options);
  const rows = cellsOf(sample.slice(0, Math.ceil(MAX_SAMPLE_CELLS / names.length)).map(row)).map(
    (cells) => withDate({ line: 0, cells }).cells,
  );
  const { titles = [], beside = [] } = options;
  const opened = openRows(
    found.value,
    rows,
    {
      ...{ layout, titles, beside, headerLine: 1, names, isCsv: false },
      reasonFor: (open, plan) =>
        note ?? pivotInWords(names) ?? treeInWords(rows, plan) ?? (lacksPrices(open) ? chatInWords(rows) : undefined),
    },
    options,
  );
  if (!opened.ok) return opened;
  const { reader, withAsset, facts } = opened.value;
  return ok({
    read(item, records) {
      const next = row(item);
      if ("cells" in next) reader.read(withAsset(withDate(next)), records);
      else records.push(next);
    },
    end: () => undefined,
    ...facts,
    ignored: () => [...new Set([...facts.ignored(), ...others])].slice(0, MAX_IGNORED),
  });
}

/** What of a table is known when its first rows are. */
interface FirstRows extends Pick<TableKind, "titles" | "beside"> {
  readonly layout: Layout;
  /** The number of the line that holds the header; 0 where there is none, and 1 for objects. */
  readonly headerLine: number;
  /** The names by which files of one kind are known. */
  readonly names: readonly string[];
  readonly isCsv: boolean;
  /** Why no answer mends what is open, if none does. */
  reasonFor(open: Unread, plan: ColumnPlan): string | undefined;
}

/** The reader of rows, and what a table tells besides its records. */
interface OpenRows {
  readonly reader: RowReader;
  withAsset(row: CellRow): CellRow;
  readonly facts: Omit<TableReader<never>, "read" | "end">;
}

/** Makes the reader of the rows of a table, of which these are the first. */
function openRows(
  found: ColumnPlan,
  rows: readonly (readonly unknown[])[],
  first: FirstRows,
  options: TableOptions,
): ReadResult<OpenRows> {
  const { layout, titles, beside, headerLine, isCsv } = first;
  const understood = understandRows(found, rows, { ...options, titles });
  if (!understood.ok) return understood;
  const { plan, named, cells, withAsset } = understood.value;
  // Spreadsheets write semicolons or tabs where the decimal mark is a comma.
  const isDotDecimal = !isCsv || layout === "CSV" || layout === "Excel";
  const dialect = findDialect(plan, cells, { ...options, titles, beside, isDotDecimal, named });
  if (!dialect.ok) return dialect;
  const questions = [...plan.questions, ...dialect.value.questions];
  const [only = "", ...more] = named.keys();
  const isUnit = more.length === 0 && /^[ -~]+$/.test(only) && unitOfWord(only)?.quote === "USD";
  if (headerLine === 0 && options.code === undefined && isUnit)
    questions.push({ set: {}, missing: "code", reason: `"${only}" may be the asset of its rows, or the unit` });
  const header = headerOf(layout, first.names);
  const open = openQuestionsOf(questions, header);
  if (open) return unreadBecause(first.reasonFor(open, plan), open);
  const reader = createRowReader(plan, dialect.value, { ...options, isCsv, header });
  const { skipped, distinguishing, unread } = reader;
  const reading = describeReading({ layout, plan, named, dialect: dialect.value, headerLine }, options);
  const { saysUnit } = dialect.value;
  const facts = { reading, ignored: () => plan.ignored, skipped, distinguishing, saysUnit, unread, header };
  return ok({ reader, withAsset, facts });
}

/** What the first rows of a table tell of its columns and assets, and these rows as they are read. */
function understandRows(
  found: ColumnPlan,
  rows: readonly (readonly unknown[])[],
  options: TableOptions & { readonly titles: readonly string[] },
): ReadResult<ReturnType<typeof nameCodes> & { cells: typeof rows; withAsset(row: CellRow): CellRow }> {
  const wanted = rows.filter((cells) => isWanted(cells, found));
  const sample = wanted.length > 0 ? wanted : rows;
  const guessed = withGuesses(found, sample, options);
  const gold = { code: guessed.columns.indexOf("code"), karat: karatColumn(guessed.names), names: options.names };
  const cells = sample.map((row) => withKarat(row, gold));
  const named = nameCodes(guessed, cells, options);
  const quantity = options.map.has("value") ? undefined : findQuantity(named.plan, cells);
  if (quantity !== undefined)
    return unread(
      `its values grow with its column "${quantity}", so they are totals: add a column with the price of one`,
    );
  return ok({
    ...named,
    cells,
    withAsset: (row) => (gold.karat === -1 ? row : { ...row, cells: withKarat(row.cells, gold) }),
  });
}

/** A header, with the layout, as it tells files of one kind from others. */
function headerOf(layout: Layout, names: readonly string[]): string {
  return `${layout}: ${names.join(",")}`;
}

/** The columns of objects: those that the first ones have, and those of the import format that a later one may have. */
function planObjects(names: readonly string[], options: TableOptions): ReadResult<ColumnPlan> {
  const { map, code } = options;
  const found = planColumns(names, options);
  // Objects of the import format are checked each for itself.
  const isPlain =
    map.size === 0 &&
    code === undefined &&
    !options.wide &&
    names.includes("code") &&
    (names.includes("value") || names.includes("businessTime"));
  if (isPlain && (!found.ok || found.value.questions.length > 0)) return planColumns(COLUMNS, options);
  if (!found.ok) return found;
  const { value: plan } = found;
  const later = COLUMNS.filter((column) => {
    const isTaken = plan.columns.includes(column) || names.includes(column);
    return (
      !isTaken && (column !== "code" || (!plan.isWide && code === undefined)) && (column !== "value" || !plan.isWide)
    );
  });
  return ok({
    ...plan,
    names: [...plan.names, ...later],
    columns: [...plan.columns, ...later],
    codes: [...plan.codes, ...later.map(() => undefined)],
    assets: [...plan.assets, ...later.map(() => undefined)],
    units: [...plan.units, ...later.map(() => undefined)],
  });
}

function cellsOf(rows: readonly (CellRow | RejectedRow)[]): readonly (readonly unknown[])[] {
  return rows.flatMap((row) => ("cells" in row ? [row.cells] : []));
}
