import { ok } from "../../../core/internal.ts";
import { createCsvRows } from "./csv_rows.ts";
import { joinDateParts } from "./date_and_clock.ts";
import { describeReading, type TableFacts } from "./describe_reading.ts";
import { type Dialect, findDialect, type TableKind, type TableOptions } from "./detect_dialect.ts";
import { unitOfWord } from "./detect_price_unit.ts";
import { karatColumn, withKarat } from "./gold_karats.ts";
import { withGuesses } from "./guess_columns.ts";
import { type JsonItem, namesOf } from "./json_rows.ts";
import { nameCodes } from "./name_codes.ts";
import { lacksPrices, openQuestionsOf, type ReadResult, type Unread, unread, unreadBecause } from "./open_questions.ts";
import { type ColumnPlan, planColumns } from "./plan_columns.ts";
import { type CellRow, type Cells, COLUMNS, type ParsedRecord, type Row } from "./record_columns.ts";
import { createRowReader, isWanted, noteOf, type RowReader } from "./row_records.ts";
import type { SplitLine } from "./split_lines.ts";
import { findQuantity } from "./total_prices.ts";
import { chatInWords, noteInWords, pivotInWords, treeInWords } from "./unreadable_shapes.ts";

/** Reads the records of a file whose layout is known. An item is a line or an object. */
export interface TableReader<Item> extends Omit<RowReader, "read">, Pick<Dialect, "saysUnit"> {
  /** Returns the records that an item completes. */
  read(item: Item): readonly ParsedRecord[];
  /** Returns the records that the end of the file completes. */
  end(): readonly ParsedRecord[];
  /** A description of how the file is read; `undefined` for the plain import format. */
  readonly reading: string | undefined;
  /** Names of columns in the first rows that are not in the import format, each once. */
  readonly ignored: readonly string[];
  readonly header: string;
}

interface CsvHeader extends Pick<TableStart<SplitLine>, "layout" | "titles" | "headerLine"> {
  readonly separator: string;
  readonly text: string;
  readonly plan: ColumnPlan;
}

/** The parts of a table that are known before its rows are read. */
interface TableStart<Item> extends Pick<TableKind, "titles" | "beside">, Pick<TableFacts, "layout" | "headerLine"> {
  /** The names that identify files of one kind. */
  readonly names: readonly string[];
  readonly isCsv: boolean;
  readonly sample: readonly CellRow[];
  /** Splits items into rows. */
  readonly splitter: { read(item: Item): readonly Row[]; end(): readonly Row[] };
  /** Why the user cannot answer the open questions; `undefined` if the user can. */
  reasonFor(open: Unread, plan: ColumnPlan, sample: readonly Cells[]): string | undefined;
}

const MAX_SAMPLE_CELLS = 2_000_000;

/** Creates the reader of a CSV file. `lines` are the first lines after the header. */
export function createCsvTable(
  { separator, text, plan, ...header }: CsvHeader,
  lines: readonly SplitLine[],
  options: TableOptions,
): ReadResult<TableReader<SplitLine>> {
  const rows = lines
    .slice(0, Math.ceil(MAX_SAMPLE_CELLS / plan.names.length))
    .flatMap(createCsvRows(separator, text).read);
  const isRow = (row: Row): row is CellRow => "cells" in row && noteOf(row.cells) === undefined;
  const below = rows.slice(rows.findLastIndex((row) => !("cells" in row) || isRow(row)) + 1);
  const start: TableStart<SplitLine> = {
    ...{ ...header, isCsv: true, splitter: createCsvRows(separator, text) },
    // Leaves out a day that the caller gives: the next day's file has the same header, but another day.
    names: plan.names.filter((name) => options.day === undefined || name !== plan.dateParts?.name),
    beside: below.flatMap((row) => ("cells" in row ? (noteOf(row.cells) ?? []) : [])),
    sample: rows.filter(isRow),
    reasonFor: (_, { names }) => pivotInWords(names),
  };
  return openTable(plan, start, options);
}

/** Creates the reader of a file of objects. `items` are the first objects. */
export function createObjectTable(
  items: readonly JsonItem[],
  layout: string,
  { titles = [], beside = [], ...options }: TableOptions & Partial<Pick<TableKind, "titles" | "beside">>,
): ReadResult<TableReader<JsonItem>> {
  const names = namesOf(items);
  const [only] = items;
  const note = only && "object" in only && items.length === 1 ? noteInWords(only.object) : undefined;
  const plan = planObjects(names, options);
  if (!plan.ok) return unreadBecause(note, plan.error);
  const columns = plan.value.names;

  function rowOf(item: JsonItem): Row {
    if (!("object" in item)) return item;
    const { line, object } = item;
    return { line, cells: columns.map((name) => (Object.hasOwn(object, name) ? object[name] : undefined)) };
  }

  const start: TableStart<JsonItem> = {
    ...{ layout, titles, beside, names, headerLine: 1, isCsv: false },
    splitter: { read: (item) => [rowOf(item)], end: () => [] },
    sample: items
      .slice(0, Math.ceil(MAX_SAMPLE_CELLS / names.length))
      .map(rowOf)
      .filter((row) => "cells" in row),
    reasonFor: (open, found, rows) =>
      note ?? pivotInWords(names) ?? treeInWords(rows, found) ?? (lacksPrices(open) ? chatInWords(rows) : undefined),
  };
  return openTable(plan.value, start, options);
}

function openTable<Item>(
  found: ColumnPlan,
  start: TableStart<Item>,
  options: TableOptions,
): ReadResult<TableReader<Item>> {
  const { layout, titles, beside, headerLine, isCsv, splitter } = start;
  const withDate = dateJoiner(found, options);
  const sample = start.sample.map((row) => withDate(row).cells);
  const understood = understandRows(found, sample, { ...options, titles });
  if (!understood.ok) return understood;
  const { plan, named, cells, withAsset } = understood.value;
  // Spreadsheets write semicolons or tabs if the decimal mark is a comma.
  const isDotDecimal = !isCsv || layout === "CSV" || layout === "Excel";
  const dialect = findDialect(plan, cells, { ...options, titles, beside, isDotDecimal, named });
  if (!dialect.ok) return dialect;
  const questions = [...plan.questions, ...dialect.value.questions];
  const [only = "", ...more] = named.keys();
  const isUnit = more.length === 0 && /^[ -~]+$/.test(only) && unitOfWord(only)?.quote === "USD";
  if (headerLine === 0 && options.code === undefined && isUnit)
    questions.push({ set: {}, missing: "code", reason: `"${only}" may be the asset of its rows, or the unit` });
  const header = `${layout}: ${start.names.join(",")}`;
  const open = openQuestionsOf(questions, header);
  if (open) return unreadBecause(start.reasonFor(open, plan, sample), open);
  const { read, ...reader } = createRowReader(plan, dialect.value, { ...options, isCsv, header });

  function recordsOf(rows: readonly Row[]): readonly ParsedRecord[] {
    const records: ParsedRecord[] = [];
    for (const row of rows) records.push(...("cells" in row ? read(withAsset(withDate(row))) : [row]));
    return records;
  }

  return ok({
    read: (item) => recordsOf(splitter.read(item)),
    end: () => recordsOf(splitter.end()),
    ...reader,
    reading: describeReading({ layout, plan, named, dialect: dialect.value, headerLine }, options),
    ignored: plan.ignored,
    saysUnit: dialect.value.saysUnit,
    header,
  });
}

/** If a time has several parts, or the caller gives the day, writes the time into one cell. */
function dateJoiner({ dateParts, names }: ColumnPlan, { year }: TableOptions): (row: CellRow) => CellRow {
  if (!dateParts) return (row) => row;
  const at = names.indexOf(dateParts.name);
  return (row) => {
    if (row.cells.length < at) return row;
    const time = joinDateParts(row.cells, dateParts, year);
    return { ...row, cells: row.cells.toSpliced(at, 1, time) };
  };
}

/** Completes a plan by the first rows, and returns these rows with the fineness of gold added to their assets. */
function understandRows(found: ColumnPlan, rows: readonly Cells[], options: TableOptions & Pick<TableKind, "titles">) {
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
  const withAsset = (row: CellRow): CellRow =>
    gold.karat === -1 ? row : { ...row, cells: withKarat(row.cells, gold) };
  return ok({ ...named, cells, withAsset });
}

/** Plans the columns of objects by the first objects' names. Adds the import format's columns for later objects. */
function planObjects(names: readonly string[], options: TableOptions): ReadResult<ColumnPlan> {
  const { map, code } = options;
  const found = planColumns(names, options);
  // Objects in the import format are checked one by one.
  const isPlain = names.includes("code") && (names.includes("value") || names.includes("businessTime"));
  const hasAnswers = map.size > 0 || code !== undefined || options.wide;
  if (isPlain && !hasAnswers && (!found.ok || found.value.questions.length > 0)) {
    const plain = planColumns(COLUMNS, options);
    const ignored = names.filter((name) => !COLUMNS.some((column) => column === name));
    return plain.ok ? ok({ ...plain.value, ignored }) : plain;
  }
  if (!found.ok) return found;
  const { value: plan } = found;
  const later = COLUMNS.filter((column) => {
    if (plan.columns.includes(column) || names.includes(column)) return false;
    if (column === "code") return !plan.isWide && code === undefined;
    return column !== "value" || !plan.isWide;
  });
  return ok({ ...plan, names: [...plan.names, ...later], columns: [...plan.columns, ...later] });
}
