import { err, ok } from "../../../core/internal.ts";
import type { Result } from "../../../core/mod.ts";
import { planColumns } from "./columns.ts";
import { splitCsv } from "./csv.ts";
import { CSV_FAULTS } from "./csv_rows.ts";
import type { FormatOptions } from "./dialect.ts";
import { parseJsonLine } from "./json_rows.ts";
import type { SplitLine } from "./lines.ts";
import type { Layout } from "./reading.ts";
import { CELL_SEPARATOR } from "./workbook.ts";
import type { CsvHeader, Table } from "./table.ts";
import { createCsvTable, createObjectTable } from "./table.ts";

/** A table, and the first of the sample's lines that it reads. */
export interface FoundTable {
  readonly table: Table<SplitLine>;
  readonly start: number;
}

const SEPARATORS: readonly (readonly [separator: string, layout: Layout])[] = [
  [",", "CSV"], [";", "CSV with semicolons"], ["\t", "CSV with tabs"], [CELL_SEPARATOR, "Excel"],
];
/** How many lines may be titles: spreadsheets have them above the header. */
const MAX_TITLE_LINES = 20;
const NOT_UTF8_ADVICE = '; spreadsheets save it as "CSV UTF-8"';

/** Finds the table in the first lines of a file, the first of which is not blank; the failure says why the file cannot be read. */
export function findTable(sample: readonly SplitLine[], options: FormatOptions): Result<FoundTable, string> {
  const [line] = sample;
  if (!line) return err("it is empty");
  if ("fault" in line) return err(`line ${line.number} should be the header: ${line.fault}${line.fault.endsWith("UTF-8 text") ? NOT_UTF8_ADVICE : ""}`);
  if (line.text.includes("\0")) return err(`it is not UTF-8 text${NOT_UTF8_ADVICE}`);
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

/** The first line with the columns that are wanted, by any separator, is the header. */
function findCsv(sample: readonly SplitLine[], options: FormatOptions): Result<FoundTable, string> {
  let fault = "it has no header";
  let mostFields = 0;
  for (const [at, line] of sample.slice(0, MAX_TITLE_LINES).entries()) {
    if ("fault" in line) continue;
    for (const [separator, layout] of SEPARATORS) {
      const header = readHeader(line.text, separator, options);
      if (header.plan.ok) {
        const table = createCsvTable({ layout, separator, number: line.number, text: line.text, plan: header.plan.value }, sample.slice(at + 1), options);
        return table.ok ? ok({ table: table.value, start: at + 1 }) : table;
      }
      // Of the lines that are no header, the message is about the one that looks most like it.
      if (header.fields <= mostFields) continue;
      mostFields = header.fields;
      fault = header.plan.error;
    }
  }
  return err(fault);
}

function readHeader(text: string, separator: string, options: FormatOptions): { readonly fields: number; readonly plan: Result<CsvHeader["plan"], string> } {
  const fields = splitCsv(text, separator);
  if (!fields.ok) return { fields: 1, plan: err(`its header cannot be read: ${CSV_FAULTS[fields.error]}`) };
  return { fields: fields.value.length, plan: planColumns(fields.value.map((name) => name.trim()), options) };
}
