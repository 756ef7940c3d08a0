import { csvRecord } from "../bytes/csv.ts";
import { weightsOf } from "../http/headers.ts";
import type { RequestFields } from "../http/messages.ts";
import type { Answer, Table } from "./handler.ts";

/**
 * Whether a caller prefers CSV: `Accept` names `text/csv`, with a higher weight than `application/json` if it names that, too. A wildcard
 * prefers nothing.
 */
export function prefersCsv(headers: RequestFields): boolean {
  const accept = headers.get("accept");
  if (typeof accept !== "string" || !accept.toLowerCase().includes("text/csv")) return false;
  const weights = weightsOf(accept);
  return (weights.get("text/csv") ?? 0) > (weights.get("application/json") ?? 0);
}

/** The answer with its table as CSV. It is not cached; its tag is one of its own, as its bytes are. */
export function csvAnswer({ fields, tag }: Answer, { columns, rows }: Table): Answer {
  const body = [columns, ...rows.map((row) => columns.map((name) => row[name]!))]
    .map((cells) => `${csvRecord(cells)}\n`)
    .join("");
  return { body, contentType: "text/csv; charset=utf-8", fields, ...(tag && { tag: { stem: `${tag.stem}.csv` } }) };
}
