import { err, ok } from "../../../core/internal.ts";
import type { AssetNames } from "../names/find_asset.ts";
import { cleanText } from "./clean_text.ts";
import { mapping } from "./column_names.ts";
import { createCsvRows } from "./csv_rows.ts";
import { joinDateParts } from "./date_and_clock.ts";
import { describeReading, type Layout } from "./describe_reading.ts";
import { findDialect, type TableKind, type TableOptions } from "./detect_dialect.ts";
import { unitOfValue } from "./detect_price_unit.ts";
import { parseEpoch } from "./epoch_and_serial_times.ts";
import { createJsonRows, type JsonItem, namesOf } from "./json_rows.ts";
import { nameCodes } from "./name_codes.ts";
import { type MissingPart, openQuestionsOf, type ReadResult, type Unread } from "./open_questions.ts";
import { isMissing, parseNumber } from "./parse_numbers.ts";
import { type ColumnPlan, planColumns } from "./plan_columns.ts";
import { type CellRow, COLUMNS, type Column, type ParsedRecord, type RejectedRow } from "./record_columns.ts";
import { createRowReader, noteOf, type Skipped } from "./row_records.ts";
import type { SplitLine } from "./split_lines.ts";
import { parseWrittenTime } from "./written_time.ts";

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
  /** Whether the file says its unit itself, which `--unit` cannot change. */
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
/** How columns look, of which no name tells what they are; what is missing where nothing looks so. */
const GUESSED: readonly (readonly [
  column: Column,
  missing: MissingPart,
  isOne: (texts: readonly string[], names: AssetNames) => boolean,
])[] = [
  ["code", "code", (texts, names) => texts.every((text) => names.find(text).codes.length > 0)],
  // The numbers of rows are no values.
  [
    "value",
    "value",
    (texts) => {
      const isCounted = texts.every((text, at) => Number(text) === Number(texts[0]) + at);
      return texts.every((text) => parseNumber(unitOfValue(text)?.rest ?? text)) && !isCounted && !areTimes(texts);
    },
  ],
  ["businessTime", "businessTime", areTimes],
];

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
  const { dateParts, names } = header.plan;
  const withDate = (row: CellRow): CellRow => {
    if (!dateParts || row.cells.length < names.length - 1) return row;
    return { ...row, cells: [...row.cells.slice(0, names.length - 1), joinDateParts(row.cells, dateParts)] };
  };
  const cells = rows.flatMap((row) => ("cells" in row && noteOf(row.cells) === undefined ? [withDate(row).cells] : []));
  const below = rows.slice(rows.findLastIndex((row) => !("cells" in row) || noteOf(row.cells) === undefined) + 1);
  const { plan, named } = nameCodes(withGuesses(header.plan, cells, options.names), cells, { ...options, titles });
  // Spreadsheets write semicolons or tabs where the decimal mark is a comma.
  const found = findDialect(plan, cells, {
    ...options,
    titles,
    beside: below.flatMap((row) => ("cells" in row ? (noteOf(row.cells) ?? []) : [])),
    isDotDecimal: layout === "CSV" || layout === "Excel",
    named,
  });
  if (!found.ok) return found;
  const dialect = found.value;
  const open = openQuestionsOf([...plan.questions, ...dialect.questions], headerOf(layout, plan.names));
  if (open) return err(open);
  const splitter = createCsvRows(separator, header.text);
  const reader = createRowReader(plan, dialect, { ...options, isCsv: true, header: headerOf(layout, plan.names) });
  const completed: (CellRow | RejectedRow)[] = [];

  function takeCompleted(records: ParsedRecord[]): void {
    for (const row of completed) {
      if ("cells" in row) reader.read(withDate(row), records);
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
    reading: describeReading({ layout, plan, named, dialect, headerLine: header.number }, options),
    ignored: () => plan.ignored,
    skipped: reader.skipped,
    saysUnit: dialect.saysUnit,
    unread: reader.unread,
    header: headerOf(layout, plan.names),
  });
}

/** Makes the table of a file of objects, of which `sample` are the first. */
export function createObjectTable(
  sample: readonly JsonItem[],
  layout: Layout,
  options: TableOptions & Partial<Pick<TableKind, "titles" | "beside">>,
): ReadResult<TableReader<JsonItem>> {
  const names = namesOf(sample);
  const found = planObjects(names, options);
  if (!found.ok) return found;
  const { row, others } = createJsonRows(found.value.names);
  const rows = cellsOf(sample.slice(0, Math.ceil(MAX_SAMPLE_CELLS / names.length)).map(row));
  const { titles = [], beside = [] } = options;
  const { plan, named } = nameCodes(withGuesses(found.value, rows, options.names), rows, { ...options, titles });
  const dialectResult = findDialect(plan, rows, { ...options, titles, beside, isDotDecimal: true, named });
  if (!dialectResult.ok) return dialectResult;
  const dialect = dialectResult.value;
  const open = openQuestionsOf([...plan.questions, ...dialect.questions], headerOf(layout, names));
  if (open) return err(open);
  const reader = createRowReader(plan, dialect, { ...options, isCsv: false, header: headerOf(layout, names) });
  return ok({
    read(item, records) {
      const next = row(item);
      if ("cells" in next) reader.read(next, records);
      else records.push(next);
    },
    end: () => undefined,
    reading: describeReading({ layout, plan, named, dialect, headerLine: 1 }, options),
    ignored: () => [...new Set([...plan.ignored, ...others])].slice(0, MAX_IGNORED),
    skipped: reader.skipped,
    saysUnit: dialect.saysUnit,
    unread: reader.unread,
    header: headerOf(layout, names),
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

/** A plan whose missing columns are guessed by what stands in them. That is only suggested: the needs stay. */
function withGuesses(plan: ColumnPlan, rows: readonly (readonly unknown[])[], names: AssetNames): ColumnPlan {
  const columns = [...plan.columns];
  const isOne = (at: number, isWanted: (typeof GUESSED)[number][2]): boolean => {
    const texts = rows.flatMap((cells) => (cells[at] === undefined || isMissing(cells[at]) ? [] : [String(cells[at])]));
    return columns[at] === undefined && at !== plan.clock && texts.length > 0 && isWanted(texts, names);
  };
  const questions = plan.questions.map((question) => {
    const column = GUESSED.find(([, missing]) => question.missing === missing);
    const at = column ? plan.names.findIndex((name, other) => name !== "" && isOne(other, column[2])) : -1;
    if (!column || at === -1) return question;
    columns[at] = column[0];
    return { ...mapping(column[0], plan.names[at]!), reason: question.reason };
  });
  return { ...plan, columns, questions };
}

function areTimes(texts: readonly string[]): boolean {
  // Prices have fewer digits than milliseconds since 1970.
  return texts
    .map(cleanText)
    .every(
      (text) => parseWrittenTime(text) !== undefined || (/^\d{13,19}$/.test(text) && parseEpoch(text) !== undefined),
    );
}

function cellsOf(rows: readonly (CellRow | RejectedRow)[]): readonly (readonly unknown[])[] {
  return rows.flatMap((row) => ("cells" in row ? [row.cells] : []));
}
