import { err, ok, parseObject, unguardFormula } from "../../core/internal.ts";
import type { RawRecord, Result } from "../../core/mod.ts";
import { splitCsv } from "../csv/csv.ts";
import { createCsvRows } from "../csv/csv_rows.ts";
import { COLUMNS } from "../csv/record_columns.ts";
import type { Column, RefusedRow, Row } from "../csv/record_columns.ts";

/** A record of a body, or the reason why there is none. The place is its line or, in a JSON array, its number; both count from 1. */
export type ReadRecord = { readonly place: number; readonly record: RawRecord } | { readonly place: number; readonly reason: string };

/** The readers by the media types of bodies; the failure says why a body has no records. */
export const READERS: ReadonlyMap<string, (text: string) => Result<readonly ReadRecord[], string>> = new Map([
  ["application/json", readArray],
  ["application/x-ndjson", readLines],
  ["text/csv", readCsv],
]);

const NEEDED: readonly Column[] = ["code", "value", "businessTime"];

function readArray(text: string): Result<readonly ReadRecord[], string> {
  try {
    const list: unknown = JSON.parse(text);
    // Nothing is known of the records; they are checked one by one.
    if (Array.isArray(list)) return ok(list.map((record: unknown, at) => ({ place: at + 1, record: record as RawRecord })));
  } catch {
    // No JSON, or nested deeper than the runtime reads.
  }
  return err("The body must be a JSON array of records; one record a line is application/x-ndjson");
}

function readLines(text: string): Result<readonly ReadRecord[], string> {
  return ok(linesOf(text).flatMap((line, at) => {
    if (line.trim() === "") return [];
    const record = parseObject(line);
    return [record ? { place: at + 1, record } : { place: at + 1, reason: "the line is not a JSON object" }];
  }));
}

function readCsv(text: string): Result<readonly ReadRecord[], string> {
  const lines = linesOf(text);
  const header = lines.findIndex((line) => line.trim() !== "");
  const names = splitCsv(lines[header] ?? "");
  const columns = names.ok ? names.value.map((name) => COLUMNS.find((column) => column === name.trim())) : [];
  const missing = NEEDED.filter((column) => !columns.includes(column));
  if (missing.length > 0) return err(`The first line of CSV must name the columns, commas between them: ${missing.join(", ")} missing`);
  const splitter = createCsvRows(",", lines[header]!);
  const rows: (Row | RefusedRow)[] = [];
  for (let at = header + 1; at < lines.length; at++) splitter.read({ number: at + 1, text: lines[at]! }, rows);
  splitter.end(rows);
  return ok(rows.map((row) => {
    if ("reason" in row) return { place: row.line, reason: row.reason };
    if (row.cells.length > columns.length) return { place: row.line, reason: `the row has ${row.cells.length} fields, and the header ${columns.length}` };
    const cells = columns.flatMap((column, at) => (column === undefined || !row.cells[at] ? [] : [[column, unguardFormula(String(row.cells[at]))]]));
    return { place: row.line, record: Object.fromEntries(cells) as RawRecord };
  }));
}

function linesOf(text: string): readonly string[] {
  return text.split(/\r?\n/);
}
