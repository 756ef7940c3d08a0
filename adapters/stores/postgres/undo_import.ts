import type { UtcClock } from "../../../core/mod.ts";
import { storedBy, type UndoOutcome } from "../shared/imports.ts";
import type { Connection, Query } from "./connection.ts";
import { undoSql } from "./decide_and_undo_sql.ts";
import { lockImport } from "./imports_table.ts";
import type { Schema } from "./schema.ts";
import { type Changed, change } from "./write_records.ts";

interface UndoneRow extends Changed {
  readonly restored: number;
  readonly removed: number;
  /** The last business time that was looked at; `null` where there was none. */
  readonly last: number | null;
}

/** As many records as one transaction takes: other writers of their assets wait for it. */
const BATCH = 5_000;

/** The records of one asset that an import has stored or taken away, from the first to the last. */
interface Span {
  readonly asset: number;
  readonly first: number;
  readonly last: number;
}

/**
 * Undoes an import in transactions of limited size, each of which counts what it has done: broken off, it goes on where it
 * was. Two at a time, also in two processes, share the work.
 */
export async function undoImport(
  connection: Connection,
  schema: Schema,
  { id, clock }: { readonly id: number; readonly clock: UtcClock },
): Promise<UndoOutcome> {
  await connection.transaction(async (query) => {
    await lockImport(query, schema.sql, id);
    // From here on nothing is added to it.
    await query(`UPDATE ${schema.sql}.imports SET undoing = true WHERE id = $1::int`, [id]);
  });
  const done = { restored: 0, removed: 0 };
  for (const span of await spansOf(connection.query, schema.sql, id)) {
    for (let from = span.first; from <= span.last; ) {
      const step = await connection.byKey((query) => undoSome(query, schema, { ...span, id, first: from }));
      done.restored += step.restored;
      done.removed += step.removed;
      from = step.last === null ? Infinity : step.last + 1;
    }
  }
  return connection.transaction(async (query) => {
    const { undone } = (await lockImport(query, schema.sql, id)).imported;
    const time = undone && done.restored + done.removed === 0 ? undone.time : clock();
    await query(`UPDATE ${schema.sql}.imports SET undoing = false, undone = $2::float8::bigint WHERE id = $1::int`, [
      id,
      time,
    ]);
    const { imported, restored, removed } = await lockImport(query, schema.sql, id);
    return {
      imported,
      ...done,
      replacedSince: imported.summary && Math.max(0, storedBy(imported.summary) - restored - removed),
      unknown: 0,
    };
  });
}

/** Finds the assets whose records are still as the import has stored them, or from which it has taken pending ones away, and how far these reach. */
async function spansOf(query: Query, schema: string, id: number): Promise<readonly Span[]> {
  return query<Span>(
    `SELECT asset, min(business_time)::float8 AS first, max(business_time)::float8 AS last FROM (
  SELECT asset, business_time FROM ${schema}.observations WHERE import = $1::int AND insert_time = (SELECT time FROM ${schema}.imports WHERE id = $1::int)
  UNION ALL SELECT asset, business_time FROM ${schema}.pending WHERE import = $1::int
  UNION ALL SELECT asset, business_time FROM ${schema}.undo_records WHERE by_import = $1::int AND taken
) AS touched GROUP BY asset ORDER BY asset`,
    [id],
  );
}

/** Undoes the first records of a span. */
async function undoSome(
  query: Query,
  schema: Schema,
  { id, asset, first, last }: Span & { readonly id: number },
): Promise<UndoneRow> {
  await lockImport(query, schema.sql, id);
  await query(`SELECT FROM ${schema.sql}.assets WHERE id = $1::int FOR UPDATE`, [asset]);
  return change<UndoneRow>(query, schema, [undoSql(schema.sql), [id, asset, first, last, BATCH]]);
}
