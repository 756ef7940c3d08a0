import { ok } from "../../../core/internal.ts";
import { planColumns } from "./columns.ts";
import type { ColumnPlan } from "./columns.ts";
import { splitCsv } from "./csv.ts";
import { CSV_FAULTS } from "./csv_rows.ts";
import type { FormatOptions } from "./dialect.ts";
import { parseJsonLine } from "./json_rows.ts";
import type { SplitLine } from "./lines.ts";
import { unread } from "./needs.ts";
import type { Reading } from "./needs.ts";
import type { Layout } from "./reading.ts";
import type { Table } from "./table.ts";
import { CELL_SEPARATOR } from "./workbook.ts";
import { createCsvTable, createObjectTable } from "./table.ts";

/** A table, and the first of the sample's lines that it reads. */
export interface FoundTable {
  readonly table: Table<SplitLine>;
  readonly start: number;
}

const SEPARATORS: readonly (readonly [separator: string, layout: Layout])[] = [
  [",", "CSV"], [";", "CSV with semicolons"], ["\t", "CSV with tabs"], ["|", "CSV with bars"],
  ["،", "CSV with Persian commas"], ["؛", "CSV with Persian semicolons"], [CELL_SEPARATOR, "Excel"],
];
/** How many lines may be titles: spreadsheets have them above the header. */
const MAX_TITLE_LINES = 20;
/** Spreadsheets break long names of columns into lines, within quotes. */
const MAX_HEADER_LINES = 5;
const NOT_UTF8_ADVICE = '; spreadsheets save it as "CSV UTF-8"';

/** Finds the table in the first lines of a file, the first of which is not blank; the failure says why the file cannot be read. */
export function findTable(sample: readonly SplitLine[], options: FormatOptions): Reading<FoundTable> {
  const [line] = sample;
  if (!line) return unread("it is empty");
  if ("fault" in line) return unread(`line ${line.number} should be the header: ${line.fault}${line.fault.endsWith("UTF-8 text") ? NOT_UTF8_ADVICE : ""}`);
  if (line.text.includes("\0")) return unread(`it is not UTF-8 text${NOT_UTF8_ADVICE}`);
  if (!line.text.trimStart().startsWith("{")) return findCsv(sample, options);
  const objects = createObjectTable(sample.flatMap((other) => parseJsonLine(other) ?? []), "NDJSON", options);
  if (!objects.ok) return objects;
  const table: Table<SplitLine> = {
    ...objects.value,
    read(other, records) {
      const item = parseJsonLine(other);
      if (item) objects.value.read(item, records);
    },
  };
  return ok({ table, start: 0 });
}

/** The first line that leaves nothing open, by any separator, is the header; else the one that looks most like it, which has the most fields. */
function findCsv(sample: readonly SplitLine[], options: FormatOptions): Reading<FoundTable> {
  let best: Reading<FoundTable> = unread("it has no header");
  let mostFields = 0;
  const titles = [options.told?.sheet ?? []].flat();
  for (const [at, line] of sample.slice(0, MAX_TITLE_LINES).entries()) {
    if ("fault" in line) continue;
    for (const [separator, layout] of SEPARATORS) {
      const text = headerFrom(sample.slice(at, at + MAX_HEADER_LINES), separator);
      const { fields, plan } = readHeader(text, separator, options);
      const isHeader = plan.ok && plan.value.needs.length === 0;
      if (!isHeader && fields <= mostFields) continue;
      mostFields = fields;
      const start = at + text.split("\n").length;
      const table = plan.ok ? createCsvTable({ layout, separator, number: line.number, text, plan: plan.value, titles }, sample.slice(start), options) : plan;
      best = table.ok ? ok({ table: table.value, start }) : table;
      if (isHeader) return best;
    }
    titles.push(line.text);
  }
  return best;
}

/** The header that begins with the first of these lines: that one, and those which its quotes enclose. */
function headerFrom(lines: readonly SplitLine[], separator: string): string {
  const texts: string[] = [];
  for (let [at, isOpen] = [0, true]; isOpen && at < lines.length; at++) {
    const line = lines[at]!;
    if ("fault" in line) break;
    texts.push(line.text);
    const fields = splitCsv(texts.join("\n"), separator);
    isOpen = !fields.ok && fields.error === "OPEN_QUOTE";
  }
  return texts.join("\n");
}

function readHeader(text: string, separator: string, options: FormatOptions): { readonly fields: number; readonly plan: Reading<ColumnPlan> } {
  const fields = splitCsv(text, separator);
  if (!fields.ok) return { fields: 1, plan: unread(`its header cannot be read: ${CSV_FAULTS[fields.error]}`) };
  return { fields: fields.value.length, plan: planColumns(fields.value.map((name) => name.trim()), options) };
}
