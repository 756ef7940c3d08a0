// Loads and uses every entry point of the package in an empty folder, and checks the side effects on the process.
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";

const before = state();
const { createApi, createIngest, createPrices } = await import("mazaneh");
const { fetchHandler } = await import("mazaneh/fetch");
const { openJsonFiles } = await import("mazaneh/json-files");
const { createMemoryStore } = await import("mazaneh/memory-store");
const { createNodeServer, nodeListener, nodeSystem } = await import("mazaneh/node");
const { openSnapshot } = await import("mazaneh/snapshot");
const { webSystem } = await import("mazaneh/system");
assert.deepEqual(state(), before, "loading the package has no side effects");

const memory = createMemoryStore();
const api = createApi({ ...webSystem, ...memory });
await createIngest({ ...webSystem, ...memory })([{ code: "USD_RLS", value: 1, businessTime: "2026-01-01T00:00:00Z" }]);
await createPrices({ ...webSystem, ...memory }).latest("USD_RLS");
assert.equal((await fetchHandler(api)(new Request("http://127.0.0.1/api/v1/status"))).status, 200);
nodeListener(api);
assert.throws(() => openSnapshot("no snapshot"), TypeError);
const server = createNodeServer(api);
assert.deepEqual(state(), before, "using the package has no side effects until a server listens");

const { port } = await server.listen({ host: "127.0.0.1", port: 0 });
const status = `http://127.0.0.1:${port}/api/v1/status`;
await (await fetch(status)).text();
assert.deepEqual(state().listeners, before.listeners, "a listening server installs no signal handlers");
await Promise.all([server.close(), server.close()]);
await server.close();
await assert.rejects(fetch(status), "a closed server no longer answers");

const store = await openJsonFiles("data", nodeSystem);
assert.deepEqual(state().listeners, before.listeners, "an open store installs no signal handlers");
await createIngest({ ...nodeSystem, ...store })([{ code: "USD_RLS", value: 1, businessTime: "2026-01-01T00:00:00Z" }]);
await Promise.all([store.close(), store.close()]);
await store.close();
assert.deepEqual(readdirSync("."), ["data", "quiet.mjs"], "a store writes only into its folder");

const again = await openJsonFiles("data", nodeSystem);
assert.equal((await createPrices({ ...nodeSystem, ...again }).latest("USD_RLS")).value, 1);
await again.close();
assert.deepEqual(state().listeners, before.listeners);
// The process must end by itself now, because nothing is left open.

function state() {
  return {
    listeners: Object.fromEntries(process.eventNames().map((name) => [String(name), process.listenerCount(name)])),
    open: process.getActiveResourcesInfo().filter((name) => /TCP|Pipe|Timeout|Server/.test(name)),
    files: readdirSync("."),
  };
}
