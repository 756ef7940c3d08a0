import { demandObservations, keyOf } from "../../core/internal.ts";
import { Unavailable } from "../../core/mod.ts";
import type { Clock, Observation } from "../../core/mod.ts";
import { NOTHING_DONE, addOutcomes } from "../store/imports.ts";
import type { ImportEntry, ImportOutcome, ImportAccess, Matching, Selection, UndoOutcome, WithdrawalStep } from "../store/imports.ts";
import { insertImport, lockImport, readActRows, toImport } from "./import_rows.ts";
import type { ImportRow } from "./import_rows.ts";
import { importStatements } from "./import_statements.ts";
import { readAround } from "./around.ts";
import { areAscending, batchOf } from "./batch.ts";
import type { Connection, Query } from "./connection.ts";
import { insertNew } from "./insert_new.ts";
import { idsOf, lockAssets, lockForAppend } from "./locks.ts";
import type { LockedAsset } from "./locks.ts";
import type { Schema } from "./schema.ts";
import { toStored } from "./text.ts";
import { undoImport } from "./undo_import.ts";
import { recompute } from "./write.ts";
import type { Changed } from "./write.ts";

/** What acts need of the store. */
export interface ActsPlan {
  readonly connection: Pick<Connection, "query" | "transaction">;
  readonly schema: Schema;
  readonly clock: Clock;
}

/** The acts of an open store. */
export interface PostgresImports extends ImportAccess {
  /** Ends what was begun. */
  close(): Promise<void>;
}

interface StoredRow extends Changed {
  readonly accepted: number;
  readonly unchanged: number;
  readonly differ: number;
  readonly own: number;
  readonly place: number | null;
  readonly was: number | null;
  readonly noted: number;
}

interface StoreOptions {
  readonly assets: readonly LockedAsset[];
  readonly keepExisting: boolean;
}

/**
 * Each record is found by its key. The planner would otherwise keep a plan that it made while the tables were small, and
 * an import would read all of them for each batch.
 */
const BY_KEY = ["seqscan", "bitmapscan", "hashjoin", "mergejoin"].map((way) => `SET LOCAL enable_${way} = off`).join("; ");
/** With fewer, the buckets of the roll-up are made anew several times; with more, others wait longer for the assets. */
const BEST_BATCH = 20_000;
const WITHDRAWN_AT_ONCE = 10_000;
const PENDING_AFTER_MS = 2_000;

/** Imports and withdrawals in tables, which several processes carry out at a time. */
export function createImports({ connection, schema, clock }: ActsPlan): PostgresImports {
  const { query: ask, transaction } = connection;
  const byKey = <T>(work: (query: Query) => Promise<T>): Promise<T> =>
    transaction(async (query) => {
      await query(BY_KEY);
      return work(query);
    });
  const sql = importStatements(schema.sql);
  const undoings = new Map<number, Promise<UndoOutcome>>();
  let isClosing = false;

  async function store(query: Query, { id, time }: ImportRow, part: readonly Observation[], { assets, keepExisting }: StoreOptions): Promise<ImportOutcome> {
    const batch = batchOf(part);
    const inserted = await insertNew(query, schema, batch, { assets, act: { id, time } });
    if (inserted) {
      await recompute(query, schema, inserted);
      return { ...NOTHING_DONE, accepted: batch.length };
    }
    const { places, codes, businessTimes, columns, length } = batch;
    const [prices, sourceTimes, , providers, qualities, messages] = columns;
    const values = [idsOf(places, codes, assets), businessTimes, prices!, sourceTimes!, qualities!, providers!, messages!, time, id, length];
    const [row] = await query<StoredRow>(keepExisting ? sql.add : sql.put, values);
    const { accepted, unchanged, differ, own, place, was, noted } = row!;
    await settle(query, row!, id, noted);
    if (keepExisting) return { ...NOTHING_DONE, accepted, unchanged, kept: differ };
    const { code, businessTime, value } = part[(place ?? 1) - 1]!;
    const largest = was === null ? null : { code, businessTime, from: was, to: value };
    return { accepted, replaced: differ, unchanged, kept: 0, repeated: own, largest };
  }

  async function settle(query: Query, row: Changed, id: number, noted: number): Promise<void> {
    if (row.assets !== "{}") await recompute(query, schema, row);
    if (noted > 0) await query(`UPDATE ${schema.sql}.acts SET noted = noted + $2::int WHERE id = $1::int`, [id, noted]);
  }

  /** An act to which something is added, locked. */
  async function openImport(query: Query, id: number): Promise<ImportRow> {
    const act = await lockImport(query, schema.sql, id);
    const isUndone = act.undone !== null || act.undoing;
    if (act.summary || isUndone) throw new RangeError(`Cannot add to import ${id} as it is ${isUndone ? "undone" : "finished"}`);
    return act;
  }

  async function withdraw(id: number, { code, from, to, provider }: Selection, reason: string): Promise<WithdrawalStep> {
    return transaction(async (query) => {
      const { time } = await openImport(query, id);
      const [asset] = await lockAssets(query, schema, [toStored(code)]);
      if (!asset) return { outcome: NOTHING_DONE, more: false };
      const values = [id, asset.id, from, to, provider === null ? null : toStored(provider), WITHDRAWN_AT_ONCE, toStored(reason), time];
      const [row] = await query<Changed & { replaced: number; noted: number }>(sql.withdraw, values);
      const { replaced, noted } = row!;
      await settle(query, row!, id, noted);
      return { outcome: { ...NOTHING_DONE, replaced }, more: replaced === WITHDRAWN_AT_ONCE };
    });
  }

  async function matching({ code, from, to, provider }: Selection): Promise<Matching> {
    const [row] = await ask<Matching>(
      `SELECT count(*)::float8 AS records, min(business_time)::float8 AS first, max(business_time)::float8 AS last FROM ${schema.sql}.observations
WHERE asset = (SELECT id FROM ${schema.sql}.assets WHERE code = $1::text) AND business_time >= $2::float8::bigint AND business_time < $3::float8::bigint
  AND quality <> 2 AND ($4::text IS NULL OR provider = $4::text)`,
      [toStored(code), from, to, provider === null ? null : toStored(provider)],
    );
    const { records, first, last } = row!;
    return { records, first, last };
  }

  async function list(): Promise<readonly ImportEntry[]> {
    const entries: ImportEntry[] = [];
    for (const row of await readActRows(ask, schema.sql)) {
      const stored = row.summary === null && row.undone === null ? await countStanding(row) : null;
      entries.push({ id: row.id, imported: toImport(row), damage: null, stored });
    }
    return entries;
  }

  async function countStanding({ id, time }: ImportRow): Promise<number> {
    const [row] = await ask<{ n: number }>(`SELECT count(*)::float8 AS n FROM ${schema.sql}.observations WHERE insert_time = $1::float8::bigint AND act = $2::int`, [time, id]);
    return row!.n;
  }

  function proceed(): void {
    if (isClosing) throw new Unavailable("The store is closed; undo goes on when it is asked for again");
  }

  return {
    bestBatch: BEST_BATCH,
    begin: (plan) => transaction((query) => insertImport(query, schema.sql, plan, clock())),
    async append(id, batch, keepExisting) {
      demandObservations(batch);
      return byKey(async (query) => {
        const act = await openImport(query, id);
        const assets = await lockForAppend(query, schema, [...new Set(batch.map(({ code }) => toStored(code)))]);
        let outcome = NOTHING_DONE;
        for (const part of withoutRepetition(batch)) outcome = addOutcomes(outcome, await store(query, act, part, { assets, keepExisting }));
        return outcome;
      });
    },
    finish: (id, summary) =>
      transaction(async (query) => {
        await lockImport(query, schema.sql, id);
        // It may be asked for twice, as the answer to the first time was lost.
        await query(`UPDATE ${schema.sql}.acts SET summary = $2::text WHERE id = $1::int AND summary IS NULL`, [id, JSON.stringify(summary)]);
        return toImport(await lockImport(query, schema.sql, id));
      }),
    list,
    async undo(id) {
      const undoing = undoings.get(id) ?? undoImport({ connection, schema, statement: sql.undo, now: clock, proceed }, id).finally(() => undoings.delete(id));
      undoings.set(id, undoing);
      let timer: ReturnType<typeof setTimeout> | undefined;
      const pending = new Promise<undefined>((resolve) => (timer = setTimeout(() => resolve(undefined), PENDING_AFTER_MS)));
      const outcome = await Promise.race([undoing, pending]).finally(() => clearTimeout(timer));
      return outcome ? { pending: false, ...outcome } : { pending: true };
    },
    matching,
    withdraw,
    around: (keys, counted = new Map()) => byKey((query) => readAround(query, schema.sql, keys, counted)),
    async close() {
      isClosing = true;
      await Promise.allSettled(undoings.values());
    },
  };
}

/** The batch in parts in which no record occurs twice: the next part finds what the one before has stored. */
function withoutRepetition(batch: readonly Observation[]): readonly (readonly Observation[])[] {
  if (areAscending(batch)) return [batch];
  const times = new Map<string, number>();
  const parts: Observation[][] = [];
  for (const observation of batch) {
    const key = keyOf(observation);
    const nth = times.get(key) ?? 0;
    times.set(key, nth + 1);
    (parts[nth] ??= []).push(observation);
  }
  return parts;
}
