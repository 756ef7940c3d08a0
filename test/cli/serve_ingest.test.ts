import assert from "node:assert/strict";
import { test } from "node:test";
import { mazaneh, serving, temporaryStore } from "../support/cli.ts";

const HOUR_AGO = new Date(Date.now() - 3_600_000).toISOString();

test("serve --ingest: a key that may write can push prices; their import is listed as open, can be undone, and is logged when the server stops", async (t) => {
  const data = await temporaryStore(t);
  const { url, stop, errors } = await serving(t, ["--data", data, "--ingest", "--log-format", "json"]);
  const { key, id } = (
    await mazaneh(["keys", "create", "collector", "--may", "write", "--codes", "USD_RLS", "--data", data, "--json"])
  ).json();
  const push = async (lines: string): Promise<unknown> => {
    const answer = await fetch(`${url}/ingest`, {
      method: "POST",
      headers: { "X-API-Key": String(key), "Content-Type": "text/csv" },
      body: `code,value,businessTime\n${lines}`,
    });
    return answer.json();
  };
  const counted = { stored: 1, refused: 0, refusals: [] };
  assert.deepEqual(await push(`USD_RLS,1900000,${HOUR_AGO}\n`), counted);
  const list = async (): Promise<string> => (await mazaneh(["imports", "list", "--data", data])).out;
  assert.match(await list(), /\n1 +\S+ +key \w{8} of collector .* open, 1 record stored\n/);
  assert.match((await mazaneh(["imports", "undo", "1", "--data", data])).out, /1 new record removed/);
  assert.deepEqual(await push(`USD_RLS,1900000,${HOUR_AGO}\n`), counted);
  const openApi = (await (await fetch(`${url}/openapi.json`)).json()) as { readonly paths: object };
  assert.ok("/ingest" in openApi.paths, "the document has the route");
  assert.equal(await stop(), 0);
  assert.match(errors(), new RegExp(`made key ${String(id)} of account collector, which may write USD_RLS"`));
  assert.match(errors(), new RegExp(`import 2 of key ${String(id)} of collector: 1 record"`));
  assert.match(await list(), /\n1 .*undone.*$/s);
});

test("serve: without --ingest there is no ingest route", async (t) => {
  const { url } = await serving(t, ["--data", await temporaryStore(t)]);
  assert.equal((await fetch(`${url}/ingest`, { method: "POST", body: "[]" })).status, 404);
});
