import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";
import { webSystem } from "../../adapters/http/web_system.ts";
import { createMemoryStore } from "../../adapters/stores/memory_store.ts";
import { makeSnapshot } from "../../adapters/stores/snapshot/mod.ts";
import { createIngest, createKey } from "../../core/mod.ts";
import { bundle, COMPATIBILITY_DATE } from "./workerd.ts";

/** The parts of miniflare that are used here. */
interface MiniflareModule {
  readonly Miniflare: new (options: Readonly<Record<string, unknown>>) => Miniflare;
}
interface Miniflare {
  readonly ready: Promise<URL>;
  getKVNamespace(name: string): Promise<{ put(key: string, value: string): Promise<void> }>;
  dispose(): Promise<void>;
}

const UNITS = 50;
const LEFT = 10;
const AT_ONCE = 200;
const TARGET = "/api/v1/assets/USD_RLS";
const WORKER = "../../fixtures/examples/edge/worker.ts";

/** Runs the example in fixtures/examples/edge in miniflare, and checks its guarantees. `path` is miniflare's module. */
export async function checkEdgeExample(path: string): Promise<void> {
  const { Miniflare } = (await import(pathToFileURL(path).href)) as MiniflareModule;
  const miniflare = new Miniflare({
    modules: true,
    script: await bundle(WORKER, ["cloudflare:workers"]),
    compatibilityDate: COMPATIBILITY_DATE,
    host: "127.0.0.1",
    port: 0,
    cf: false, // no request to the network
    kvNamespaces: ["DATA"],
    durableObjects: { COUNTERS: "Counter" },
    handleRuntimeStdio: () => undefined, // The worker reports that there is no data yet, as it should.
  });
  await check(miniflare, (await miniflare.ready).origin).finally(() => miniflare.dispose());
}

async function check(miniflare: Miniflare, origin: string): Promise<void> {
  assert.equal((await fetch(origin + TARGET)).status, 503, "there is an answer even without data");

  const store = createMemoryStore();
  const record = { code: "USD_RLS", value: 1_905_000, businessTime: "2026-08-21T16:30:00Z" } as const;
  await createIngest({ ...webSystem, ...store })([record]);
  const key = await createKey(store.accounts, webSystem, "me");
  const data = await miniflare.getKVNamespace("DATA");
  await data.put("prices.snapshot", await makeSnapshot(store.observations.records()));
  await data.put("accounts.json", JSON.stringify(store.accounts.book()));

  const ask = (target: string): Promise<Response> => fetch(origin + target, { headers: { "X-API-Key": key } });
  const first = await ask(`${TARGET}/2026-08-21`);
  assert.equal(((await first.json()) as { value?: unknown }).value, 1_905_000);
  assert.equal(first.headers.get("X-RateLimit-Remaining"), String(UNITS - 1));
  const failed = await ask(`${TARGET}/2026-08-20`);
  assert.equal(failed.headers.get("X-RateLimit-Remaining"), String(UNITS - 1), "a failure gives its unit back");
  for (let unit = 1; unit < UNITS - LEFT; unit++) assert.equal((await ask(TARGET)).status, 200);
  assert.equal((await ask("/api/v1/access")).headers.get("X-RateLimit-Remaining"), String(LEFT));

  const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => ask(TARGET)));
  await Promise.all(answers.map((answer) => answer.arrayBuffer()));
  const counted = (wanted: number): number => answers.filter(({ status }) => status === wanted).length;
  assert.deepEqual([counted(200), counted(429)], [LEFT, AT_ONCE - LEFT]);
}
