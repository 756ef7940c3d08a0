import type { AppendOutcome, Observation, ObservationKey } from "../../core/mod.ts";
import { NOTHING_DONE, addOutcomes } from "../store/imports.ts";
import type { ImportOutcome } from "../store/imports.ts";
import { arrayOf, codesOf, columnsOf, lastOfEachKey, withoutRepetition } from "./batch.ts";
import type { Query, SqlValue } from "./connection.ts";
import { assetsOf, lockAssets, lockForAppend } from "./locks.ts";
import type { LockedAssets } from "./locks.ts";
import type { Schema } from "./schema.ts";
import { writeStatements } from "./write_statements.ts";

/** What was changed, as arrays of SQL. */
export interface Changed {
  /** The buckets of the roll-up: asset and start of each. */
  readonly ids: string;
  readonly starts: string;
  /** The assets in which anything has changed. */
  readonly assets: string;
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

/** Stores records within a transaction, of those with one key the last. Their assets stay locked until the end of it. */
export async function appendWithin(query: Query, schema: Schema, observations: readonly Observation[]): Promise<AppendOutcome> {
  const assets = await lockForAppend(query, schema, codesOf(observations));
  const { last, copies } = lastOfEachKey(observations);
  const { accepted, unchanged } = await store(query, schema, { text: writeStatements(schema.sql).replace, part: last, assets, importId: null, copies });
  return { accepted, replaced: observations.length - accepted - unchanged, unchanged };
}

/** The import that stores records. */
export interface Importing {
  readonly importId: number;
  /** Whether records that are there stay. */
  readonly keepExisting: boolean;
}

/** Stores a part of an import within a transaction. */
export async function importWithin(query: Query, schema: Schema, observations: readonly Observation[], { importId, keepExisting }: Importing): Promise<ImportOutcome> {
  const { keep, replaceNoting } = writeStatements(schema.sql);
  const assets = await lockForAppend(query, schema, codesOf(observations));
  let outcome = NOTHING_DONE;
  for (const part of withoutRepetition(observations)) {
    const row = await store(query, schema, { text: keepExisting ? keep : replaceNoting, part, assets, importId, copies: "{}" });
    const { accepted, unchanged, differ, own, place, was, noted } = row;
    await addNoted(query, schema, { importId, noted });
    const { code, businessTime, value } = part[(place ?? 1) - 1]!;
    const largest = was === null || keepExisting ? null : { code, businessTime, from: was, to: value };
    const known = keepExisting ? { replaced: 0, kept: differ, repeated: 0 } : { replaced: differ, kept: 0, repeated: own };
    outcome = addOutcomes(outcome, { accepted, unchanged, ...known, largest });
  }
  return outcome;
}

interface Storing {
  /** The statement. */
  readonly text: string;
  readonly part: readonly Observation[];
  readonly assets: LockedAssets;
  readonly importId: number | null;
  readonly copies: string;
}

function store(query: Query, schema: Schema, { text, part, assets, importId, copies }: Storing): Promise<StoredRow> {
  return change<StoredRow>(query, schema, [text, [assetsOf(part, assets), ...columnsOf(part), importId, part.length, copies]]);
}

/** Counts the records that an import has noted for its undo. */
export async function addNoted(query: Query, schema: Schema, { importId, noted }: { readonly importId: number; readonly noted: number }): Promise<void> {
  if (noted > 0) await query(`UPDATE ${schema.sql}.imports SET noted = noted + $2::int WHERE id = $1::int`, [importId, noted]);
}

/** Removes records within a transaction; tells how many there were. */
export async function removeWithin(query: Query, schema: Schema, keys: readonly ObservationKey[]): Promise<number> {
  const assets = await lockAssets(query, schema, codesOf(keys));
  const times = arrayOf(keys.map(({ businessTime }) => businessTime));
  return (await change<Changed & { removed: number }>(query, schema, [writeStatements(schema.sql).remove, [assetsOf(keys, assets), times]])).removed;
}

/** Runs a statement that changes observations of locked assets, and keeps up what is derived from them. */
export async function change<Row extends Changed>(query: Query, schema: Schema, [text, values]: readonly [text: string, values: readonly SqlValue[]]): Promise<Row> {
  const [row] = await query<Row>(text, values);
  const { ids, starts, assets } = row!;
  if (assets !== "{}") await query(writeStatements(schema.sql).recompute, [ids, starts, assets]);
  return row!;
}
