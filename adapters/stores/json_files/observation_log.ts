import {
  changedOf,
  createSeriesStore,
  createVersionNames,
  demandObservations,
  type Neighbours,
  readSide,
  type SeriesStore,
  withoutHiding,
} from "../../../core/internal.ts";
import type {
  AppendOutcome,
  AssetCode,
  Observation,
  ObservationKey,
  Observations,
  ObservationWriter,
  QualityStatus,
  UtcMillis,
} from "../../../core/mod.ts";
import { createFastLineParser } from "./log/fast_line_parser.ts";
import type { Log } from "./log/log.ts";
import { copyObservation, observationLines } from "./log/observation_line.ts";
import { decodeMarketLine, isRemoval, type MarketLine, removalLines, removalsOf } from "./log/removal_line.ts";

/** Market records in a log, and all of them in memory, where the read side answers from at once. */
export interface ObservationLog extends Observations, ObservationWriter {
  append(batch: readonly Observation[]): Promise<AppendOutcome>;
  /** Stores what was there before, also where it hides an accepted observation. */
  restore(batch: readonly Observation[]): Promise<AppendOutcome>;
  /** Settles when what is being written at these business times just now is written, or has failed; `undefined` where nothing is. */
  writing(keys: readonly ObservationKey[]): Promise<void> | undefined;
  /**
   * Takes observations out, whatever their status, all or none; those that are not there are passed over. Resolves to
   * how many there were, when this is on the device. Takes as many keys at once as `append` takes observations.
   */
  remove(keys: readonly ObservationKey[]): Promise<number>;
  /** The observation for a code and business time, whatever its status. */
  find(code: AssetCode, businessTime: UtcMillis): Observation | undefined;
  /** What there is at a business time of an asset, and next to it. */
  around(code: AssetCode, businessTime: UtcMillis): Neighbours;
  /** How many accepted records these assets have together. */
  count(codes: readonly AssetCode[]): number;
  /** All records, or those of one status. */
  records(status?: QualityStatus): Iterable<Observation>;
  /** Number of records of every status. */
  size(): number;
  /** Number of records that wait for a decision. */
  pending(): number;
}

/** As many observations of the largest size that ingestion makes as the log appends at once. */
const MAX_BATCH = 2_000;

/** What observations are read from and written to. */
export interface ObservationParts {
  readonly log: Log;
  /** That was filled from the log. */
  readonly market: SeriesStore;
  /** Names the version after this line, and what of the log could not be read. */
  readonly version: (sequence: number) => string;
  /** Throws where nothing may be written. */
  readonly demand: () => void;
}

/** Joins a log with its market. */
export function createObservations({ log, market, version, demand }: ObservationParts): ObservationLog {
  /** How many lines wait to be written, by business time. They may yet fail, or replace what is stored, so what they are about is compared with nothing. */
  const waiting = new Map<UtcMillis, number>();
  /** The same, in the order in which they will be there. */
  const batches = new Set<readonly (ObservationKey & Partial<Observation>)[]>();
  let last: Promise<unknown> = Promise.resolve();

  function count(keys: readonly ObservationKey[], step: 1 | -1): void {
    for (const { businessTime } of keys) {
      const left = (waiting.get(businessTime) ?? 0) + step;
      if (left > 0) waiting.set(businessTime, left);
      else waiting.delete(businessTime);
    }
  }

  function whileWaiting<T>(
    keys: readonly (ObservationKey & Partial<Observation>)[],
    write: () => Promise<T>,
  ): Promise<T> {
    count(keys, 1);
    batches.add(keys);
    const written = write().finally(() => {
      count(keys, -1);
      batches.delete(keys);
    });
    last = written.catch(() => {});
    return written;
  }

  /** Whether an accepted observation is there, or is being written: one that then fails was there all the same for those who came after it. */
  function isAccepted({ code, businessTime }: ObservationKey): boolean {
    const isSame = (other: ObservationKey): boolean => other.code === code && other.businessTime === businessTime;
    const next = waiting.has(businessTime) ? [...batches].flat().findLast(isSame) : undefined;
    return (next ?? market.find(code, businessTime))?.qualityStatus === "ACCEPTED";
  }

  async function store(batch: readonly Observation[], shown: readonly Observation[]): Promise<AppendOutcome> {
    const changed = changedOf(shown, ({ code, businessTime }) =>
      waiting.has(businessTime) ? undefined : market.find(code, businessTime),
    );
    const kept = batch.length - shown.length;
    const rest = { unchanged: shown.length - changed.length, ...(kept > 0 && { kept }) };
    if (changed.length === 0) return { accepted: 0, replaced: 0, ...rest };
    // Copies, as the batch is written and shown later, and its owner may go on with it.
    const copies = changed.map(copyObservation);
    return whileWaiting(copies, () =>
      log.append(observationLines(copies), (first) => {
        const replaced = market.putAll(copies, first);
        return { accepted: copies.length - replaced, replaced, ...rest };
      }),
    );
  }

  return {
    ...marketSide(market, createVersionNames(market, version)),
    maxBatch: MAX_BATCH,
    async append(batch) {
      demand();
      demandObservations(batch);
      return store(batch, withoutHiding(batch, isAccepted));
    },
    async restore(batch) {
      demand();
      return store(batch, batch);
    },
    writing: (keys) => (keys.some(({ businessTime }) => waiting.has(businessTime)) ? last.then(() => {}) : undefined),
    async remove(keys) {
      demand();
      const present = keys.filter(
        ({ code, businessTime }) => waiting.has(businessTime) || market.find(code, businessTime) !== undefined,
      );
      if (present.length === 0) return 0;
      const removals = removalsOf(present);
      return whileWaiting(
        present.map(({ code, businessTime }) => ({ code, businessTime })),
        () =>
          log.append(removalLines(removals), (first) =>
            removals.reduce((sum, { code, times }, i) => sum + market.removeAll(code, times, first + i), 0),
          ),
      );
    },
  };
}

/** What is read of a market. */
export function marketSide(market: SeriesStore, version: (codes?: readonly AssetCode[]) => string) {
  const { find, around, count, all: records } = market;
  return {
    ...readSide(market, version),
    version,
    find,
    around,
    count,
    records,
    size: () => market.size,
    pending: () => market.pending,
  };
}

/**
 * Makes an empty market and what fills it from the lines of a log, in any order of their business times. Call `finish`
 * behind the last line.
 */
export function marketReader() {
  const market = createSeriesStore();
  const loader = market.createLoader();
  const finish = (): void => void loader.finish();

  function accept(line: MarketLine, sequence: number): void {
    if (isRemoval(line)) loader.removeAll(line.code, line.times, sequence);
    else loader.add(line, sequence);
  }
  return { market, finish, reader: { decode: decodeMarketLine, fastParser: createFastLineParser(), accept } };
}
