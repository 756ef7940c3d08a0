import { demandObservations } from "../../core/internal.ts";
import type { Observation, ObservationKey } from "../../core/mod.ts";
import type { StoredObservations } from "../store/store.ts";
import { batchOf, keyBatch } from "./batch.ts";
import type { Connection, Query } from "./connection.ts";
import type { Follower } from "./follow.ts";
import { lockAllAssets } from "./locks.ts";
import { createReads } from "./reads.ts";
import { readRecords } from "./records.ts";
import type { Schema } from "./schema.ts";
import { toStored } from "./text.ts";
import { appendWithin, removeProviderWithin, removeWithin } from "./write.ts";
import type { OnRaised } from "./write.ts";

/** Most observations of one act: with more, others would wait long for the assets, and the server would need much memory. */
const MAX_BATCH = 50_000;

/** Runs acts one after the other, in the order in which they were asked for. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/** What observations need besides their connection. */
export interface ObservationOptions {
  readonly inTurn: InTurn;
  /** With it, versions are known in memory. */
  readonly follower: Follower | undefined;
}

/**
 * The observations in a database. Writes of one process are carried out in the order of the calls: connections of a pool
 * would overtake each other.
 */
export function createObservations(connection: Connection, schema: Schema, { inTurn, follower }: ObservationOptions): StoredObservations {
  const reads = createReads(connection.query, schema);

  /** Tells the follower what was raised before the caller knows that it is done, so that he is told nothing from before. */
  function write<T>(work: (query: Query, onRaised: OnRaised) => Promise<T>): Promise<T> {
    return inTurn(async () => {
      const raised: Record<string, number> = {};
      try {
        const value = await connection.transaction((query) => work(query, (counters) => Object.assign(raised, counters)));
        follower?.noteVersions(raised);
        return value;
      } catch (error) {
        // Whether a commit without an answer was carried out is not known.
        follower?.noteWrite();
        throw error;
      }
    });
  }

  return {
    ...reads,
    version: (codes) => follower?.version(codes) ?? reads.version(codes),
    maxBatch: MAX_BATCH,
    append(observations: readonly Observation[]) {
      demandSize(observations);
      demandObservations(observations);
      if (observations.length === 0) return { accepted: 0, replaced: 0, unchanged: 0 };
      const batch = batchOf(observations);
      return write((query, onRaised) => appendWithin(query, schema, batch, onRaised));
    },
    remove(keys: readonly ObservationKey[]) {
      demandSize(keys);
      if (keys.length === 0) return 0;
      const batch = keyBatch(keys);
      return write((query, onRaised) => removeWithin(query, schema, batch, onRaised));
    },
    removeProvider(provider: string) {
      return write(async (query, onRaised) => {
        let removed = 0;
        for (const asset of await lockAllAssets(query, schema)) removed += await removeProviderWithin(query, schema, asset, toStored(provider), onRaised);
        return removed;
      });
    },
    records: () => readRecords(connection, schema),
  };
}

/** Makes a queue for writes. One that fails does not hold up the next. */
export function createInTurn(): InTurn {
  let last: Promise<unknown> = Promise.resolve();
  return (act) => {
    const next = last.then(act);
    last = next.catch(() => {});
    return next;
  };
}

function demandSize(batch: readonly unknown[]): void {
  if (batch.length > MAX_BATCH) throw new RangeError(`Cannot change observations as one act takes at most ${MAX_BATCH}: received "${batch.length}"`);
}
