import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json } from "../support/api_under_test.ts";
import { mazaneh, serving, temporaryStore } from "../support/cli.ts";

test("a running server applies every change at once, and the commands' output says so", async (t) => {
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
