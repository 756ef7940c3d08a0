import { demandObservations } from "../../../core/internal.ts";
import type { AssetCode, UtcClock, UtcMillis } from "../../../core/mod.ts";
import {
  type Decision,
  type DecisionStep,
  demandSource,
  type Import,
  type ImportAccess,
  type Matching,
  NOTHING_DONE,
  type PendingRecords,
  type Selection,
} from "../shared/imports.ts";
import { assetIds } from "./asset_locks.ts";
import type { Connection, Query } from "./connection.ts";
import { decideSql } from "./decide_and_undo_sql.ts";
import { fromStored, toStored } from "./escape_text.ts";
import { insertImport, lockImport, readImports } from "./imports_table.ts";
import { RECORD, type RecordRow, toRecord } from "./observation_rows.ts";
import { readAround } from "./read_around.ts";
import { readReferences } from "./read_references.ts";
import { undoImport } from "./undo_import.ts";
import { type Changed, change, importWithin } from "./write_records.ts";

/** Smaller batches recompute the same roll-up buckets several times; larger batches block other writers for longer. */
const BEST_BATCH = 20_000;
const DECIDED_AT_ONCE = 10_000;

type DecidedRow = Changed & Readonly<Record<"replaced" | "fresh", number>>;

/** Imports and withdrawals in tables. Several processes may carry out imports at the same time. */
export function createImports(connection: Connection, clock: UtcClock): ImportAccess {
  const { query: ask, transaction, byKey } = connection;

  /** Locks and returns an import to which records can still be added. */
  async function openImport(query: Query, id: number, begun: UtcMillis | undefined): Promise<Import> {
    const row = await lockImport(query, id, begun);
    const isUndone = row.imported.undone !== null || row.undoing;
    if (row.imported.summary || isUndone)
      throw new RangeError(`Cannot add to import ${id} because it is ${isUndone ? "undone" : "finished"}`);
    return row.imported;
  }

  function decide(
    id: number,
    { code, from, to, provider, pending }: Selection,
    { qualityStatus, qualityMessage }: Decision,
    begun?: UtcMillis,
  ): Promise<DecisionStep> {
    return byKey(async (query) => {
      const { time } = await openImport(query, id, begun);
      const asset = (await assetIds(query, [code], "FOR UPDATE")).get(code);
      if (asset === undefined) return { outcome: NOTHING_DONE, more: false };
      const ofProvider = provider === null ? null : toStored(provider);
      const values = [id, asset, from, to, ofProvider, DECIDED_AT_ONCE, toStored(qualityMessage), time, pending];
      const text = decideSql(qualityStatus === "ACCEPTED");
      const { replaced, fresh } = await change<DecidedRow>(query, [text, values]);
      return { outcome: { ...NOTHING_DONE, replaced, repeated: replaced - fresh }, more: replaced >= DECIDED_AT_ONCE };
    });
  }

  async function matching({ code, from, to, provider, pending }: Selection): Promise<Matching> {
    const matching = (table: string, quality: number): string => `SELECT business_time FROM mazaneh.${table}
WHERE asset = (SELECT id FROM mazaneh.assets WHERE code = $1::text) AND business_time >= $2::float8::bigint AND business_time < $3::float8::bigint
  AND quality = ${quality} AND ($4::text IS NULL OR provider = $4::text)`;
    const [row] = await ask<Matching>(
      `SELECT count(*) AS records, min(business_time) AS first, max(business_time) AS last
FROM (${matching("pending", 1)} ${pending ? "" : `UNION ALL ${matching("observations", 0)}`}) AS found`,
      [toStored(code), from, to, provider === null ? null : toStored(provider)],
    );
    return { ...row! };
  }

  async function readPending(code: AssetCode | null, atMost: number): Promise<PendingRecords> {
    const from =
      "FROM mazaneh.pending o JOIN mazaneh.assets a ON a.id = o.asset WHERE ($1::text IS NULL OR a.code = $1::text)";
    const asked = code === null ? null : toStored(code);
    const assets = await ask<Matching & { code: string }>(
      `SELECT a.code, count(*) AS records, min(business_time) AS first, max(business_time) AS last ${from} GROUP BY a.id ORDER BY a.id`,
      [asked],
    );
    const values = await ask<RecordRow & { code: string }>(
      `SELECT a.code, ${RECORD} ${from} ORDER BY o.asset, o.business_time, o.source LIMIT $2::int`,
      [asked, atMost],
    );
    const nameOf = (stored: string): AssetCode => fromStored(stored) as AssetCode;
    return {
      assets: assets.map((row) => ({ ...row, code: nameOf(row.code) })),
      values: values.map((row) => toRecord(nameOf(row.code), row)),
    };
  }

  async function countPending(source: string): Promise<number> {
    const text = "SELECT count(*) AS count FROM mazaneh.pending WHERE source = $1::text";
    return (await ask<{ count: number }>(text, [toStored(source)]))[0]!.count;
  }

  return {
    bestBatch: BEST_BATCH,
    async begin(plan) {
      demandSource(plan.source);
      return transaction((query) => insertImport(query, { ...plan, now: clock() }));
    },
    async append(id, batch, keepExisting, begun) {
      demandObservations(batch);
      return byKey(async (query) => {
        const { time, source } = await openImport(query, id, begun);
        const records = batch.map((observation) => ({ ...observation, insertTime: time }));
        return importWithin(query, records, { source, importId: id, keepExisting });
      });
    },
    finish: (id, summary, begun) =>
      transaction(async (query) => {
        await lockImport(query, id, begun);
        // The caller may repeat this call if its answer was lost. The repetition changes nothing.
        await query("UPDATE mazaneh.imports SET summary = $2::text WHERE id = $1::int AND summary IS NULL", [
          id,
          JSON.stringify(summary),
        ]);
        return (await lockImport(query, id)).imported;
      }),
    list: () => readImports(ask),
    undo: async (id) => ({ pending: false, ...(await undoImport(connection, { id, clock })) }),
    matching,
    decide,
    pending: readPending,
    references: (...asked) => byKey((query) => readReferences(query, asked)),
    countPending,
    around: (keys) => byKey((query) => readAround(query, keys)),
  };
}
