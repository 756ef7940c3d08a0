import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { Json } from "../support/api_under_test.ts";
import { mazaneh, serving, temporaryStore } from "../support/cli.ts";
import { program } from "../support/cli_program.ts";

const NOW = "2026-11-21T10:00:00Z";

/** Makes functions that run commands on one data directory. The clock always shows the same time. */
async function office(t: TestContext): Promise<{
  data: string;
  run(...args: readonly string[]): Promise<{ code: number; out: string; err: string }>;
  json(...args: readonly string[]): Promise<Json>;
}> {
  const data = await temporaryStore(t);
  const run = (...args: readonly string[]): ReturnType<typeof program> =>
    program([...args, "--data", data], { now: NOW });
  return {
    data,
    run,
    async json(...args) {
      const { code, out, err } = await run(...args, "--json");
      assert.deepEqual([code, err], [0, ""]);
      return JSON.parse(out) as Json;
    },
  };
}

test("keys create: --units also creates the plan, with the attribution setting of the first plan", async (t) => {
  const { run, json } = await office(t);
  const { out } = await run("keys", "create", "alice", "--units", "unlimited");
  assert.match(out, /^Key \w{8} of account alice, plan UNLIMITED \(no limit\), .*Send it as X-API-Key\.\n$/s);
  await json("plans", "set", "FREE_STARTER", "--attribution", "no");
  for (const account of ["bob", "carol"])
    assert.equal((await json("keys", "create", account, "--units", "1000"))["plan"], "UNITS_1000");
  const { plans } = await json("plans", "list");
  assert.deepEqual(plans, [
    { name: "FREE_STARTER", dailyUnits: 50, attributionRequired: false },
    { name: "UNLIMITED", dailyUnits: null, attributionRequired: true },
    { name: "UNITS_1000", dailyUnits: 1000, attributionRequired: false },
  ]);
});

test("keys create: --may and --codes restrict a key; keys list shows the restrictions, and keys roll keeps them", async (t) => {
  const { run, json } = await office(t);
  const { out } = await run("keys", "create", "collector", "--may", "write", "--codes", "USD_RLS, EUR_RLS,USD_RLS");
  assert.match(out, /, may write USD_RLS, EUR_RLS, without an end:\n/);
  assert.match((await run("keys", "list")).out, /collector {2}live {3}write USD_RLS, EUR_RLS {2}-/);
  const made = await json("keys", "create", "both", "--may", "read,write");
  assert.deepEqual([made["may"], made["codes"]], ["read,write", null]);
  const { id } = (await json("keys", "list"))["keys"]![0]!;
  const rolled = await json("keys", "roll", String(id));
  assert.deepEqual([rolled["may"], rolled["codes"]], ["write", ["USD_RLS", "EUR_RLS"]]);
});

test("a running server applies every change at once, and the output of commands mentions it", async (t) => {
  const data = await temporaryStore(t);
  const server = await serving(t, ["--data", data]);
  const run = async (...args: readonly string[]): Promise<Json> => {
    const done = await mazaneh([...args, "--data", data, "--json"]);
    assert.deepEqual([done.code, done.err], [0, ""]);
    return done.json();
  };
  const { id, key } = (await run("keys", "create", "alice")) as Json & { readonly id: string; readonly key: string };
  const access = async (): Promise<unknown> => {
    const { status, json } = await server.get("/api/v1/access", key);
    return status === 200 ? json["accessType"] : status;
  };
  assert.equal(await access(), "FREE_STARTER");

  await run("plans", "set", "BIG", "--daily-units", "1000000", "--attribution", "no");
  await run("accounts", "set", "alice", "--plan", "BIG");
  assert.equal(await access(), "BIG");

  await run("accounts", "set", "alice", "--status", "RESTRICTED");
  assert.equal(await access(), 403);
  await run("accounts", "set", "alice", "--status", "ACTIVE");

  const time = new Date(Date.now() - 60_000).toISOString();
  const imported = await mazaneh(["import", "--data", data, "--json", "-"], {
    input: `code,value,businessTime\nUSD_RLS,1905000,${time}\n`,
  });
  assert.equal(imported.json()["accepted"], 1);
  assert.equal((await server.get("/api/v1/assets/USD_RLS", key)).json["value"], 1_905_000);
  assert.match((await mazaneh(["export", "--data", data])).out, /^USD_RLS,1905000,/m);

  await run("keys", "revoke", id);
  assert.equal(await access(), 401);
  assert.equal(await server.stop(), 0);
});
