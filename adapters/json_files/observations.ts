import { createSeriesStore, createVersionNames, demandObservations } from "../../core/internal.ts";
import type { SeriesStore } from "../../core/internal.ts";
import type { AppendOutcome, AssetCode, Observation, ObservationWriter, Observations } from "../../core/mod.ts";
import type { Log } from "./log/log.ts";
import { copyObservation, decodeObservation, observationLines } from "./log/observation_line.ts";
import { createFastLineParser } from "./log/fast_line_parser.ts";

/** Market records in a log, and all of them in memory, where the read side answers from at once. */
export interface ObservationLog extends Observations, ObservationWriter {
  append(batch: readonly Observation[]): Promise<AppendOutcome>;
  records(): Iterable<Observation>;
}

/** As many observations of the largest size that ingestion makes as the log appends at once. */
const MAX_BATCH = 2_000;

/** Name of the log of observations. */
export const OBSERVATIONS = "obs";

/** Joins a log with the market that was filled from it. `versionSuffix` names what of the log could not be read. */
export function createObservations(log: Log, market: SeriesStore, epoch: string, versionSuffix: string): ObservationLog {
  function publish(batch: readonly Observation[], first: number): AppendOutcome {
    const replaced = market.putAll(batch, first);
    return { accepted: batch.length - replaced, replaced };
  }

  return {
    ...readSide(market, createVersionNames(market.sequence, (sequence) => `${epoch}.${sequence}${versionSuffix}`)),
    maxBatch: MAX_BATCH,
    async append(batch) {
      if (batch.length === 0) return { accepted: 0, replaced: 0 };
      demandObservations(batch);
      // Copies, as the batch is written and shown later, and its owner may go on with it.
      const copies = batch.map(copyObservation);
      return log.append(observationLines(copies), (first) => publish(copies, first));
    },
  };
}

/** The read side of a market. */
export function readSide(market: SeriesStore, version: (code?: AssetCode) => string) {
  const { latest, coverage, lastOfEach, candles, candleColumns, all: records } = market;
  return { latest, coverage, lastOfEach, candles, candleColumns, records, version };
}

/**
 * Makes an empty market and what fills it from the lines of a log, in any order of their business times. Call `finish`
 * behind the last line.
 */
export function marketReader() {
  const market = createSeriesStore();
  const loader = market.createLoader();
  const finish = (): void => void loader.finish();
  return { market, finish, reader: { decode: decodeObservation, fastParser: createFastLineParser(), accept: loader.add } };
}
