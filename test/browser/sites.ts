// The servers that the browser visits: the sample, and APIs in memory with their own prices, e.g. mounted in an app.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";
import { nodeListener, nodeSystem } from "../../adapters/http/node/mod.ts";
import { type PageRouteSettings, pageRoutes } from "../../adapters/page/mod.ts";
import { createMemoryStore } from "../../adapters/stores/memory_store.ts";
import {
  ASSETS,
  createApi,
  createIngestUnknown,
  createKey,
  defineAsset,
  defineRoute,
  type RawRecord,
  type Settings,
  type UtcMillis,
} from "../../core/mod.ts";
import { serving } from "../support/cli.ts";

/** A server with the page. */
export interface Site {
  /** The base URL, without a slash at the end. */
  readonly url: string;
  /** A key that the server accepts. */
  readonly key: string;
}

/** A server whose clock and prices a test sets. */
export interface MemorySite extends Site {
  /** Stores records. */
  feed(records: readonly RawRecord[]): Promise<unknown>;
  /** Stops the clock at `time`. */
  setNow(time: number): void;
  /** Requests a path with the key. */
  ask<Body>(path: string): Promise<Body>;
}

/** The daily units of the key of `ownSite`. */
export const FEW_UNITS = 3;

/** The address where the operator of `ownSite` explains how to get a key. */
export const KEYS_URL = "https://keys.example/how";

/** `mazaneh serve --sample` with a stopped clock, so that the page and a test get the same prices. */
export async function sampleSite(t: TestContext): Promise<Site> {
  const { url, state } = await serving(t, ["--sample"], {}, { now: new Date().toISOString() });
  return { url, key: String(state["demoKey"]!["key"]) };
}

/** The admin listener of the sample. A visit begins with status 404, because this listener has no `/docs`. */
export async function operatorsSite(t: TestContext): Promise<Site> {
  const { state } = await serving(t, ["--sample", "--admin-port", "0"]);
  return { url: String(state["adminUrl"]), key: "" };
}

/**
 * An API in memory with the page, and a key with 50 units a day. `prefix` is a path that an app or a proxy strips from
 * each request.
 */
export async function memorySite(
  t: TestContext,
  settings: Partial<PageRouteSettings> & Settings = {},
  { prefix = "", units = 50 } = {},
): Promise<MemorySite> {
  const store = createMemoryStore();
  let now: number | undefined;
  const system = { ...nodeSystem, clock: () => (now ?? Date.now()) as UtcMillis };
  store.accounts.update([{ op: "plan.patch", name: "OWN", dailyUnits: units, attributionRequired: false }]);
  const key = await createKey(store.accounts, system, "me", { plan: "OWN" });
  const shared = { ...store, demoKey: () => key, ...settings };
  const routes = [...(settings.routes ?? []), ...pageRoutes(shared)];
  const listener = nodeListener(createApi({ ...system, ...shared, routes }));
  const server = createServer((req, res) => {
    req.url = req.url!.slice(prefix.length);
    listener(req, res);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  t.after(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${prefix}`;
  return {
    url,
    key,
    feed: createIngestUnknown({ ...system, ...store, assets: settings.assets ?? ASSETS }),
    setNow: (time) => void (now = time),
    ask: async (path) => (await fetch(url + path, { headers: { "X-API-Key": key } })).json() as never,
  };
}

const hoursAgo = (hours: number): string => new Date(Date.now() - hours * 3_600_000).toISOString();

/** An API with a few prices, one of them stale, with documentation elsewhere, and a key with three units a day. */
export async function ownSite(t: TestContext): Promise<Site> {
  const site = await memorySite(t, { documentationUrl: KEYS_URL }, { units: FEW_UNITS });
  site.setNow(Date.now()); // so that no quota day ends during the tests
  await site.feed([
    { code: "USD_RLS", value: 1_905_000, businessTime: hoursAgo(30) },
    { code: "USD_RLS", value: 1_911_500, businessTime: hoursAgo(0.2) },
    { code: "BTC_USD", value: 83_125.4, businessTime: hoursAgo(100) },
  ]);
  return site;
}

/** A public market in memory. The test sets the clock and feeds the prices. */
export function emptySite(t: TestContext): Promise<MemorySite> {
  return memorySite(t, { publicMarket: true });
}

/** The time when `quotesSite` is visited: 1 Azar 1405, 16:25 in Tehran. */
export const QUOTES_NOW: number = Date.parse("2026-11-22T12:55:00Z");

/** A public market with simple prices on two days, which are 92 days apart, and on the day before each. */
export async function quotesSite(t: TestContext): Promise<Site> {
  const site = await emptySite(t);
  site.setNow(QUOTES_NOW);
  const days = {
    "2026-08-20T14:00:00Z": { SEKKEH_RLS: 1_831_500_000 },
    "2026-08-21T20:15:00Z": { USD_RLS: 1_861_200, EUR_RLS: 2_264_120 },
    "2026-08-22T20:15:00Z": { USD_RLS: 1_868_030, EUR_RLS: 2_273_400, GOLD_18_RLS: 169_761_050, BTC_USD: 71_204.8 },
    "2026-11-20T20:40:00Z": { USD_RLS: 2_010_000 }, // ten past midnight in Tehran
    "2026-11-21T20:00:00Z": { USD_RLS: 2_007_898 },
    "2026-11-22T11:00:00Z": { USD_RLS: 1_980_000 },
    "2026-11-22T12:54:00Z": {
      USD_RLS: 1_985_528,
      EUR_RLS: 2_421_600,
      BTC_USD: 83_124.4,
      GOLD_OUNCE_USD: 3_918.36,
      GOLD_18_RLS: 190_900_643,
      SEKKEH_RLS: 1_987_700_000,
      NIM_SEKKEH_RLS: 1_011_450_000,
      ROB_SEKKEH_RLS: 549_370_000,
    },
  };
  for (const [businessTime, prices] of Object.entries(days))
    await site.feed(Object.entries(prices).map(([code, value]) => ({ code, value, businessTime })));
  return site;
}

/** Two custom assets with long names, a made-up price for one of them, and a demo key. */
export async function bazaarSite(t: TestContext): Promise<Site> {
  const assets = [
    defineAsset({
      code: "SAFFRON_RLS",
      category: "METAL",
      nameEn: "Saffron<b>".repeat(20),
      nameFa: "زعفران‌نگین‌اعلا".repeat(8),
    }),
    defineAsset({ code: "X234567890123456789012345678_USD", category: "FX", nameEn: "X", nameFa: "ایکس" }),
  ];
  const site = await memorySite(t, { assets, isSample: () => true });
  await site.feed([{ code: "SAFFRON_RLS", value: 2e12, businessTime: hoursAgo(0.1) }]);
  return site;
}

/** Made-up prices behind a proxy that strips the prefix `/prices` and sends no header about the prefix. */
export async function proxiedSite(t: TestContext): Promise<Site> {
  const site = await memorySite(t, { publicMarket: true, isSample: () => true }, { prefix: "/prices" });
  await site.feed([1, 25, 49].map((hours) => ({ code: "USD_RLS", value: 1_905_000, businessTime: hoursAgo(hours) })));
  return site;
}

/** An API with a custom route, mounted below `/market` in an app. */
export async function mountedSite(t: TestContext): Promise<Site> {
  const greeting = defineRoute({
    method: "GET",
    path: "/api/v1/greeting",
    auth: "key",
    charge: "free",
    query: ["name"],
    summary: "A greeting",
    docs: {
      operationId: "getGreeting",
      answer: { description: "The greeting.", schema: { type: "object", properties: { text: { type: "string" } } } },
    },
    handle: ({ query: { name = "you" } }) => ({ json: { text: `Hello ${name}` } }),
  });
  const site = await memorySite(
    t,
    { application: "Bazaar", servers: ["/market"], documentationUrl: "/market/docs", routes: [greeting] },
    { prefix: "/market" },
  );
  await site.feed([
    { code: "USD_RLS", value: 1_905_000, businessTime: hoursAgo(0.02) },
    { code: "BTC_USD", value: 83_000, businessTime: hoursAgo(100) },
  ]);
  return site;
}
