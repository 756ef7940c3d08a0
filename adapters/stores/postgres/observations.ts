import { demandObservations, EMBEDDER } from "../../../core/internal.ts";
import type { Observation, Observations, ObservationWriter } from "../../../core/mod.ts";
import type { AssetOrder } from "../shared/engine.ts";
import { demandSource } from "../shared/imports.ts";
import { createQueue } from "../shared/queue.ts";
import type { Connection } from "./connection.ts";
import type { Follower } from "./follow_changes.ts";
import { readRecords } from "./read_all_records.ts";
import { createReads } from "./read_prices.ts";
import { appendWithin } from "./write_records.ts";

/** The largest batch of one transaction. A larger batch would block its assets for a long time and need much memory. */
const MAX_BATCH = 50_000;

/** The observations in a database. `records` reads the assets in the given order. */
export type PostgresObservations = Observations &
  ObservationWriter & { records(order?: AssetOrder): AsyncIterable<Observation> };

/**
 * Makes the observations of a store. Batches are written one after the other, in the order of the calls, because
 * batches on several connections of the pool could overtake each other.
 *
 * @param follower If present, versions are read from memory.
 */
export function createObservations(connection: Connection, follower: Follower | undefined): PostgresObservations {
  const reads = createReads(connection.query);
  const { inTurn } = createQueue();

  return {
    ...reads,
    version: (codes) => follower?.version(codes) ?? reads.version(codes),
    maxBatch: MAX_BATCH,
    append(observations: readonly Observation[], source = EMBEDDER) {
      const { length } = observations;
      if (length > MAX_BATCH)
        throw new RangeError(`Cannot change more than ${MAX_BATCH} observations in one call: received "${length}"`);
      demandObservations(observations);
      demandSource(source);
      if (length === 0) return { accepted: 0, replaced: 0, unchanged: 0 };
      const copy = observations.map((observation) => ({ ...observation }));
      return inTurn(() => connection.byKey((query) => appendWithin(query, copy, source)));
    },
    records: (order?: AssetOrder) => readRecords(connection, order),
  };
}
