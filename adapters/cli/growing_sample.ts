import { MINUTE_MS } from "../../core/internal.ts";
import { ASSETS, Unavailable } from "../../core/mod.ts";
import type { Clock, Coverage, UtcMillis } from "../../core/mod.ts";
import { SAMPLE_PROVIDER, SAMPLE_QUARTER_MS } from "../../fixtures/sample.ts";
import type { StoredObservations } from "../store/store.ts";
import { appendSample, coverageOf, latestTimes } from "./sample.ts";

/** The sample of a server that runs. */
export interface GrowingSample {
  /** Settles when nothing more is being stored. May be called again. */
  stop(): Promise<void>;
}

/** What a sample grows with. */
export interface GrowOptions {
  readonly clock: Clock;
  /** Gets the error that has ended it. */
  readonly onError: (error: unknown) => void;
}

/**
 * Continues the sample at each quarter of an hour while a server runs, so that its prices do not become stale. Ends when
 * the store holds no sample any more, or other records. What the disk refuses is tried again a minute later.
 */
export function growSample(observations: Pick<StoredObservations, "append" | "coverage" | "removeProvider">, { clock, onError }: GrowOptions): GrowingSample {
  let reached: number | undefined;
  let step: Promise<void> | undefined;
  // Each minute, not each quarter of an hour, as timers stand still while the machine sleeps.
  const timer = setInterval(() => void (step ??= grow().finally(() => (step = undefined))), MINUTE_MS).unref();

  async function grow(): Promise<void> {
    const now = clock();
    const quarter = Math.floor(now / SAMPLE_QUARTER_MS);
    if (quarter === reached) return;
    try {
      if (await growTo(now)) reached = quarter;
      else clearInterval(timer);
    } catch (error) {
      if (error instanceof Unavailable) return;
      clearInterval(timer);
      onError(error);
    }
  }

  /** Resolves to whether there is a sample to continue later. */
  async function growTo(now: UtcMillis): Promise<boolean> {
    const before = await coverageOf(observations);
    if (before.size === 0 || ![...before.values()].every(isSample)) return false;
    const latest = latestTimes(before);
    await appendSample(observations, { now, assets: ASSETS.filter(({ code }) => before.has(code)), latest });
    // `import --drop-sample` may have taken the sample out while these records were on their way to the disk.
    const newest = Math.max(...latest.values());
    const after = await coverageOf(observations);
    if ([...after.values()].some(({ availableFrom }) => availableFrom <= newest)) return true;
    await observations.removeProvider(SAMPLE_PROVIDER);
    return false;
  }

  return {
    async stop() {
      clearInterval(timer);
      await step;
    },
  };
}

/** Whether all that is known of an asset is made up. A record may name no provider. */
function isSample({ latest, providers }: Coverage): boolean {
  return latest.provider === SAMPLE_PROVIDER && providers.length === 1;
}
