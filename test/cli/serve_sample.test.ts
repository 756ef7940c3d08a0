import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { mock, test } from "node:test";
import { openSample } from "../../adapters/cli/sample.ts";
import { ASSETS, type AssetCode, type Observation, type UtcMillis } from "../../core/mod.ts";
import type { Json } from "../support/api_under_test.ts";
import { mazaneh, serving, servingChild, spawned, temporaryDirectory } from "../support/cli.ts";

const ASSET = "/api/v1/assets/USD_RLS";
const IS_SAMPLE = /"isSample":true/;
const START = Date.parse("2026-11-21T10:07:31.250Z");
const MINUTE = 60_000;

function dayBefore(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
}

test("serve --sample: every route accepts the demo key, which the page shows to everybody; no file is written", async (t) => {
  const cwd = await temporaryDirectory(t);
  const server = await servingChild(t, ["--sample"], {}, cwd);
  const { state } = server;
  const { sample, records, settings } = state;
  assert.deepEqual([sample, records?.["assets"], settings?.["publicMarket"]], [true, ASSETS.length, true]);
  const key = String(state["demoKey"]?.["key"]);
  const get = async (path: string): Promise<Json> => {
    const { status, json } = await server.get(path, key);
    assert.equal(status, 200, path);
    return json;
  };
  assert.equal(((await get("/api/v1/assets")) as unknown as readonly Json[]).length, ASSETS.length);
  const supported = (await get("/api/v1/assets/supported"))["assets"] as unknown as {
    stale: boolean;
    providers: string[];
  }[];
  assert.deepEqual(
    supported.filter(({ stale, providers }) => stale || providers.join() !== "SAMPLE"),
    [],
  );
  assert.equal((await get(ASSET))["code"], "USD_RLS");
  await get(`${ASSET}/${dayBefore(3)}`);
  const history = await get(`${ASSET}/history?from=${dayBefore(30)}&to=${dayBefore(1)}`);
  assert.equal((history as unknown as readonly Json[]).length, 30);
  const ohlc = await get(`${ASSET}/ohlc?interval=1h&from=${dayBefore(2)}T00:00:00Z&to=${dayBefore(1)}T00:00:00Z`);
  const { candles } = ohlc as unknown as { candles: readonly { observationCount: number }[] };
  const counts = candles.map(({ observationCount }) => observationCount);
  assert.deepEqual(counts, Array(24).fill(4));
  const posted = await fetch(server.url + ASSET, {
    method: "POST",
    headers: { Authorization: `ApiKey ${key}`, "Content-Type": "application/json" },
    body: JSON.stringify({ fromDate: dayBefore(30), toDate: dayBefore(1) }),
  });
  assert.deepEqual([posted.status, await posted.json()], [200, history]);
  assert.equal((await server.get("/docs/market")).status, 200, "the market is public");

  const access = await fetch(`${server.url}/api/v1/access`, { headers: { "X-API-Key": key } });
  assert.equal(((await access.json()) as Json)["accessType"], "SAMPLE");
  assert.equal(access.headers.get("X-RateLimit-Remaining"), String(5_000 - 7));
  assert.equal((await server.get(ASSET)).status, 401);
  const page = await (await fetch(`${server.url}/docs`)).text();
  assert.match(page, IS_SAMPLE);
  assert.ok(page.includes(`"demoKey":"${key}"`), "the page has the demo key");
  assert.equal(await server.stop(), 0);
  assert.deepEqual(await readdir(cwd), []);
});

test("sample: adds prices each quarter of an hour until it is closed, and earlier prices stay", async (t) => {
  mock.timers.enable({ apis: ["setInterval"] });
  t.after(() => mock.timers.reset());
  let now = START;
  const store = await openSample(() => now as UtcMillis);
  const edges = Array.from(
    { length: 97 },
    (_, quarter) => (Date.parse("2026-11-21T00:00:00Z") + quarter * 15 * MINUTE) as UtcMillis,
  );
  const rows = async (): Promise<readonly Observation[]> =>
    (await store.observations.lastOfEach("USD_RLS" as AssetCode, edges)).value;
  const before = await rows();
  const { records } = await store.info();
  assert.equal(before.at(-1)?.businessTime, Date.parse("2026-11-21T10:00:00Z"));
  for (let minute = 0; minute < 60; minute++) {
    now += MINUTE;
    mock.timers.tick(MINUTE);
    await new Promise((resolve) => setImmediate(resolve));
  }
  const after = await rows();
  assert.deepEqual(after.slice(0, before.length), before);
  assert.deepEqual(
    after
      .slice(before.length)
      .map(({ businessTime }) => (businessTime - START) / MINUTE > 0 && businessTime % (15 * MINUTE)),
    [0, 0, 0, 0],
  );
  assert.equal((await store.info()).records, records + 4 * ASSETS.length);

  now -= 3 * 60 * MINUTE;
  mock.timers.tick(MINUTE);
  await store.close();
  now += 30 * 24 * 60 * MINUTE;
  mock.timers.tick(MINUTE);
  assert.equal(
    (await rows()).length,
    after.length,
    "no prices are added after the clock is set back, or after the sample is closed",
  );
});

test("sample: prints lines that import accepts; a store with these lines says that its prices are made up", async (t) => {
  const data = join(await temporaryDirectory(t), "data");
  const { code, out } = await spawned(["sample"], { readBytes: 200_000 });
  assert.equal(code, 0);
  const lines = out.split("\n").slice(0, 1_000);
  const imported = await mazaneh(["import", "-", "--init", "--json", "--data", data], {
    input: `${lines.join("\n")}\n`,
  });
  assert.deepEqual([imported.code, imported.json()["accepted"]], [0, 1_000], imported.err);
  assert.equal(
    (await mazaneh(["get", "USD_RLS", "--data", data])).err,
    "These prices, or some of them, are made up (provider SAMPLE)\n",
  );
  const server = await serving(t, ["--data", data]);
  const page = await (await fetch(`${server.url}/docs`)).text();
  assert.match(page, IS_SAMPLE);
  assert.doesNotMatch(page, /mz_live_/);
});
