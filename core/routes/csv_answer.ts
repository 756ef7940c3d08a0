import { type CsvCell, csvRecord } from "../bytes/csv.ts";
import { weightsOf } from "../http/headers.ts";
import type { RequestFields } from "../http/messages.ts";
import type { Answer } from "../http/respond.ts";

/** Whether `Accept` names `text/csv` and prefers it to JSON. CSV beats a wildcard of equal weight. RFC 9110, 12.5.1. */
export function prefersCsv(headers: RequestFields): boolean {
  const accept = headers.get("accept");
  if (typeof accept !== "string" || !accept.toLowerCase().includes("text/csv")) return false;
  const weights = weightsOf(accept);
  const csv = weights.get("text/csv") ?? 0;
  const json = weights.get("application/json");
  if (json !== undefined) return csv > json;
  return csv > 0 && csv >= (weights.get("application/*") ?? weights.get("*/*") ?? 0);
}

/** An answer with a body in CSV. The answer is not cached, and its tag differs from the tag of the JSON. */
export function csvAnswer({ fields, tag }: Answer, body: string | Uint8Array): Answer {
  const [stem] = tag?.split("-", 1) ?? [];
  return { body, contentType: "text/csv; charset=utf-8", fields, ...(stem && { tag: `${stem}.csv` }) };
}

/** A table as CSV. Each row has a cell for each column. */
export function csvTable<Column extends string>(
  columns: readonly Column[],
  rows: readonly Readonly<Record<Column, CsvCell>>[],
): string {
  const lines = [columns, ...rows.map((row) => columns.map((name) => row[name]))];
  return lines.map((cells) => `${csvRecord(cells)}\n`).join("");
}
