import assert from "node:assert/strict";
import { type PageRouteSettings, pageRoutes } from "../../adapters/page/mod.ts";
import { createMemoryStore, type MemoryStore } from "../../adapters/stores/memory_store.ts";
import { ASSETS, createIngestUnknown, type Settings, type UtcMillis } from "../../core/mod.ts";
import { type Ask, createWorld, type Reply } from "../support/api_under_test.ts";

export type PriceRow = readonly [code: string, value: number, businessTime: string];

/** Settings of the page and the API. The store is in memory, perhaps with functions that a test has replaced. */
export type PageWorldSettings = Partial<PageRouteSettings> & Settings & Partial<Pick<MemoryStore, "observations">>;

/** Makes an API with the page and these settings. By default, its store is empty. */
export async function pageWorld(settings: PageWorldSettings = {}, now = "2026-11-21T10:00:00Z") {
  const { observations } = createMemoryStore();
  const shared = { observations, ...settings };
  const world = await createWorld({ ...shared, routes: [...(settings.routes ?? []), ...pageRoutes(shared)] }, now);
  return {
    ...world,
    /** Sends a request without a key. */
    open: (target: string, ask: Ask = {}): Promise<Reply> => world.ask(target, { key: null, ...ask }),
    /** Stores prices for any time, even in the future. */
    async feed(...rows: readonly PriceRow[]): Promise<void> {
      const { assets = ASSETS } = settings;
      const clock = (): UtcMillis => Date.parse("2030-01-01") as UtcMillis;
      const ingest = createIngestUnknown({ clock, observations: shared.observations, assets });
      const { refused } = await ingest(rows.map(([code, value, businessTime]) => ({ code, value, businessTime })));
      assert.deepEqual(refused, []);
    },
  };
}

export type PageWorld = Awaited<ReturnType<typeof pageWorld>>;
