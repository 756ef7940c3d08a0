import type { UtcClock } from "../../../core/mod.ts";
import { type Import, storedBy, type UndoOutcome } from "../shared/imports.ts";
import type { Connection, Query } from "./connection.ts";
import { UNDO } from "./decide_and_undo_sql.ts";
import { lockImport } from "./imports_table.ts";
import { type Changed, change } from "./write_records.ts";

type UndoneRow = Changed & Readonly<Record<"restored" | "removed", number>>;

/** How many records one transaction changes. A transaction blocks other writers of its assets. */
const BATCH = 5_000;

/** Up to `BATCH` business times of one asset at which an import has stored or taken away records. */
interface Span {
  readonly asset: number;
  readonly first: number;
  readonly last: number;
}

/** Undoes an import in short transactions. An interrupted undo can continue, and concurrent calls share the work. */
export async function undoImport(
  connection: Connection,
  { id, clock }: { readonly id: number; readonly clock: UtcClock },
): Promise<UndoOutcome> {
  const begun = await connection.transaction(async (query) => {
    const { imported } = await lockImport(query, id);
    // After this transaction, nothing can be added to the import.
    await query("UPDATE mazaneh.imports SET undoing = true WHERE id = $1::int", [id]);
    return imported;
  });
  const done = { restored: 0, removed: 0 };
  for (const { asset, first, last } of await connection.byKey((query) => spansOf(query, begun))) {
    const step = await connection.byKey(async (query) => {
      await lockImport(query, id);
      await query("SELECT FROM mazaneh.assets WHERE id = $1::int FOR UPDATE", [asset]);
      await query(BY_INSERT_TIME);
      return change<UndoneRow>(query, [UNDO, [id, asset, first, last, begun.time]]);
    });
    done.restored += step.restored;
    done.removed += step.removed;
  }
  return connection.transaction(async (query) => {
    const { undone } = (await lockImport(query, id)).imported;
    const time = undone && done.restored + done.removed === 0 ? undone.time : clock();
    const ended = "UPDATE mazaneh.imports SET undoing = false, undone = $2::float8::bigint WHERE id = $1::int";
    await query(ended, [id, time]);
    const { imported, restored, removed } = await lockImport(query, id);
    const replacedSince = imported.summary && Math.max(0, storedBy(imported.summary) - restored - removed);
    return { imported, ...done, replacedSince, unknown: 0 };
  });
}

/** The BRIN index of insert times needs bitmap scans. */
const BY_INSERT_TIME = "SET LOCAL enable_bitmapscan = on";

/** Finds the import's records that are still unchanged, and the times of pending records that it took away. */
async function spansOf(query: Query, { id, time }: Import): Promise<readonly Span[]> {
  await query(BY_INSERT_TIME);
  return query<Span>(
    `SELECT asset, min(business_time) AS first, max(business_time) AS last FROM (
  SELECT asset, business_time, (row_number() OVER (PARTITION BY asset ORDER BY business_time) - 1) / ${BATCH} AS nth FROM (
    SELECT asset, business_time FROM mazaneh.observations WHERE import = $1::int AND insert_time = $2::float8::bigint
    UNION ALL SELECT asset, business_time FROM mazaneh.pending WHERE import = $1::int
    UNION ALL SELECT asset, business_time FROM mazaneh.undo_records WHERE by_import = $1::int AND taken
  ) AS touched
) AS numbered GROUP BY asset, nth ORDER BY asset, nth`,
    [id, time],
  );
}
