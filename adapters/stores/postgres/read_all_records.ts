import { type AssetCode, type Observation, QUALITY_STATUSES } from "../../../core/mod.ts";
import type { StoredRecord } from "../shared/imports.ts";
import type { Connection, Query, SqlValue } from "./connection.ts";
import { fromStored } from "./escape_text.ts";
import { type RecordRow, recordColumns, toRecord } from "./observation_rows.ts";
import type { Schema } from "./schema.ts";

/** Rows that are read at a time. */
const PAGE_ROWS = 10_000;

/**
 * Every observation, of one state of the data: by asset in the order in which they came to be, then by status, then by
 * business time. It takes a connection and keeps that state until it ends, or is ended by `return`.
 */
export async function* readRecords(
  connection: Pick<Connection, "beginReading">,
  schema: Schema,
): AsyncGenerator<Observation> {
  const { query, end } = await connection.beginReading();
  let failure: unknown;
  try {
    for await (const { source: _, import: __, ...observation } of recordsWithin(query, schema)) yield observation;
  } catch (error) {
    failure = error;
    throw error;
  } finally {
    await end(failure);
  }
}

/** The same within a transaction, as they are stored. */
export async function* recordsWithin(query: Query, { sql }: Schema): AsyncGenerator<StoredRecord> {
  const assets = await query<{ id: number; code: string }>(`SELECT id, code FROM ${sql}.assets ORDER BY id`, []);
  for (const { id, code: stored } of assets) {
    const code = fromStored(stored) as AssetCode;
    for (const [quality, status] of QUALITY_STATUSES.entries()) {
      const isPending = status === "PENDING";
      const key = isPending ? "o.business_time, o.source" : "o.business_time";
      // The quality is written into the text, so that the index of rejected ones is used.
      const text = `SELECT ${recordColumns("o")} FROM ${sql}.${isPending ? "pending" : "observations"} o
  WHERE o.asset = $1::integer AND o.quality = ${quality} AND (${key}) > ($2::float8::bigint${isPending ? ", $3::text" : ""}) ORDER BY ${key} LIMIT ${PAGE_ROWS}`;
      let after: readonly SqlValue[] = isPending ? [-Number.MAX_SAFE_INTEGER, ""] : [-Number.MAX_SAFE_INTEGER];
      for (let full = true; full; ) {
        const rows = await query<RecordRow>(text, [id, ...after]);
        for (const row of rows) yield toRecord(code, row);
        full = rows.length === PAGE_ROWS;
        if (full) after = isPending ? [rows.at(-1)!.time, rows.at(-1)!.source] : [rows.at(-1)!.time];
      }
    }
  }
}
