import assert from "node:assert/strict";
import { access, readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import pg from "pg";
import { createClient } from "redis";
import { readContent } from "../../adapters/stores/json_files/maintenance/read_content.ts";
import { type Served, serving, startMazaneh, temporaryDirectory } from "../support/cli.ts";
import { program } from "../support/cli_program.ts";
import { fillInstallation, valuesOfContent } from "../support/filled_installation.ts";
import { newDirectory, openAt } from "../support/json_files_fixtures.ts";
import { postgresMissing, startPostgres } from "../support/postgres_server.ts";
import { redisMissing, startRedis } from "../support/redis_server.ts";
import { skipAloud } from "../support/skip_aloud.ts";
import { until } from "../support/wait_until.ts";

const SECRET = "s3cret";
const PATHS = [
  "assets",
  "assets/EUR_RLS",
  "assets/USD_RLS/history?from=2026-11-19&to=2026-11-21",
  "assets/USD_RLS/ohlc?interval=1h&from=2026-11-20T00:00:00Z&to=2026-11-22T00:00:00Z",
];

// Started before the first test, so that the runner does not end this file while a server is still starting.
const postgres = await startPostgres();
const redis = await startRedis();

if (!postgres || !redis) {
  skipAloud("mazaneh copy to PostgreSQL and Redis", postgresMissing, redisMissing);
} else {
  /** Creates a database with tables and a new ledger in Redis, so that each test has its own. */
  async function newDatabase(): Promise<Record<string, string>> {
    const url = (await postgres!.database()).replace(/\/\/(\w+)@/, `//$1:${SECRET}@`);
    await redis!.flush();
    const env = { MAZANEH_STORE: url, MAZANEH_QUOTA: redis!.url };
    assert.equal((await program(["migrate"], { env })).code, 0);
    return env;
  }

  async function redisClient(t: TestContext) {
    const client = createClient({ url: redis!.url });
    await client.connect();
    t.after(() => client.destroy());
    return client;
  }

  const copy = (env: Record<string, string>, ...args: readonly string[]) => program(["copy", ...args], { env });

  test("copy: from files to PostgreSQL and Redis and back: answers stay the same, keys work, and used units stay used", async (t) => {
    const { data, keys } = await installation();
    const [alice] = keys as [string];
    const plan = ["plans", "set", "small", "--daily-units", "5", "--attribution", "no"];
    assert.equal((await program([...plan, "--data", data])).code, 0);
    const carol = ["keys", "create", "carol", "--plan", "small", "--data", data, "--json"];
    const key = String((await program(carol)).json()["key"]);
    const before = await answers(await serving(t, ["--data", data]), alice);
    assert.deepEqual(await statuses(await serving(t, ["--data", data]), key, 3), [200, 200, 200]);
    const expected = await withoutCounters(data);

    const env = await newDatabase();
    const there = await copy(env, "--from", data, "--to", "store", "--json");
    assert.deepEqual([there.code, there.err], [0, ""]);
    const { counters, ...report } = there.json();
    assert.deepEqual(report, {
      ...{ from: `"${data}"`, to: env["MAZANEH_STORE"]!.replace(`:${SECRET}`, ""), quota: redis.url },
      ...{ records: 3_003, accounts: 3, keys: 4, days: report["days"], imports: 3 },
    });
    assert.ok(Number(counters) >= 4, String(counters));
    assert.deepEqual(await answers(await serving(t, [], env), alice), before);
    assert.equal((await program(["verify"], { env })).code, 0);
    assert.deepEqual(await statuses(await serving(t, [], env), key, 3), [200, 200, 429]);

    const back = join(await temporaryDirectory(t), "back");
    const returned = await copy(env, "--from", "store", "--to", back);
    assert.deepEqual([returned.code, returned.err], [0, ""]);
    assert.ok(!returned.out.includes(SECRET), returned.out);
    assert.deepEqual(await withoutCounters(back), expected);
    assert.deepEqual(await answers(await serving(t, ["--data", back]), alice), before);
    assert.deepEqual(await statuses(await serving(t, ["--data", back]), key, 1), [429]);
  });

  test("copy: never lowers a counter in Redis; if all units of a day count as spent in Redis, the copy does not change this; refuses to run if counters are lost", async (t) => {
    const { data } = await installation();
    const key = String((await program(["keys", "create", "carol", "--data", data, "--json"])).json()["key"]);
    await statuses(await serving(t, ["--data", data]), key, 4);
    const env = await newDatabase();
    const today = new Date().toISOString().slice(0, 10);
    const client = await redisClient(t);
    const ledger = "mazaneh:{quota}:ledger";
    await client.hSet(`mazaneh:{quota}:${today}`, { carol: "9", dora: "2" });
    await client.hSet(ledger, today, "counted");
    assert.equal((await copy(env, "--from", data, "--to", "store")).code, 0);
    assert.deepEqual({ ...(await client.hGetAll(`mazaneh:{quota}:${today}`)) }, { carol: "9", dora: "2" });

    // All units of the day count as spent in the target, even after the copy has added the source's counts.
    const spent = await newDatabase();
    await client.hSet(ledger, today, "all-spent");
    assert.equal((await copy(spent, "--from", data, "--to", "store")).code, 0);
    assert.equal(Number(await client.hGet(`mazaneh:{quota}:${today}`, "carol")), 2 ** 52 + 4);
    assert.ok((await client.ttl(`mazaneh:{quota}:${today}`)) > 0, "the counters expire");
    const back = join(await temporaryDirectory(t), "back");
    assert.equal((await copy(spent, "--from", "store", "--to", back)).code, 0);
    assert.deepEqual(await statuses(await serving(t, ["--data", back]), key, 1), [429], "the used units are unknown");

    const lost = await newDatabase();
    await client.hSet(ledger, today, "counted");
    const refused = await copy(lost, "--from", data, "--to", "store");
    assert.equal(refused.code, 70, refused.err);
    const { accounts } = (await program(["accounts", "list", "--json"], { env: lost })).json();
    assert.deepEqual(accounts, [], "the tables are still empty");
    assert.equal((await copy(lost, "--from", "store", "--to", join(back, "..", "again"))).code, 65);
  });

  test("copy: refuses a database that has no tables, has data, or is not running, and a Redis without a ledger; changes none of them", async (t) => {
    const { data } = await installation();
    const bare = await postgres.database();
    assert.equal((await copy({}, "--from", data, "--to", bare)).code, 78);
    assert.equal((await copy({}, "--from", bare, "--to", join(await temporaryDirectory(t), "x"))).code, 78);
    assert.equal((await copy({}, "--from", data, "--to", "postgres://u@127.0.0.1:1/d")).code, 70);

    const env = await newDatabase();
    assert.equal((await copy(env, "--from", data, "--to", "store")).code, 0);
    const client = await redisClient(t);
    const counters = async () => (await client.keys("*")).filter((name) => !name.endsWith(":ledger"));
    await client.del((await counters()).concat("none"));
    assert.equal((await copy(env, "--from", data, "--to", "store")).code, 64);
    assert.deepEqual(await counters(), [], "the counters of a refused target stay unchanged");

    const other = await newDatabase();
    await redis.flush();
    assert.equal((await copy(other, "--from", data, "--to", "store")).code, 78);
  });

  test("copy: if stopped or killed, it leaves nothing in the target directory or database, and can be repeated", async (t) => {
    const { data, keys } = await installation(60_000);
    const [one, two] = [await postgres.database(), await postgres.database()];
    for (const url of [one, two]) assert.equal((await program(["migrate", "--store", url])).code, 0);
    const parent = await temporaryDirectory(t);
    for (const [from, to, signal] of [
      [data, one, "SIGKILL"],
      [one, two, "SIGINT"],
      [two, join(parent, "killed"), "SIGKILL"],
      [two, join(parent, "stopped"), "SIGINT"],
    ] as const) {
      const child = startMazaneh(["copy", "--from", from, "--to", to]);
      await (to.startsWith("postgres") ? writingBegins(to) : until("files are written", () => isBegun(to)));
      assert.equal(await child.end(signal), signal === "SIGINT" ? 130 : null);
      if (to.startsWith("postgres")) {
        const list = await program(["export", "--store", to]);
        assert.equal(list.out.trim().split("\n").length, 1, "only the heading");
      } else {
        await assert.rejects(access(to));
        if (signal === "SIGINT") assert.equal(await isBegun(to), false);
      }
      const again = await program(["copy", "--from", from, "--to", to]);
      assert.deepEqual([again.code, again.err], [0, ""]);
    }
    const [answer, expected] = [await serving(t, ["--store", two]), await serving(t, ["--store", one])];
    assert.deepEqual(await answers(answer, keys[0]!), await answers(expected, keys[0]!));
  });
}

/** Makes a data directory with every kind of data. Also returns its keys. */
async function installation(more = 0): Promise<{ readonly data: string; readonly keys: readonly string[] }> {
  const data = await newDirectory();
  const store = await openAt(data);
  const keys = await fillInstallation({ ...store, imports: store.access.imports });
  await store.close();
  if (more > 0) {
    const lines = Array.from(
      { length: more },
      (_, at) => `GBP_RLS,${at + 1},${new Date(Date.UTC(2026, 0, 1) + at * 60_000).toISOString()}`,
    );
    const { code, err } = await program(["import", "-", "--data", data, "--yes"], {
      input: [`code,value,businessTime\n${lines.join("\n")}\n`],
    });
    assert.equal(code, 0, err);
  }
  return { data, keys };
}

/** The statuses and bodies of the answers to requests that cost a unit each. Stops the server at the end. */
async function answers(server: Served, key: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const path of PATHS) {
    const response = await fetch(`${server.url}/api/v1/${path}`, { headers: { "X-API-Key": key } });
    assert.equal(response.status, 200, path);
    found.push(await response.text());
  }
  assert.equal(await server.stop(), 0);
  return found;
}

/** The statuses of the answers to `count` requests that cost a unit each. */
async function statuses(server: Served, key: string, count: number): Promise<readonly number[]> {
  const found: number[] = [];
  while (found.length < count) found.push((await server.get("/api/v1/assets/EUR_RLS", key)).status);
  assert.equal(await server.stop(), 0);
  return found;
}

async function withoutCounters(directory: string): Promise<object> {
  return valuesOfContent({ ...(await readContent(directory)), usage: [] });
}

/** Waits until a transaction writes to a database. */
async function writingBegins(url: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await until("a transaction writes", async () => {
      const { rowCount } = await client.query(
        "SELECT FROM pg_stat_activity WHERE datname = current_database() AND backend_xid IS NOT NULL",
      );
      return rowCount! > 0;
    });
  } finally {
    await client.end();
  }
}

/** Whether a program has begun to write the temporary files of a directory. */
async function isBegun(directory: string): Promise<boolean> {
  return (await readdir(dirname(directory))).some((name) => name.startsWith(`${basename(directory)}.`));
}
