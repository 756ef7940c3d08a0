import { withoutHiding } from "../../../core/internal.ts";
import type { AppendOutcome, Observation, ObservationKey } from "../../../core/mod.ts";
import { addOutcomes, type ImportOutcome, NOTHING_DONE } from "../shared/imports.ts";
import { assetsOf, lockAssets, lockForAppend } from "./asset_locks.ts";
import { arrayOf, codesOf, columnsOf, lastOfEachKey, withoutRepetition } from "./batch_columns.ts";
import type { Query, SqlValue } from "./connection.ts";
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
  readonly hides: number;
  readonly differ: number;
  readonly own: number;
  readonly place: number | null;
  readonly was: number | null;
}

/** Stores records within a transaction, of those with one key the last. Their assets stay locked until the end of it. */
export async function appendWithin(
  query: Query,
  schema: Schema,
  observations: readonly Observation[],
): Promise<AppendOutcome> {
  const assets = await lockForAppend(query, schema, codesOf(observations));
  const shown = withoutHiding(observations, () => false); // What is stored, the statement knows.
  const { last, copies } = lastOfEachKey(shown);
  const values = [assetsOf(last, assets), ...columnsOf(last), null, last.length, copies];
  const { accepted, unchanged, hides } = await change<StoredRow>(query, schema, [
    writeStatements(schema.sql).replace,
    values,
  ]);
  const kept = observations.length - shown.length + hides;
  return {
    accepted,
    replaced: observations.length - accepted - unchanged - kept,
    unchanged,
    ...(kept > 0 && { kept }),
  };
}

/** Stores a part of an import within a transaction. With `keepExisting`, records that are there stay. */
export async function importWithin(
  query: Query,
  schema: Schema,
  observations: readonly Observation[],
  options: { readonly importId: number; readonly keepExisting: boolean },
): Promise<ImportOutcome> {
  const { importId, keepExisting } = options;
  const { keep, replaceNoting } = writeStatements(schema.sql);
  const assets = await lockForAppend(query, schema, codesOf(observations));
  let outcome = NOTHING_DONE;
  for (const part of withoutRepetition(observations)) {
    const values = [assetsOf(part, assets), ...columnsOf(part), importId, part.length, "{}"];
    const { accepted, unchanged, hides, differ, own, place, was } = await change<StoredRow>(query, schema, [
      keepExisting ? keep : replaceNoting,
      values,
    ]);
    const { code, businessTime, value } = part[(place ?? 1) - 1]!;
    const largest = was === null || keepExisting ? null : { code, businessTime, from: was, to: value };
    const known = keepExisting
      ? { replaced: 0, kept: differ + hides, repeated: 0 }
      : { replaced: differ, kept: hides, repeated: own };
    outcome = addOutcomes(outcome, { accepted, unchanged, ...known, largest });
  }
  return outcome;
}

/** Removes records within a transaction; tells how many there were. */
export async function removeWithin(query: Query, schema: Schema, keys: readonly ObservationKey[]): Promise<number> {
  const assets = await lockAssets(query, schema, codesOf(keys));
  const times = arrayOf(keys.map(({ businessTime }) => businessTime));
  return (
    await change<Changed & { removed: number }>(query, schema, [
      writeStatements(schema.sql).remove,
      [assetsOf(keys, assets), times],
    ])
  ).removed;
}

/** Runs a statement that changes observations of locked assets, and keeps up what is derived from them. */
export async function change<Row extends Changed>(
  query: Query,
  schema: Schema,
  [text, values]: readonly [text: string, values: readonly SqlValue[]],
): Promise<Row> {
  const [row] = await query<Row>(text, values);
  const { ids, starts, assets } = row!;
  if (assets !== "{}") await query(writeStatements(schema.sql).recompute, [ids, starts, assets]);
  return row!;
}
