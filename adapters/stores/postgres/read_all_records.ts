import type { AssetCode, Observation } from "../../../core/mod.ts";
import type { Connection, Query } from "./connection.ts";
import { fromStored } from "./escape_text.ts";
import { type ObservationRow, observationColumns, toObservation } from "./observation_rows.ts";
import type { Schema } from "./schema.ts";

/** Rows that are read at a time. */
const PAGE_ROWS = 10_000;
const STATUS_COUNT = 3;

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
    yield* recordsWithin(query, schema);
  } catch (error) {
    failure = error;
    throw error;
  } finally {
    await end(failure);
  }
}

/** The same within a transaction. */
export async function* recordsWithin(query: Query, { sql }: Schema): AsyncGenerator<Observation> {
  const assets = await query<{ id: number; code: string }>(`SELECT id, code FROM ${sql}.assets ORDER BY id`, []);
  for (const { id, code: stored } of assets) {
    const code = fromStored(stored) as AssetCode;
    for (let quality = 0; quality < STATUS_COUNT; quality++) {
      // Written into the text, so that the index of those not accepted is used.
      const text = `SELECT ${observationColumns("o")} FROM ${sql}.observations o
  WHERE o.asset = $1::integer AND o.quality = ${quality} AND o.business_time > $2::float8::bigint ORDER BY o.business_time LIMIT ${PAGE_ROWS}`;
      let after = -Number.MAX_SAFE_INTEGER;
      for (let full = true; full; ) {
        const rows = await query<ObservationRow>(text, [id, after]);
        for (const row of rows) yield toObservation(code, row);
        full = rows.length === PAGE_ROWS;
        after = rows.at(-1)?.time ?? after;
      }
    }
  }
}
