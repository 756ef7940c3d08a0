import type { UtcMillis } from "../../core/mod.ts";
import { storedBy } from "../store/imports.ts";
import type { UndoOutcome } from "../store/imports.ts";
import { lockImport, toImport } from "./import_rows.ts";
import type { Connection, Query } from "./connection.ts";
import type { Schema } from "./schema.ts";
import { recompute } from "./write.ts";
import type { Changed } from "./write.ts";

/** What undoing needs of the store. */
export interface UndoPlan {
  readonly connection: Pick<Connection, "query" | "transaction">;
  readonly schema: Schema;
  /** `undo` of `importStatements`. */
  readonly statement: string;
  now(): UtcMillis;
  /** Called before each transaction; throws where the undoing is to stop. */
  proceed(): void;
}

interface UndoneRow extends Changed {
  readonly restored: number;
  readonly removed: number;
  /** The last business time that was looked at; `null` where there was none. */
  readonly last: number | null;
}

/** As many records as one transaction takes: other writers of their assets wait for it. */
const BATCH = 5_000;

/** The records of one asset that an act has stored, from the first to the last. */
interface Span {
  readonly asset: number;
  readonly first: number;
  readonly last: number;
}

/**
 * Undoes an act in transactions of limited size, each of which counts what it has done: broken off, it goes on where it
 * was. Two at a time, also in two processes, share the work.
 */
export async function undoImport(plan: UndoPlan, id: number): Promise<UndoOutcome> {
  const { connection, schema, now, proceed } = plan;
  await connection.transaction(async (query) => {
    await lockImport(query, schema.sql, id);
    // From here on nothing is added to it.
    await query(`UPDATE ${schema.sql}.acts SET undoing = true WHERE id = $1::int`, [id]);
  });
  const done = { restored: 0, removed: 0 };
  for (const span of await spansOf(connection.query, schema.sql, id)) {
    for (let from = span.first; from <= span.last; ) {
      proceed();
      const step = await connection.transaction((query) => undoSome(query, plan, id, { ...span, first: from }));
      done.restored += step.restored;
      done.removed += step.removed;
      from = step.next;
    }
  }
  return connection.transaction(async (query) => {
    const { undone } = await lockImport(query, schema.sql, id);
    const time = undone && done.restored + done.removed === 0 ? undone.time : now();
    await query(`UPDATE ${schema.sql}.acts SET undoing = false, undone = $2::float8::bigint WHERE id = $1::int`, [id, time]);
    const imported = await lockImport(query, schema.sql, id);
    const replacedSince = imported.summary && storedBy(imported.summary) - imported.restored - imported.removed;
    return { imported: toImport(imported), ...done, replacedSince, unknown: 0 };
  });
}

/** Finds the assets of which records stand as the act has stored them, and how far they reach. */
async function spansOf(query: Query, schema: string, id: number): Promise<readonly Span[]> {
  return query<Span>(
    `SELECT asset, min(business_time)::float8 AS first, max(business_time)::float8 AS last FROM ${schema}.observations
WHERE act = $1::int AND insert_time = (SELECT time FROM ${schema}.acts WHERE id = $1::int) GROUP BY asset ORDER BY asset`,
    [id],
  );
}

/** Undoes the first records of a span; gives where to go on. */
async function undoSome(query: Query, { schema, statement }: Pick<UndoPlan, "schema" | "statement">, id: number, { asset, first, last }: Span): Promise<{ restored: number; removed: number; next: number }> {
  await lockImport(query, schema.sql, id);
  await query(`SELECT FROM ${schema.sql}.assets WHERE id = $1::int FOR UPDATE`, [asset]);
  const [row] = await query<UndoneRow>(statement, [id, asset, first, last, BATCH]);
  const { restored, removed, last: reached } = row!;
  if (restored + removed > 0) await recompute(query, schema, row!);
  return { restored, removed, next: reached === null ? Infinity : reached + 1 };
}
