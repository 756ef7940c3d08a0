import { err, ok } from "../../../core/internal.ts";
import { assetOf, serviceOf } from "./asset_names.ts";
import type { NamedAsset } from "./asset_names.ts";
import { cleanText, nameKey } from "./clean_text.ts";
import { planColumns } from "./columns.ts";
import type { ColumnPlan } from "./columns.ts";
import { findDialect } from "./dialect.ts";
import type { FormatOptions } from "./dialect.ts";
import { createJsonRows, namesOf } from "./json_rows.ts";
import type { JsonItem } from "./json_rows.ts";
import { createCsvRows } from "./csv_rows.ts";
import type { SplitLine } from "./lines.ts";
import { openNeeds } from "./needs.ts";
import type { Need, Reading, Unread } from "./needs.ts";
import { describeReading } from "./reading.ts";
import type { Finding, Layout } from "./reading.ts";
import { COLUMNS } from "./record_columns.ts";
import type { ParsedRecord, RefusedRow, Row } from "./record_columns.ts";
import { createRowReader } from "./row_records.ts";
import type { Skipped } from "./row_records.ts";
import { statedUnit, unitOfWord } from "./units.ts";

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
  /** Why nothing of the file is to be stored, as far as its rows have shown it. */
  unread(): Unread | undefined;
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

/** Makes the table of a CSV file. `sample` are the lines after the header. */
export function createCsvTable(header: CsvHeader, sample: readonly SplitLine[], options: FormatOptions): Reading<Table<SplitLine>> {
  const { separator, layout, titles } = header;
  const first = createCsvRows(separator, header.text);
  const rows: (Row | RefusedRow)[] = [];
  for (const line of sample) first.read(line, rows);
  const { plan, named } = withNames(header.plan, cellsOf(rows), { ...options, titles });
  // Spreadsheets write semicolons or tabs where the decimal mark is a comma.
  const found = findDialect(plan, cellsOf(rows), { ...options, titles, isDotDecimal: layout === "CSV", named });
  if (!found.ok) return found;
  const dialect = found.value;
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
    reading: describeReading({ layout, plan, named, dialect, headerLine: header.number }, options),
    ignored: () => plan.ignored,
    skipped: reader.skipped,
    unread: reader.unread,
  });
}

/** Makes the table of a file of objects, of which `sample` are the first. */
export function createObjectTable(sample: readonly JsonItem[], layout: Layout, options: FormatOptions): Reading<Table<JsonItem>> {
  const found = planObjects(namesOf(sample), options);
  if (!found.ok) return found;
  const { row, others } = createJsonRows(found.value.names);
  const rows = cellsOf(sample.map(row));
  const { plan, named } = withNames(found.value, rows, { ...options, titles: [] });
  const told = findDialect(plan, rows, { ...options, titles: [], isDotDecimal: true, named });
  if (!told.ok) return told;
  const dialect = told.value;
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
    reading: describeReading({ layout, plan, named, dialect, headerLine: 1 }, options),
    ignored: () => [...new Set([...plan.ignored, ...others])].slice(0, MAX_IGNORED),
    skipped: reader.skipped,
    unread: reader.unread,
  });
}

/** The columns of objects: those that the first ones have, and those of the import format that a later one may have. */
function planObjects(names: readonly string[], options: FormatOptions): Reading<ColumnPlan> {
  const { map, code } = options;
  const found = planColumns(names, options);
  // Objects of the import format are checked each for itself.
  const isPlain = map.size === 0 && code === undefined && !options.wide && names.includes("code");
  if (isPlain && (!found.ok || found.value.needs.length > 0)) return planColumns(COLUMNS, options);
  if (!found.ok) return found;
  const { value: plan } = found;
  const later = COLUMNS.filter((column) => {
    const isTaken = plan.columns.includes(column) || names.includes(column);
    return !isTaken && (column !== "code" || (!plan.isWide && code === undefined)) && (column !== "value" || !plan.isWide);
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

/** A plan with what the names of assets in the first rows tell, and what they leave open; and what each of them means. */
function withNames(plan: ColumnPlan, rows: readonly (readonly unknown[])[], options: FormatOptions & Pick<CsvHeader, "titles">): Pick<Finding, "plan" | "named"> {
  const named = new Map<string, NamedAsset>();
  const [at, valueAt] = [plan.columns.indexOf("code"), plan.columns.indexOf("value")];
  const { names, code, unit: option, titles } = options;
  if (code !== undefined) return { plan: { ...plan, needs: [...plan.needs, ...labelNeeds(plan, rows, { code, names })] }, named };
  if (at === -1) return { plan, named };
  const others = (rows[0] ?? []).filter((cell) => typeof cell === "string");
  const { service, needs } = serviceOf([...others, ...textsOf(rows, at)], options);
  const stated = statedUnit({ name: "", unit: plan.units[valueAt], titles, option });
  for (const cells of rows) {
    const text = cleanText(String(cells[at] ?? ""));
    const unit = unitOfWord(String(cells[plan.unitColumn ?? -1] ?? "")) ?? (stated.ok ? stated.value?.unit : undefined);
    const asset = named.has(text) ? undefined : assetOf(text, { names, service, quote: unit?.quote });
    if (asset) named.set(text, asset);
  }
  const hasUnits = rows.some((cells) => unitOfWord(String(cells[plan.unitColumn ?? -1] ?? "")) !== undefined);
  const open = [...named.values()].flatMap(({ need }) => need ?? []);
  return { plan: { ...plan, service, unitColumn: hasUnits ? plan.unitColumn : undefined, needs: [...plan.needs, ...needs, ...open] }, named };
}

/** A column that names another asset than `--code`. */
function labelNeeds({ label, names: columns }: ColumnPlan, rows: readonly (readonly unknown[])[], { code, names }: Pick<FormatOptions, "code" | "names">): readonly Need[] {
  if (label === undefined || nameKey(columns[label]!) === "currency") return []; // That may be the unit.
  const [text = ""] = textsOf(rows, label);
  const { codes } = names.find(text);
  if (codes.length === 0 || codes.some((one) => one === code)) return [];
  return [{ option: `--code ${codes[0]}`, reason: `its ${columns[label]!} is "${text}", which is ${codes.join(" or ")}, and --code says ${code}` }];
}

function textsOf(rows: readonly (readonly unknown[])[], at: number): readonly string[] {
  return [...new Set(rows.flatMap((cells) => (typeof cells[at] === "string" ? [cleanText(cells[at])] : [])))];
}

function cellsOf(rows: readonly (Row | RefusedRow)[]): readonly (readonly unknown[])[] {
  return rows.flatMap((row) => ("cells" in row ? [row.cells] : []));
}
