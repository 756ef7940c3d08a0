// The servers that the browser visits, e.g. the sample, a store with its own prices, and an API mounted in an app.
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer, type RequestListener, request } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { nodeListener, nodeSystem } from "../../adapters/http/node/mod.ts";
import { pageRoutes } from "../../adapters/page/mod.ts";
import { createMemoryStore } from "../../adapters/stores/memory_store.ts";
import {
  createApi,
  createIngest,
  createIngestUnknown,
  createKey,
  defineAsset,
  defineRoute,
  type RawRecord,
  type UtcMillis,
} from "../../core/mod.ts";
import { makeStore, mazaneh, serving, temporaryDirectory } from "../support/cli.ts";

/** A server with the page. */
export interface Site {
  /** The base URL, without a slash at the end. */
  readonly url: string;
  /** A key that the server accepts. */
  readonly key: string;
}

/** How many units the key of `ownSite` has a day. */
export const FEW_UNITS = 3;

/** The address where the operator of `ownSite` explains how to get a key. */
export const KEYS_URL = "https://keys.example/how";

/** `mazaneh serve --sample` with a stopped clock, so that the page and a test get the same prices. */
export async function sampleSite(t: TestContext): Promise<Site> {
  const { url, state } = await serving(t, ["--sample"], {}, { now: new Date().toISOString() });
  return { url, key: String(state["demoKey"]!["key"]) };
}

/** The admin listener of the sample. It has no `/docs`, where visits begin, so they begin with a 404. */
export async function operatorsSite(t: TestContext): Promise<Site> {
  const { state } = await serving(t, ["--sample", "--admin-port", "0"]);
  return { url: String(state["adminUrl"]), key: "" };
}

/** `mazaneh serve` with a few prices, one of them stale, documentation elsewhere, and a key with three units a day. */
export async function ownSite(t: TestContext): Promise<Site> {
  const folder = await temporaryDirectory(t);
  const data = await makeStore(join(folder, "data"));
  const table = join(folder, "prices.csv");
  const now = Date.now();
  const at = (hoursAgo: number): string => new Date(now - hoursAgo * 3_600_000).toISOString();
  const rows = [
    ["USD_RLS", 1_905_000, at(30)],
    ["USD_RLS", 1_911_500, at(0.2)],
    ["BTC_USD", 83_125.4, at(100)],
  ];
  await writeFile(table, `code,value,businessTime\n${rows.map((row) => row.join(",")).join("\n")}\n`);
  const run = async (...args: string[]): Promise<string> => {
    const { code, out, err } = await mazaneh([...args, "--data", data]);
    if (code !== 0) throw new Error(`mazaneh ${args.join(" ")} ended with "${code}": ${err}`);
    return out;
  };
  await run("import", table);
  await run("plans", "set", "FEW", "--daily-units", String(FEW_UNITS), "--attribution", "no");
  const { key } = JSON.parse(await run("keys", "create", "visitor", "--plan", "FEW", "--json")) as { key: string };
  const { url } = await serving(t, [
    "--data",
    data,
    "--documentation-url",
    KEYS_URL,
    "--quota-time-zone",
    zoneOfNoon(),
  ]);
  return { url, key };
}

/** A public market in memory. The test sets the clock and feeds the prices. */
export async function emptySite(t: TestContext) {
  const store = createMemoryStore();
  let now: number | undefined;
  const system = { ...nodeSystem, clock: () => (now ?? Date.now()) as UtcMillis };
  const settings = { ...store, publicMarket: true };
  const key = await createKey(store.accounts, system, "me");
  const url = await listen(t, nodeListener(createApi({ ...system, ...settings, routes: pageRoutes(settings) })));
  const feed = createIngestUnknown({ ...system, ...store });
  return {
    url,
    key,
    feed: (records: readonly RawRecord[]): Promise<unknown> => feed(records),
    setNow: (time: number): void => void (now = time),
    ask: async <Body>(path: string): Promise<Body> =>
      (await fetch(url + path, { headers: { "X-API-Key": key } })).json() as Promise<Body>,
  };
}

/** The time when `quotesSite` is visited: 1 Azar 1405, 16:25 in Tehran. */
export const QUOTES_NOW: number = Date.parse("2026-11-22T12:55:00Z");

/** A public market with simple prices on two days, which are 92 days apart, and on the day before each. */
export async function quotesSite(t: TestContext): Promise<Site> {
  const { url, key, feed, setNow } = await emptySite(t);
  setNow(QUOTES_NOW);
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
    await feed(Object.entries(prices).map(([code, value]) => ({ code, value, businessTime })));
  return { url, key };
}

/** Three custom assets with long and strange names, made-up prices for two of them, and a demo key. */
export async function bazaarSite(t: TestContext): Promise<Site> {
  const store = createMemoryStore();
  const assets = [
    defineAsset({
      code: "SAFFRON_RLS",
      category: "METAL",
      nameEn: "Saffron<b>".repeat(20),
      nameFa: "زعفران‌نگین‌اعلا".repeat(8),
    }),
    defineAsset({ code: "A", category: "INDEX", nameEn: '\u202eA & "B" / C', nameFa: "شاخص" }),
    defineAsset({ code: "X234567890123456789012345678_USD", category: "FX", nameEn: "X", nameFa: "ایکس" }),
  ];
  await createIngestUnknown({ ...nodeSystem, ...store, assets })([
    { code: "SAFFRON_RLS", value: 2e12, businessTime: new Date(nodeSystem.clock() - 60_000).toISOString() },
    { code: "A", value: 1e-9, businessTime: new Date(nodeSystem.clock() - 60_000).toISOString() },
  ]);
  const key = await createKey(store.accounts, nodeSystem, "demo");
  const settings = { ...store, assets, isSample: () => true, demoKey: () => key };
  const url = await listen(t, nodeListener(createApi({ ...nodeSystem, ...settings, routes: pageRoutes(settings) })));
  return { url, key };
}

/** A site behind a proxy that strips the prefix `/prices` and sends no header about the prefix. */
export async function proxiedSite(t: TestContext, { url, key }: Site): Promise<Site> {
  const origin = await listen(t, (req, res) => {
    if (!req.url?.startsWith("/prices/")) return void res.writeHead(404).end();
    const asked = request(
      url + req.url.slice("/prices".length),
      { method: req.method, headers: req.headers },
      (answer) => {
        res.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(res);
      },
    );
    asked.on("error", () => res.destroy()); // the page has been closed
    req.pipe(asked);
  });
  return { url: `${origin}/prices`, key };
}

/** Serves on a free port until the test ends; returns the origin. */
async function listen(t: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await once(server.listen(0, "127.0.0.1"), "listening");
  t.after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A time zone in which it is about noon now, so that no quota day ends during the tests. */
function zoneOfNoon(): string {
  const ahead = 12 - new Date().getUTCHours();
  return ahead === 0 ? "UTC" : `Etc/GMT${ahead > 0 ? "-" : "+"}${Math.abs(ahead)}`; // `Etc/GMT-3` is ahead of UTC
}

/** An API with a custom route, mounted below `/market` in an app, as Express does it. */
export async function mountedSite(t: TestContext): Promise<Site> {
  const store = createMemoryStore();
  const ago = (millis: number): string => new Date(nodeSystem.clock() - millis).toISOString();
  await createIngest({ ...nodeSystem, ...store })([
    { code: "USD_RLS", value: 1_905_000, businessTime: ago(60_000) },
    { code: "BTC_USD", value: 83_000, businessTime: ago(100 * 3_600_000) },
  ]);
  const key = await createKey(store.accounts, nodeSystem, "me");
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
  const shared = { ...store, application: "Bazaar", servers: ["/market"] };
  const routes = [greeting, ...pageRoutes({ ...shared, routes: [greeting] })];
  const prices = nodeListener(
    createApi({ ...nodeSystem, ...store, application: "Bazaar", documentationUrl: "/market/docs", routes }),
  );
  const origin = await listen(t, (req, res) => {
    const { url = "/" } = req;
    if (!url.startsWith("/market/")) return void res.writeHead(404).end("our own page");
    Object.assign(req, { originalUrl: url, baseUrl: "/market", url: url.slice("/market".length) }); // what `app.use("/market", …)` does
    prices(req, res);
  });
  return { url: `${origin}/market`, key };
}
