import { ok } from "../../../core/internal.ts";
import type { AssetNames } from "../names/find_asset.ts";
import { cleanText, nameKey } from "./clean_text.ts";
import { mapping, OTHER_THAN_PRICES } from "./column_names.ts";
import { createCsvRows } from "./csv_rows.ts";
import { joinDateParts } from "./date_and_clock.ts";
import { dayQuestion } from "./days_and_years_left_out.ts";
import { describeReading, type Layout } from "./describe_reading.ts";
import { findDialect, type TableKind, type TableOptions } from "./detect_dialect.ts";
import { unitOfValue, unitOfWord } from "./detect_price_unit.ts";
import type { DistinguishingColumns } from "./distinguishing_columns.ts";
import { parseEpoch } from "./epoch_and_serial_times.ts";
import { codeOfKarat, karatColumn, withKarat } from "./gold_karats.ts";
import { createJsonRows, type JsonItem, namesOf } from "./json_rows.ts";
import { nameCodes } from "./name_codes.ts";
import {
  lacksPrices,
  type MissingPart,
  openQuestionsOf,
  type ReadResult,
  type Unread,
  unread,
  unreadBecause,
} from "./open_questions.ts";
import { isMissing, parseNumber } from "./parse_numbers.ts";
import { type ColumnPlan, planColumns } from "./plan_columns.ts";
import { type CellRow, COLUMNS, type Column, type ParsedRecord, type RejectedRow } from "./record_columns.ts";
import { createRowReader, isWanted, noteOf, type Skipped } from "./row_records.ts";
import type { SplitLine } from "./split_lines.ts";
import { findQuantity } from "./total_prices.ts";
import { chatInWords, noteInWords, pivotInWords, treeInWords } from "./unreadable_shapes.ts";
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
const CLOCK = /^\d\d?:\d\d(?::\d\d)?$/;
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
      return (
        areMostly(texts, (text) => parseNumber(unitOfValue(text)?.rest ?? text) !== undefined) &&
        !isCounted &&
        !areTimes(texts)
      );
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
  const withDate = dateJoiner(header.plan, options);
  // The next day's file has another day, and the same header.
  const given = header.plan.names.filter((name) => options.day === undefined || name !== header.plan.dateParts?.name);
  const isRow = (row: CellRow | RejectedRow): row is CellRow => "cells" in row && noteOf(row.cells) === undefined;
  const below = rows.slice(rows.findLastIndex((row) => !("cells" in row) || isRow(row)) + 1);
  const sampled = rows.filter(isRow).map((row) => withDate(row).cells);
  const understood = understandRows(header.plan, sampled, { ...options, titles });
  if (!understood.ok) return understood;
  const { plan, named, cells, withAsset } = understood.value;
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
  const questions = [...plan.questions, ...dialect.questions];
  const [only = "", ...more] = named.keys();
  const isUnit = more.length === 0 && /^[ -~]+$/.test(only) && unitOfWord(only)?.quote === "USD";
  if (header.number === 0 && options.code === undefined && isUnit)
    questions.push({ set: {}, missing: "code", reason: `"${only}" may be the asset of its rows, or the unit` });
  const open = openQuestionsOf(questions, headerOf(layout, given));
  if (open) return unreadBecause(pivotInWords(plan.names), open);
  const splitter = createCsvRows(separator, header.text);
  const reader = createRowReader(plan, dialect, { ...options, isCsv: true, header: headerOf(layout, given) });
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
    reading: describeReading({ layout, plan, named, dialect, headerLine: header.number }, options),
    ignored: () => plan.ignored,
    skipped: reader.skipped,
    distinguishing: reader.distinguishing,
    saysUnit: dialect.saysUnit,
    unread: reader.unread,
    header: headerOf(layout, given),
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
  const understood = understandRows(found.value, rows, { ...options, titles });
  if (!understood.ok) return understood;
  const { plan, named, cells, withAsset } = understood.value;
  const dialectResult = findDialect(plan, cells, { ...options, titles, beside, isDotDecimal: true, named });
  if (!dialectResult.ok) return dialectResult;
  const dialect = dialectResult.value;
  const open = openQuestionsOf([...plan.questions, ...dialect.questions], headerOf(layout, names));
  if (open) {
    const chat = lacksPrices(open) ? chatInWords(rows) : undefined;
    return unreadBecause(note ?? pivotInWords(names) ?? treeInWords(rows, plan) ?? chat, open);
  }
  const reader = createRowReader(plan, dialect, { ...options, isCsv: false, header: headerOf(layout, names) });
  return ok({
    read(item, records) {
      const next = row(item);
      if ("cells" in next) reader.read(withAsset(withDate(next)), records);
      else records.push(next);
    },
    end: () => undefined,
    reading: describeReading({ layout, plan, named, dialect, headerLine: 1 }, options),
    ignored: () => [...new Set([...plan.ignored, ...others])].slice(0, MAX_IGNORED),
    skipped: reader.skipped,
    distinguishing: reader.distinguishing,
    saysUnit: dialect.saysUnit,
    unread: reader.unread,
    header: headerOf(layout, names),
  });
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

/** A plan whose missing columns are guessed by what stands in them. That is only suggested: the needs stay. */
function withGuesses(
  plan: ColumnPlan,
  rows: readonly (readonly unknown[])[],
  { names, titles }: { readonly names: AssetNames; readonly titles: readonly string[] },
): ColumnPlan {
  const columns = [...plan.columns];
  let { clock } = plan;
  const isOne = (at: number, isWanted: (typeof GUESSED)[number][2]): boolean => {
    const texts = rows.flatMap((cells) => (cells[at] === undefined || isMissing(cells[at]) ? [] : [String(cells[at])]));
    const isFree = columns[at] === undefined && at !== clock && at !== plan.unitColumn;
    return isFree && texts.length > 0 && isWanted(texts, names);
  };
  const questions = plan.questions.map((question) => {
    const column = GUESSED.find(([, missing]) => question.missing === missing);
    const isFree = (name: string): boolean =>
      name !== "" && (column?.[0] !== "value" || !OTHER_THAN_PRICES.test(nameKey(name)));
    const found = column ? plan.names.flatMap((name, at) => (isFree(name) && isOne(at, column[2]) ? [at] : [])) : [];
    const karat = karatColumn(plan.names);
    if (found.length === 0 && column?.[0] === "code" && rows.some((cells) => codeOfKarat(cells[karat])))
      found.push(karat);
    const [at] = found;
    if (question.missing === "businessTime" && at === undefined) return dayQuestion(question.reason, titles);
    // Of several prices, or days, only a person knows the one.
    if (!column || at === undefined || (question.missing !== "code" && found.length > 1)) return question;
    columns[at] = column[0];
    if (question.missing === "businessTime" && clock === undefined) clock = clockBeside(at);
    const parts = question.missing === "businessTime" && clock !== undefined ? [at, clock] : [at];
    return { ...mapping(column[0], parts.map((part) => plan.names[part]!).join("+")), reason: question.reason };
  });
  return { ...plan, columns, clock, questions };

  /** The only column of hours, where there is one. */
  function clockBeside(date: number): number | undefined {
    const hours = plan.names.flatMap((name, at) => (name !== "" && at !== date && isOne(at, areClocks) ? [at] : []));
    return hours.length === 1 ? hours[0] : undefined;
  }
}

function areClocks(texts: readonly string[]): boolean {
  return texts.every((text) => CLOCK.test(cleanText(text)));
}

function areTimes(texts: readonly string[]): boolean {
  return areMostly(texts.map(cleanText), (text) => {
    // Prices have fewer digits than milliseconds since 1970.
    return parseWrittenTime(text) !== undefined || (/^\d{13,19}$/.test(text) && parseEpoch(text) !== undefined);
  });
}

/** Whether at least half of the texts are as wanted: some rows may have mistakes. */
function areMostly(texts: readonly string[], isWanted: (text: string) => boolean): boolean {
  return 2 * texts.filter(isWanted).length >= texts.length;
}

function cellsOf(rows: readonly (CellRow | RejectedRow)[]): readonly (readonly unknown[])[] {
  return rows.flatMap((row) => ("cells" in row ? [row.cells] : []));
}
