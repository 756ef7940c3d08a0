import { ASSETS } from "../../core/mod.ts";
import type { Observation, ObservationWriter, Observations, UtcMillis } from "../../core/mod.ts";
import { SAMPLE_PROVIDER, sampleObservations } from "../../fixtures/sample.ts";

const BATCH_RECORDS = 5_000;

/**
 * Whether the sample archive is to be loaded: when the store has no records, or only a part of the sample,
 * because an earlier start ended while it was loading.
 */
export async function wantsSample(observations: Observations): Promise<boolean> {
  const coverage = await observations.coverage(ASSETS.map(({ code }) => code));
  const isOnlySample = coverage.every((known) => known === undefined || known.providers.join() === SAMPLE_PROVIDER);
  return isOnlySample && coverage.at(-1) === undefined;
}

/** Loads the sample archive, ending at `now`; resolves to the number of records. */
export async function loadSample(writer: Pick<ObservationWriter, "append">, now: UtcMillis, progress: (loaded: number) => void): Promise<number> {
  let loaded = 0;
  let batch: Observation[] = [];

  async function flush(): Promise<void> {
    await writer.append(batch);
    loaded += batch.length;
    batch = [];
    progress(loaded);
  }

  for (const observation of sampleObservations(now)) {
    // Batches end between assets, so that the last asset, stored whole or not at all, shows whether all are.
    if (batch.length >= BATCH_RECORDS && batch.at(-1)?.code !== observation.code) await flush();
    batch.push(observation);
  }
  await flush();
  return loaded;
}
