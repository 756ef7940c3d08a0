import assert from "node:assert/strict";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { nodeSystem } from "../../adapters/http/node/mod.ts";
import { type StandaloneOptions, startStandalone } from "../../adapters/server/standalone.ts";
import { jsonFilesEngine } from "../../adapters/stores/json_files/engine.ts";
import { createMemoryStore } from "../../adapters/stores/memory_store.ts";
import type { Store } from "../../adapters/stores/shared/store.ts";
import { StoreError } from "../../adapters/stores/shared/store_error.ts";
import type { Trouble } from "../../adapters/stores/shared/store_troubles.ts";
import { createKey } from "../../core/mod.ts";
import { servingChild, temporaryDirectory } from "../support/cli.ts";
import { readExposition } from "../support/prometheus.ts";
import { connectRaw, rawRequest, sendRaw } from "../support/raw_http.ts";
import { until } from "../support/wait_until.ts";
import { watched } from "../support/watched_server.ts";

test("standalone server: logs and ignores SIGHUP; after SIGTERM it answers open requests and exits with 0", async (t) => {
  const server = await servingChild(t, ["--data", join(await temporaryDirectory(t), "data")]);
  const connection = connectRaw(server.url);
  t.after(connection.destroy);
  const request = rawRequest({ target: "/api/v1/status" });
  connection.send(request);
  await connection.reply();
  // Sends only a part, so that this request is still open when the signal arrives.
  connection.send(request.subarray(0, 10));
  server.child.kill("SIGHUP");
  await until("SIGHUP is logged", () => /SIGHUP/.test(server.errors()));
  const stopped = server.stop();
  await until("SIGTERM is logged", () => /SIGTERM received/.test(server.errors()));
  connection.send(request.subarray(10));
  const reply = await connection.reply();
  assert.deepEqual([reply.status, reply.headers.get("connection")], [200, "close"]);
  assert.equal(await stopped, 0);
});

test("standalone server: applies limits", async (t) => {
  const { origin } = await start(t, { limits: { connectionsPerAddress: 1 } });
  const first = connectRaw(origin);
  t.after(() => first.destroy());
  first.send(rawRequest({ target: "/api/v1/status" }));
  assert.equal((await first.reply()).status, 200);
  await assert.rejects(sendRaw(origin, { target: "/api/v1/status" }));
});

test("standalone server: applies the settings for proxies, and request rates for addresses and keys", async (t) => {
  const { origin, store } = await start(t, { behindProxy: ["127.0.0.1"], addressRate: "2/h", keyRate: "1/h" });
  const key = await createKey(store.accounts, nodeSystem, "me");
  const ask = async (...headers: readonly string[]): Promise<number> =>
    (await sendRaw(origin, { target: "/api/v1/access", headers })).status;
  const from = (address: string): string => `X-Forwarded-For: ${address}`;
  for (const status of [401, 401, 429]) assert.equal(await ask(from("192.0.2.1")), status);
  assert.equal(await ask(from("192.0.2.2")), 401);
  for (const [address, status] of [
    ["192.0.2.3", 200],
    ["192.0.2.4", 429],
  ] as const)
    assert.equal(await ask(from(address), `X-API-Key: ${key}`), status);
});

test("standalone server: while the store hangs and requests with a key are refused, the page, its files, OpenAPI and the status answer 200", async (t) => {
  let hangs = false;
  const hanging = <Port extends object>(port: Port): Port => {
    const calls = Object.entries(port) as [string, (...args: unknown[]) => unknown][];
    const wrapped = calls.map(([name, call]) => [
      name,
      (...args: unknown[]) => (hangs ? new Promise(() => {}) : call(...args)),
    ]);
    return Object.fromEntries(wrapped) as Port;
  };
  const { observations, accounts, quota } = createMemoryStore();
  const key = await createKey(accounts, nodeSystem, "me");
  const memory = storeWith({ observations: hanging(observations), accounts: hanging(accounts), quota: hanging(quota) });
  const { origin } = await start(t, { store: async () => memory, limits: { requests: 4, drainMs: 1 } });
  hangs = true;
  const stuck = Array.from({ length: 4 }, () => connectRaw(origin));
  t.after(() => stuck.forEach((one) => one.destroy()));
  for (const one of stuck) one.send(rawRequest({ target: "/api/v1/assets", headers: [`X-API-Key: ${key}`] }));
  await until("others are refused", async () => (await sendRaw(origin, { target: "/api/v1/access" })).status === 503);
  const page = (await sendRaw(origin, { target: "/docs" })).body.toString();
  const file = /docs\/[\w-]+\.js/.exec(page)?.[0] ?? assert.fail("the page has no script");
  for (const target of ["/docs", `/${file}`, "/docs.md", "/llms.txt", "/openapi.json", "/api/v1/status"])
    assert.equal((await sendRaw(origin, { target })).status, 200, target);
});

test("standalone server: while the store does not answer, readiness and metrics leave out the store's figures; the server reports when the store fails", async (t) => {
  const troubles: Trouble[] = [{ code: "store-unreachable", message: "The database does not answer" }];
  let hangs = false;
  let fail = (_: StoreError): void => {};
  const store = storeWith({
    watcher: { troubles: () => troubles },
    info: () => (hangs ? new Promise(() => {}) : storeWith({}).info()),
    metrics: () => (hangs ? new Promise(() => {}) : []),
    failed: new Promise((resolve) => (fail = resolve)),
  });
  const server = await watched(t, { store: async () => store });
  hangs = true;
  assert.equal((await server.untilReasons("store-unreachable")).status, 503);
  const metrics = readExposition(await (await fetch(`${server.adminUrl}/metrics`)).text());
  assert.equal(metrics.get("mazaneh_ready")?.series.get("mazaneh_ready"), 0);
  assert.deepEqual([metrics.has("observations"), metrics.has("process_resident_memory_bytes")], [false, true]);
  troubles.pop();
  assert.equal((await server.untilReasons()).status, 200);
  fail(new StoreError("The schema is newer", 78));
  assert.equal((await server.failed).exitCode, 78);
});

/** A store in memory with some of its parts replaced. */
function storeWith(parts: Partial<Store>): Store {
  return {
    ...createMemoryStore(),
    ...{ warnings: [], watcher: { troubles: () => [] }, failed: new Promise<never>(() => {}) },
    info: async () => ({ storeId: "1", version: "1", records: 0, pending: 0, damages: 0 }),
    metrics: () => [],
    close: async () => {},
    ...parts,
  };
}

async function start(t: TestContext, options: Partial<StandaloneOptions>): Promise<{ origin: string; store: Store }> {
  const { address, store, stop } = await startStandalone({
    store: jsonFilesEngine(await temporaryDirectory(t), nodeSystem).open,
    host: "127.0.0.1",
    port: 0,
    ...options,
  });
  t.after(() => stop());
  return { origin: `http://127.0.0.1:${address.port}`, store };
}
