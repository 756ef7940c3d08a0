import { ASSETS, Unavailable } from "../../core/mod.ts";
import type { Asset, AssetCode, Coverage, Observation, ObservationWriter, Observations, UtcMillis } from "../../core/mod.ts";
import { SAMPLE_PROVIDER, sampleObservations } from "../../fixtures/sample.ts";
import type { SettingsInForce } from "./settings_sources.ts";

/** The data directory of `serve --sample` where no other is set: made-up prices never lie beside real ones. */
export const SAMPLE_DIRECTORY = "sample-data";

/** How much of a store is made up: nothing of it, a part, or all; `empty` where there are no records. */
export type SampleShare = "empty" | "none" | "some" | "all";

/** What became of the sample at a start. */
export interface SampleState {
  readonly share: SampleShare;
  /** Number of records that this start has added, for the first time or to bring the sample up to now. */
  readonly added: number;
  /** Whether the sample was there before. */
  readonly isOlder: boolean;
  /** What the operator should know of it. */
  readonly warnings: readonly string[];
}

/** The part of a store that the sample is read from and written to. */
type SampleStore = Coverages & Pick<ObservationWriter, "append" | "records">;
type Coverages = Pick<Observations, "coverage">;

const BATCH_RECORDS = 5_000;

/** The settings for `--sample`: its own directory, unless one is set. */
export function withSampleDirectory(settings: SettingsInForce): SettingsInForce {
  const { values, sources } = settings;
  if (sources.data !== "default") return settings;
  return { ...settings, values: { ...values, data: SAMPLE_DIRECTORY }, sources: { ...sources, data: "--sample" } };
}

/** Whether any public price of these assets is made up. Cheap: the records are not read. */
export async function hasSample({ coverage }: Coverages, codes = ASSETS.map(({ code }) => code)): Promise<boolean> {
  const known = await coverage(codes);
  return known.value.some((one) => one?.providers.includes(SAMPLE_PROVIDER));
}

/** Tells how much of a store is made up. Reads its records only where some are, as records may name no provider. */
export async function sampleShare(store: Omit<SampleStore, "append">): Promise<SampleShare> {
  if (await hasSample(store)) {
    for await (const { provider } of store.records()) if (provider !== SAMPLE_PROVIDER) return "some";
    return "all";
  }
  for await (const _ of store.records()) return "none";
  return "empty";
}

/**
 * Looks at the sample when a server starts. Where it is wanted, and the store holds nothing else, it is loaded or
 * continued up to `now`; where the disk takes no more, what is there is served.
 */
export async function prepareSample(
  store: SampleStore,
  { wanted, now, progress }: { readonly wanted: boolean; readonly now: UtcMillis; readonly progress: (added: number) => void },
): Promise<SampleState> {
  const share = await sampleShare(store);
  const isOlder = share === "all";
  if (share === "some") return { share, added: 0, isOlder, warnings: [MIXED] };
  if (share === "none" || !wanted) return { share, added: 0, isOlder, warnings: [] };
  let added = 0;
  try {
    await continueSample(store, now, (count) => progress((added = count)));
    return { share: "all", added, isOlder, warnings: [] };
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    return { share: await sampleShare(store), added, isOlder, warnings: [`The sample does not reach to now: ${error.message}`] };
  }
}

const MIXED = "Made-up sample prices (provider SAMPLE) are served beside other records. Take them out with import --drop-sample";

/**
 * Adds the records of the sample up to `now` that are later than each asset's latest one, so nothing that was served
 * changes. A load that was interrupted goes on where it ended, as each asset's records are stored in order.
 */
export async function continueSample(store: Omit<SampleStore, "records">, now: UtcMillis, progress: (added: number) => void): Promise<void> {
  await appendSample(store, { now, assets: ASSETS, latest: latestTimes(await coverageOf(store)), progress });
}

/** What is known of the assets that have records, by code. */
export async function coverageOf({ coverage }: Coverages): Promise<ReadonlyMap<AssetCode, Coverage>> {
  const codes = ASSETS.map(({ code }) => code);
  const known = (await coverage(codes)).value;
  return new Map(codes.flatMap((code, at) => (known[at] === undefined ? [] : [[code, known[at]]])));
}

/** The business time of each asset's latest record. */
export function latestTimes(known: ReadonlyMap<AssetCode, Coverage>): ReadonlyMap<AssetCode, UtcMillis> {
  return new Map([...known].map(([code, { latest }]) => [code, latest.businessTime]));
}

/** Which records of the sample are added. */
interface SamplePart {
  readonly now: UtcMillis;
  readonly assets: readonly Asset[];
  readonly latest: ReadonlyMap<AssetCode, UtcMillis>;
  readonly progress?: (added: number) => void;
}

/** Adds the records of these assets that are later than their latest ones. */
export async function appendSample(store: Pick<SampleStore, "append">, { now, assets, latest, progress }: SamplePart): Promise<void> {
  let added = 0;
  let batch: Observation[] = [];

  async function flush(): Promise<void> {
    await store.append(batch);
    added += batch.length;
    batch = [];
    progress?.(added);
  }

  for (const observation of sampleObservations(now, assets, latest)) {
    if (batch.push(observation) === BATCH_RECORDS) await flush();
  }
  if (batch.length > 0) await flush();
}
