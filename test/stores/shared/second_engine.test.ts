// Server and commands on an engine that is not a directory of files: its store lies in memory and answers later.
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { nodeSystem } from "../../../adapters/http/node/mod.ts";
import { type Standalone, type StandaloneOptions, startStandalone } from "../../../adapters/server/standalone.ts";
import { createMemoryStore } from "../../../adapters/stores/memory_store.ts";
import type { QuotaStore } from "../../../adapters/stores/shared/store.ts";
import { StoreError } from "../../../adapters/stores/shared/store_error.ts";
import type { Trouble } from "../../../adapters/stores/shared/store_troubles.ts";
import { createKey } from "../../../core/mod.ts";
import { program } from "../../support/cli_program.ts";
import { createMemoryEngine, type MemoryEngine } from "../../support/memory_engine.ts";
import { readExposition } from "../../support/prometheus.ts";
import { observed } from "../../support/store_suite.ts";

const ASSET = "/api/v1/assets/USD_RLS";

async function serve(t: TestContext, engine: MemoryEngine, options: Partial<StandaloneOptions> = {}) {
  const server: Standalone = await startStandalone({
    store: engine.open,
    host: "127.0.0.1",
    port: 0,
    adminPort: 0,
    ...options,
  });
  t.after(() => server.stop());
  const ask = async (path: string, key = ""): Promise<{ status: number; json: Record<string, unknown> }> => {
    const answer = await fetch(`http://127.0.0.1:${server.address.port}${path}`, { headers: { "X-API-Key": key } });
    return { status: answer.status, json: (await answer.json()) as Record<string, unknown> };
  };
  const ready = async (): Promise<{ status: number; codes: unknown }> => {
    const answer = await fetch(`${server.adminUrl}/readyz`);
    const { reasons } = (await answer.json()) as { reasons: { code: string }[] };
    return { status: answer.status, codes: reasons.map(({ code }) => code) };
  };
  const metrics = async () => readExposition(await (await fetch(`${server.adminUrl}/metrics`)).text());
  return { server, ask, ready, metrics };
}

test("server: serves prices and counts units with the store of another engine, and closes it once", async (t) => {
  const engine = createMemoryEngine();
  const { server, ask, ready, metrics } = await serve(t, engine, {
    prepare: async ({ observations }) => void (await observations.append([observed(1, 1_905_000)])),
  });
  const key = await createKey(server.store.accounts, nodeSystem, "alice");
  const { status, json } = await ask(ASSET, key);
  assert.deepEqual([status, json["value"]], [200, 1_905_000]);
  assert.equal((await ask("/api/v1/status")).json["status"], "OK");
  assert.deepEqual(await ready(), { status: 200, codes: [] });
  const days = [];
  const reader = await engine.read();
  for await (const { accounts } of reader.usage()) days.push(accounts);
  await reader.close();
  assert.deepEqual(days, [[{ account: "alice", units: 1, keys: [] }]]);
  const found = await metrics();
  assert.deepEqual(
    [
      found.get("store_in_memory")?.series.size,
      found.get("observations")?.series.get("observations"),
      found.get("store_log_bytes"),
    ],
    [1, 1, undefined],
  );
  assert.equal(engine.openStores, 1);
  await Promise.all([server.stop(), server.stop()]);
  assert.equal(engine.openStores, 0);
});

test("server: a ledger of its own counts in place of the store's, its troubles count, and it is closed with the server", async (t) => {
  const { quota } = createMemoryStore();
  let troubles: readonly Trouble[] = [];
  let closed = 0;
  const ledger: QuotaStore = { ...quota, watcher: { troubles: () => troubles }, close: async () => void closed++ };
  const prepare: StandaloneOptions["prepare"] = async ({ observations }) =>
    void (await observations.append([observed(1, 1)]));
  const engine = createMemoryEngine();
  const { server, ask, ready } = await serve(t, engine, { quota: async () => ledger, prepare });
  const key = await createKey(server.store.accounts, nodeSystem, "alice");
  assert.equal((await ask(ASSET, key)).status, 200);
  for await (const _ of (await engine.read()).usage()) assert.fail("The store has counted");
  troubles = [{ code: "quota-unreachable", message: "The ledger does not answer" }];
  assert.deepEqual(await ready(), { status: 503, codes: ["quota-unreachable"] });
  assert.equal((await ask("/api/v1/status")).json["status"], "UNAVAILABLE");
  await server.stop();
  assert.equal(closed, 1);
});

test("server: a store that cannot be reached is a reason, and the server says UNAVAILABLE; one that has failed is reported", async (t) => {
  const engine = createMemoryEngine();
  const { server, ask, ready } = await serve(t, engine);
  engine.troubles = [{ code: "store-unreachable", message: "The database does not answer" }];
  assert.deepEqual(await ready(), { status: 503, codes: ["store-unreachable"] });
  assert.equal((await ask("/api/v1/status")).json["status"], "UNAVAILABLE");
  engine.troubles = [];
  assert.deepEqual(await ready(), { status: 200, codes: [] });
  engine.fail(new StoreError("The schema is newer", 78));
  assert.equal((await server.failed).exitCode, 78);
});

test("server: while the store is frozen, metrics and readiness are answered, without what only the store knows", {
  timeout: 30_000,
}, async (t) => {
  const engine = createMemoryEngine();
  const { ready, metrics } = await serve(t, engine);
  engine.isFrozen = true;
  engine.troubles = [{ code: "store-unreachable", message: "The database does not answer" }];
  const found = await metrics();
  assert.equal(found.get("mazaneh_ready")?.series.get("mazaneh_ready"), 0);
  assert.deepEqual([found.has("observations"), found.has("process_resident_memory_bytes")], [false, true]);
  assert.equal((await ready()).status, 503);
});

const RECORDS = "code,value,businessTime\nUSD_RLS,1,2026-01-01T00:00:00Z\nUSD_RLS,2,2026-01-02T00:00:00Z\n";

interface How {
  readonly input?: string;
  readonly code?: number;
}

/** Runs commands on an engine; fails where one does not end with `code`. */
function commandsOn(memory: MemoryEngine) {
  return async (
    args: readonly string[],
    { input = "", code = 0 }: How = {},
  ): Promise<{ out: string; err: string; json(): Record<string, unknown> }> => {
    const run = await program(args, { engine: () => memory, input: [input] });
    assert.equal(run.code, code, `${args.join(" ")}: ${run.err}`);
    return { ...run, json: () => JSON.parse(run.out) as Record<string, unknown> };
  };
}

test("commands: keys, accounts, plans and usage work with the store of another engine", async () => {
  const engine = createMemoryEngine();
  const run = commandsOn(engine);
  await run(["plans", "set", "PRO", "--daily-units", "500", "--attribution", "no"]);
  const { id } = (await run(["keys", "create", "alice", "--plan", "PRO", "--json"])).json();
  const rolled = (await run(["keys", "roll", String(id), "--overlap", "0h", "--json"])).json();
  await run(["keys", "revoke", String(rolled["id"])]);
  await run(["accounts", "set", "alice", "--status", "DISABLED"]);
  assert.match(
    (await run(["accounts", "set", "bob", "--status", "DISABLED"], { code: 64 })).err,
    /Cannot change account "bob" as there is none of that name/,
  );
  assert.deepEqual((await run(["accounts", "list", "--json"])).json(), {
    accounts: [{ account: "alice", plan: "PRO", status: "DISABLED", liveKeys: 0 }],
  });
  assert.equal((await run(["plans", "list", "--json"])).out.includes('"PRO"'), true);
  assert.equal(((await run(["keys", "list", "--json"])).json()["keys"] as unknown[]).length, 2);
  const { quota, close } = await engine.open();
  await quota.take("alice" as never, new Date().toISOString().slice(0, 10) as never, 500);
  await close();
  const { usage } = (await run(["usage", "--json"])).json();
  assert.deepEqual(
    (usage as { account: string; units: number; plan: string }[]).map(({ account, units, plan }) => [
      account,
      units,
      plan,
    ]),
    [["alice", 1, "PRO"]],
  );
  assert.equal(engine.openStores, 0, "each command closes what it has opened");
});

test("commands: import, imports, withdraw, export, get, info and verify work with the store of another engine", async () => {
  const engine = createMemoryEngine();
  const run = commandsOn(engine);
  assert.equal((await run(["import", "-", "--json"], { input: RECORDS })).out.includes('"accepted":2'), true);
  assert.equal((await run(["import", "-", "--dry-run"], { input: RECORDS })).err.includes("would stop"), false);
  await run(["import", "-"], { input: RECORDS });
  const header = "code,value,businessTime,sourceTime,provider,qualityStatus,qualityMessage";
  assert.deepEqual((await run(["export"])).out.split("\n").slice(0, 2), [
    header,
    "USD_RLS,1,2026-01-01T00:00:00.000Z,,,ACCEPTED,",
  ]);
  assert.match((await run(["export", "--snapshot"])).out, /^(?:\{"code":"USD_RLS",.*"insertTime":.*\}\n){2}$/);
  assert.equal((await run(["get", "USD_RLS", "--csv"])).out.includes("2026-01-02T00:00:00.000Z"), true);
  const { store, storeId, records, disk } = (await run(["info", "--json"])).json();
  assert.deepEqual(
    [store, storeId, records, disk],
    ["memory://shared", "memory", 2, { total: 1_000, observations: 1_000 }],
  );
  assert.match((await run(["info"])).out, /^Store {6}memory:\/\/shared {2}\(store memory\)\n/);
  await run(["withdraw", "--code", "USD_RLS", "--from", "2026-01-02", "--to", "2026-01-02"]);
  assert.equal((await run(["export"])).out.split("\n").length, 3, "a header, a record and nothing");
  assert.equal(((await run(["imports", "list", "--json"])).json()["imports"] as unknown[]).length, 3);
  await run(["imports", "undo", "1"]);
  assert.deepEqual((await run(["verify", "--json"])).json(), { state: 0, tables: 1 });
  assert.match((await run(["verify"])).out, /^table +rows\nobservations +2\n\nAll is well\.\n$/);
  assert.equal(engine.openStores, 0, "each command closes what it has opened");
});

const only: readonly (readonly [args: readonly string[], message: string])[] = [
  [
    ["backup", "x"],
    '"memory://shared" is not a directory of files. Copy a database with its own tools: PostgreSQL with pg_dump, and pg_restore puts it back',
  ],
  [
    ["compact"],
    '"memory://shared" is not a directory of files. A database frees its space itself: PostgreSQL with autovacuum',
  ],
  [
    ["repair"],
    '"memory://shared" is not a directory of files. A database repairs itself when it starts; restore its own backup if data is lost',
  ],
  [
    ["status"],
    "Many servers may share this store: name the one to ask by the port of its admin listener, --admin-port",
  ],
  [["mirror", "status"], 'No one server owns "memory://shared": ask each server on its admin listener (/readyz)'],
];
for (const [args, message] of only) {
  test(`commands: ${args.join(" ")} is for files, and says what to do with another engine: 64`, async () => {
    assert.equal((await commandsOn(createMemoryEngine())(args, { code: 64 })).err, `mazaneh: ${message}\n`);
  });
}
