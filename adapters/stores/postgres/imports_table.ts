import type { UtcMillis } from "../../../core/mod.ts";
import {
  type Import,
  type ImportEntry,
  type ImportPlan,
  NO_PROCESS,
  REMEMBERED_IMPORTS,
  REMEMBERED_RECORDS,
} from "../shared/imports.ts";
import type { Query } from "./connection.ts";

/** A row of the table of imports. */
export interface ImportRow {
  readonly imported: Import;
  /** Whether an undo has begun and not ended. */
  readonly undoing: boolean;
  /** The outcome of the undo up to now. */
  readonly restored: number;
  readonly removed: number;
}

/** An unfinished import that is younger than this may still be running, so it is not removed. */
const RUNNING_MS = 86_400_000;

// This program has written the JSON in `subjects` and `summary`.
const IMPORT = `json_build_object('id', id, 'type', type, 'time', time, 'subjects', subjects::json, 'source', source, 'by', json_build_object('pid', pid, 'host', host), 'summary', summary::json,
  'undone', CASE WHEN undone IS NOT NULL THEN json_build_object('time', undone, 'restored', restored, 'removed', removed) END)::text AS imported`;

/** How many records of an unfinished import there are; NULL for another import. */
const STORED = `CASE WHEN summary IS NULL AND undone IS NULL THEN
  (SELECT count(*) FROM mazaneh.observations WHERE insert_time = time AND import = imports.id) + (SELECT count(*) FROM mazaneh.pending WHERE import = imports.id)
END`;

async function readRows<Row>(query: Query, text: string, values: readonly number[]): Promise<readonly Row[]> {
  const rows = await query<Row & { readonly imported: string }>(text, values);
  return rows.map((row) => ({ ...row, imported: JSON.parse(row.imported) as Import }));
}

/** All imports, newest first. */
export function readImports(query: Query): Promise<readonly ImportEntry[]> {
  return readRows(query, `SELECT ${IMPORT}, ${STORED} AS stored FROM mazaneh.imports ORDER BY id DESC`, []);
}

/**
 * Reads and locks an import, so that only this process can change it. Throws `RangeError` if it does not exist, or did
 * not begin at `begun`: a restored database gives the numbers of lost imports again.
 */
export async function lockImport(query: Query, id: number, begun?: UtcMillis): Promise<ImportRow> {
  const [found] = await readRows<ImportRow>(
    query,
    `SELECT ${IMPORT}, undoing, restored, removed FROM mazaneh.imports WHERE id = $1::int FOR UPDATE`,
    [id],
  );
  if (!found) throw new RangeError(`There is no import ${id}`);
  if (begun !== undefined && found.imported.time !== begun)
    throw new RangeError(`There is no import ${id} any more: after a restore, its number was given to another import`);
  return found;
}

/** Adds an import to the table, and removes the oldest imports. The lock only blocks other calls of this function. */
export async function insertImport(
  query: Query,
  { type, subjects, source, by, now }: ImportPlan & { readonly now: UtcMillis },
): Promise<Import> {
  await query("LOCK TABLE mazaneh.imports IN SHARE UPDATE EXCLUSIVE MODE");
  await forgetOldImports(query, now);
  const [next] = await query<{ id: number }>(
    `INSERT INTO mazaneh.imports (id, type, time, subjects, source, pid, host)
SELECT coalesce(max(id), 0) + 1, $1::text, $2::float8::bigint, $3::text, $4::text, $5::int, $6::text FROM mazaneh.imports RETURNING id`,
    [type, now, JSON.stringify(subjects), source, by.pid, by.host],
  );
  return (await lockImport(query, next!.id)).imported;
}

/** Removes the oldest imports and their undo records. Removed imports cannot be undone. Pushed prices count apart. */
async function forgetOldImports(query: Query, now: UtcMillis): Promise<void> {
  await query(
    `DELETE FROM mazaneh.imports WHERE id IN (
       SELECT id FROM (
         SELECT id, summary, undone, time, max(id) OVER () AS last, sum(noted) OVER newest AS records,
           row_number() OVER (PARTITION BY pid = ${NO_PROCESS.pid} ORDER BY id DESC) AS nth
         FROM mazaneh.imports WINDOW newest AS (ORDER BY id DESC)
       ) AS numbered
       WHERE id < last AND (nth > ${REMEMBERED_IMPORTS} OR records > ${REMEMBERED_RECORDS})
         AND (summary IS NOT NULL OR undone IS NOT NULL OR time < $1::float8)
     )`,
    [now - RUNNING_MS],
  );
}
