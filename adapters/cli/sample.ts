import { addKey, MINUTE_MS } from "../../core/internal.ts";
import { type AccountId, ASSETS, type Observations, type UtcClock } from "../../core/mod.ts";
import { SAMPLE_PROVIDER, sampleObservations } from "../../fixtures/sample.ts";
import { nodeSystem } from "../http/node/mod.ts";
import { createMemoryStore } from "../stores/memory_store.ts";
import type { Store } from "../stores/shared/store.ts";
import { inBatches } from "../stores/shared/store_copying.ts";

/** A plan with enough units for a first try. */
const PLAN = { name: "SAMPLE", dailyUnits: 5_000, attributionRequired: false } as const;
const BATCH_RECORDS = 5_000;

/** The key of the sample, which everybody may know. */
export interface DemoKey {
  readonly account: AccountId;
  readonly id: string;
  readonly key: string;
}

/** Opens a store in memory with made-up prices up to now. While the store is open, new prices are added. */
export async function openSample(clock: UtcClock): Promise<Store & { readonly demoKey: DemoKey }> {
  const { observations, accounts, quota } = createMemoryStore();
  let records = 0;
  let reached = -Infinity;

  async function grow(): Promise<void> {
    const now = clock();
    const after = reached;
    reached = Math.max(reached, now);
    for await (const batch of inBatches(sampleObservations(now, { after }), BATCH_RECORDS))
      records += (await observations.append(batch)).accepted;
  }

  await grow();
  // Prices are due every 15 minutes. Check every minute, because timers stop while the machine sleeps.
  const timer = setInterval(() => void grow(), MINUTE_MS).unref();
  await accounts.update([{ op: "plan.patch", ...PLAN }]);
  const { key, entry } = await addKey(accounts, { ...nodeSystem, clock }, "demo", { plan: PLAN.name });
  return {
    ...{ observations, accounts, quota, warnings: [], demoKey: { account: entry.accountId, id: entry.id, key } },
    info: async () => ({ storeId: "sample", version: await observations.version(), records, pending: 0, damages: 0 }),
    failed: new Promise(() => undefined),
    watcher: { troubles: () => [] },
    metrics: () => [],
    close: async () => clearInterval(timer),
  };
}

/** Checks every minute whether prices are made up, so that the page need not wait for the store, which may hang. */
export async function followSample(observations: Observations): Promise<{ isSample(): boolean; close(): void }> {
  let found = false;
  const look = async (): Promise<void> => {
    found = await hasSample(observations).catch(() => found);
  };
  await look();
  const timer = setInterval(() => void look(), MINUTE_MS).unref();
  return { isSample: () => found, close: () => clearInterval(timer) };
}

/** Whether any public price of these assets is made up, e.g. imported from `mazaneh sample`. */
export async function hasSample({ coverage }: Observations, codes = ASSETS.map(({ code }) => code)): Promise<boolean> {
  const known = await coverage(codes);
  return known.value.some((one) => one?.providers.includes(SAMPLE_PROVIDER));
}
