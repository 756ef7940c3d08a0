import { err, ok } from "../../../core/internal.ts";
import { planColumns } from "./columns.ts";
import type { ColumnPlan } from "./columns.ts";
import { findDialect } from "./dialect.ts";
import type { FormatOptions } from "./dialect.ts";
import { createJsonRows, namesOf } from "./json_rows.ts";
import type { JsonItem } from "./json_rows.ts";
import { createCsvRows } from "./csv_rows.ts";
import type { SplitLine } from "./lines.ts";
import { openNeeds } from "./needs.ts";
import type { Reading } from "./needs.ts";
import { describeReading } from "./reading.ts";
import type { Layout } from "./reading.ts";
import { COLUMNS } from "./record_columns.ts";
import type { ParsedRecord, RefusedRow, Row } from "./record_columns.ts";
import { createRowReader } from "./row_records.ts";
import type { Skipped } from "./row_records.ts";

/** Reads records of one file, whose layout is known, item by item: lines, or objects. */
export interface Table<Item> {
  /** Reads the next item of the file; adds the records that it completes. */
  read(item: Item, records: ParsedRecord[]): void;
  /** Adds the records that the end of the file completes. */
  end(records: ParsedRecord[]): void;
  /** How many items wait for the end of a row. */
  held(): number;
  /** How the file is read, in words; `undefined` for the plain import format. */
  readonly reading: string | undefined;
  /** Names of the file's columns that are not part of the import format, each once. */
  ignored(): readonly string[];
  readonly skipped: Readonly<Skipped>;
}

/** The header of a CSV table, as it was found. */
export interface CsvHeader {
  readonly layout: Layout;
  readonly separator: string;
  /** The line that holds the header. */
  readonly number: number;
  readonly text: string;
  readonly plan: ColumnPlan;
}

const MAX_IGNORED = 100;

/** Makes the table of a CSV file. `sample` are the lines after the header. */
export function createCsvTable(header: CsvHeader, sample: readonly SplitLine[], options: FormatOptions): Reading<Table<SplitLine>> {
  const { plan, separator, layout } = header;
  const first = createCsvRows(separator, header.text);
  const rows: (Row | RefusedRow)[] = [];
  for (const line of sample) first.read(line, rows);
  // Spreadsheets write semicolons or tabs where the decimal mark is a comma.
  const dialect = findDialect(plan, cellsOf(rows), options, layout === "CSV");
  const open = openNeeds([...plan.needs, ...dialect.needs]);
  if (open) return err(open);
  const splitter = createCsvRows(separator, header.text);
  const reader = createRowReader(plan, dialect, { ...options, isCsv: true });
  const completed: (Row | RefusedRow)[] = [];

  function takeCompleted(records: ParsedRecord[]): void {
    for (const row of completed) {
      if ("cells" in row) reader.read(row, records);
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
    held: splitter.held,
    reading: describeReading({ layout, plan, dialect, headerLine: header.number }, options),
    ignored: () => plan.ignored,
    skipped: reader.skipped,
  });
}

/** Makes the table of a file of objects, of which `sample` are the first. */
export function createObjectTable(sample: readonly JsonItem[], layout: Layout, options: FormatOptions): Reading<Table<JsonItem>> {
  const found = planObjects(namesOf(sample), options);
  if (!found.ok) return found;
  const plan = found.value;
  const { row, others } = createJsonRows(plan.names);
  const dialect = findDialect(plan, cellsOf(sample.map(row)), options, true);
  const open = openNeeds([...plan.needs, ...dialect.needs]);
  if (open) return err(open);
  const reader = createRowReader(plan, dialect, { ...options, isCsv: false });
  return ok({
    read(item, records) {
      const next = row(item);
      if ("cells" in next) reader.read(next, records);
      else records.push(next);
    },
    end: () => undefined,
    held: () => 0,
    reading: describeReading({ layout, plan, dialect, headerLine: 1 }, options),
    ignored: () => [...new Set([...plan.ignored, ...others])].slice(0, MAX_IGNORED),
    skipped: reader.skipped,
  });
}

/** The columns of objects: those that the first ones have, and those of the import format that a later one may have. */
function planObjects(names: readonly string[], options: FormatOptions): Reading<ColumnPlan> {
  const { map, code, wide } = options;
  const found = planColumns(names, options);
  // Objects of the import format are checked each for itself.
  const isPlain = map.size === 0 && code === undefined && !wide && names.includes("code");
  if (isPlain && (!found.ok || found.value.needs.length > 0)) return planColumns(COLUMNS, options);
  if (!found.ok) return found;
  const { value: plan } = found;
  const later = COLUMNS.filter((column) => {
    const isTaken = plan.columns.includes(column) || names.includes(column);
    return !isTaken && (column !== "code" || (!wide && code === undefined)) && (column !== "value" || !wide);
  });
  return ok({
    ...plan,
    names: [...plan.names, ...later],
    columns: [...plan.columns, ...later],
    codes: [...plan.codes, ...later.map(() => undefined)],
  });
}

function cellsOf(rows: readonly (Row | RefusedRow)[]): readonly (readonly unknown[])[] {
  return rows.flatMap((row) => ("cells" in row ? [row.cells] : []));
}
