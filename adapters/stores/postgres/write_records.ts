import { isPending, keyOf } from "../../../core/internal.ts";
import type { AppendOutcome, Observation } from "../../../core/mod.ts";
import { addOutcomes, type ImportOutcome, NOTHING_DONE } from "../shared/imports.ts";
import { assetsOf, lockForAppend } from "./asset_locks.ts";
import { codesOf, columnsOf, lastOfEachKey, withoutRepetition } from "./batch_columns.ts";
import type { Parameter, Query } from "./connection.ts";
import { toStored } from "./escape_text.ts";
import { WRITE } from "./write_statements.ts";

/** The changes, as SQL arrays. */
export interface Changed {
  /** The changed buckets of the roll-up: asset and start. */
  readonly ids: string;
  readonly starts: string;
  /** The changed assets. */
  readonly assets: string;
}

interface StoredRow extends Changed {
  readonly accepted: number;
  readonly unchanged: number;
  /** How many records replace a stored record, or would replace it without `keepExisting`. */
  readonly differ: number;
  readonly own: number;
  /** Pending records beyond `MAX_PENDING`. */
  readonly excess: number;
  readonly place: number | null;
  readonly was: number | null;
}

/** How records are stored. */
interface Storing {
  readonly source: string;
  readonly importId: number | null;
  readonly keepExisting: boolean;
}

/** Stores the last record of each key and status. The assets stay locked until the transaction ends. */
export async function appendWithin(
  query: Query,
  observations: readonly Observation[],
  source: string,
): Promise<AppendOutcome> {
  const storing = { source, importId: null, keepExisting: false };
  const store = await storer(query, observations, storing);
  let [accepted, unchanged, kept] = [0, 0, 0];
  for (const part of byDecision(observations)) {
    const { last, copies } = lastOfEachKey(part);
    const stored = await store(last, copies);
    accepted += stored.accepted;
    unchanged += stored.unchanged;
    kept += stored.excess;
  }
  const replaced = observations.length - accepted - unchanged - kept;
  return { accepted, replaced, unchanged, ...(kept > 0 && { kept }) };
}

/** Stores a part of an import within a transaction. With `keepExisting`, no stored record is replaced. */
export async function importWithin(
  query: Query,
  observations: readonly Observation[],
  storing: Storing,
): Promise<ImportOutcome> {
  const { keepExisting } = storing;
  const store = await storer(query, observations, storing);
  let outcome = NOTHING_DONE;
  for (const part of withoutRepetition(observations).flatMap(byDecision)) {
    const { accepted, unchanged, differ, own, excess, place, was } = await store(part, []);
    const { code, businessTime, value } = part[(place ?? 1) - 1]!;
    const largest = was === null || keepExisting ? null : { code, businessTime, from: was, to: value };
    const known = keepExisting
      ? { replaced: 0, kept: differ + excess, repeated: 0 }
      : { replaced: differ, kept: excess, repeated: own };
    outcome = addOutcomes(outcome, { accepted, unchanged, ...known, largest });
  }
  return outcome;
}

/** Splits a batch into decided and pending records. Keeps the order of records with the same key. */
function byDecision(batch: readonly Observation[]): readonly (readonly Observation[])[] {
  if (!batch.some(isPending)) return [batch];
  const decided = new Map(batch.flatMap((one, i) => (isPending(one) ? [] : [[keyOf(one), i] as const])));
  const isBefore = (one: Observation, i: number): boolean => (decided.get(keyOf(one)) ?? -1) > i;
  return [
    batch.filter((one, i) => isPending(one) && isBefore(one, i)),
    batch.filter((one) => !isPending(one)),
    batch.filter((one, i) => isPending(one) && !isBefore(one, i)),
  ].filter((part) => part.length > 0);
}

/** Locks the assets of a batch. Returns a function that stores the batch: either its pending records or the others. */
async function storer(query: Query, batch: readonly Observation[], { source, importId, keepExisting }: Storing) {
  const assets = await lockForAppend(query, codesOf(batch));
  // Calls run one after the other, so that two calls together cannot exceed the limit of a source.
  if (batch.some(isPending))
    await query("SELECT pg_advisory_xact_lock(hashtext('mazaneh.'), hashtext($1::text))", [source]);
  return (part: readonly Observation[], copies: readonly number[]) => {
    const text = isPending(part[0]!) ? WRITE.pending : WRITE.decided;
    const values = [assetsOf(part, assets), ...columnsOf(part), importId, copies, toStored(source), !keepExisting];
    return change<StoredRow>(query, [text, values]);
  };
}

/** Runs a statement that changes observations of locked assets, and updates the derived data. */
export async function change<Row extends Changed>(
  query: Query,
  [text, values]: readonly [text: string, values: readonly Parameter[]],
): Promise<Row> {
  const [row] = await query<Row>(text, values);
  const { ids, starts, assets } = row!;
  if (assets !== "{}") await query(WRITE.recompute, [ids, starts, assets]);
  return row!;
}
