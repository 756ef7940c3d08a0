import assert from "node:assert/strict";
import { once } from "node:events";
import { access, readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import pg from "pg";
import { createClient } from "redis";
import { readContent } from "../../adapters/stores/json_files/maintenance/read_content.ts";
import type { Json } from "../support/api_under_test.ts";
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

// Started before the first test. Otherwise, the runner may end this file while a server is still starting.
const postgres = await startPostgres();
const redis = await startRedis();

test("copy: all data of a directory is copied to another; a target that is not empty is refused and stays unchanged", async (t) => {
  const { data, keys } = await installation();
  const target = join(await temporaryDirectory(t), "copy");
  const { code, out, err } = await run(["copy", "--from", data, "--to", target]);
  assert.deepEqual([code, err], [0, ""]);
  assert.equal(
    out,
    `Copied "${data}" to "${target}":\n  3,003 records\n  2 accounts\n  3 keys\n  3 counters of 2 quota days\n  3 imports and withdrawals\nStart servers only on the copy: units used at the source from now on are not counted in the copy.\n`,
  );
  assert.deepEqual(await valuesOfContent(await readContent(target)), await valuesOfContent(await readContent(data)));
  const again = await run(["copy", "--from", data, "--to", target]);
  assert.deepEqual([again.code, again.err], [64, `mazaneh: Cannot write to "${target}" because it is not empty\n`]);
  assert.deepEqual(
    await answers(await serving(t, ["--data", target]), keys[0]!),
    await answers(await serving(t, ["--data", data]), keys[0]!),
  );
});

if (!postgres || !redis) {
  skipAloud("mazaneh copy to PostgreSQL and Redis", postgresMissing, redisMissing);
} else {
  /** Creates a database with tables and a new ledger in Redis, so that each test has its own. */
  async function newDatabase(hasRedis = true): Promise<Record<string, string>> {
    const url = (await postgres!.database()).replace(/\/\/(\w+)@/, `//$1:${SECRET}@`);
    if (hasRedis) await redis!.flush();
    const env = { MAZANEH_STORE: url, ...(hasRedis && { MAZANEH_QUOTA: redis!.url }) };
    assert.equal((await run(["migrate"], { env })).code, 0);
    return env;
  }

  async function redisClient(t: TestContext) {
    const client = createClient({ url: redis!.url });
    await client.connect();
    t.after(() => client.destroy());
    return client;
  }

  const copy = (env: Record<string, string>, ...args: readonly string[]): ReturnType<typeof run> =>
    run(["copy", ...args], { env });

  for (const hasRedis of [true, false]) {
    const engines = hasRedis ? "PostgreSQL and Redis" : "PostgreSQL alone";
    test(`copy: from files to ${engines} and back: answers stay the same, keys work, and used units stay used`, async (t) => {
      const { data, keys } = await installation();
      const [alice] = keys as [string];
      assert.equal(
        (await run(["plans", "set", "small", "--daily-units", "5", "--attribution", "no", "--data", data])).code,
        0,
      );
      const key = String(
        (await run(["keys", "create", "carol", "--plan", "small", "--data", data, "--json"])).json()["key"],
      );
      const before = await answers(await serving(t, ["--data", data]), alice);
      assert.deepEqual(await statuses(await serving(t, ["--data", data]), key, 3), [200, 200, 200]);
      const expected = await withoutCounters(data);

      const env = await newDatabase(hasRedis);
      const there = await copy(env, "--from", data, "--to", "store", "--json");
      assert.deepEqual([there.code, there.err], [0, ""]);
      const { counters, ...report } = there.json();
      assert.deepEqual(report, {
        ...{
          from: `"${data}"`,
          to: env["MAZANEH_STORE"]!.replace(`:${SECRET}`, ""),
          quota: hasRedis ? redis.url : null,
        },
        ...{ records: 3_003, accounts: 3, keys: 4, days: report["days"], imports: 3 },
      });
      assert.ok(Number(counters) >= 4, String(counters));
      assert.deepEqual(await answers(await serving(t, [], env), alice), before);
      assert.equal((await run(["verify"], { env })).code, 0);
      assert.deepEqual(await statuses(await serving(t, [], env), key, 3), [200, 200, 429]);

      const back = join(await temporaryDirectory(t), "back");
      const returned = await copy(env, "--from", "store", "--to", back);
      assert.deepEqual([returned.code, returned.err], [0, ""]);
      assert.ok(!returned.out.includes(SECRET), returned.out);
      assert.deepEqual(await withoutCounters(back), expected);
      assert.deepEqual(await answers(await serving(t, ["--data", back]), alice), before);
      assert.deepEqual(await statuses(await serving(t, ["--data", back]), key, 1), [429]);
    });
  }

  test("copy: counters in Redis are never lowered, accounts without a counter there get no free units, and lost counters are refused", async (t) => {
    const { data } = await installation();
    const key = String((await run(["keys", "create", "carol", "--data", data, "--json"])).json()["key"]);
    await statuses(await serving(t, ["--data", data]), key, 4);
    const env = await newDatabase();
    const today = new Date().toISOString().slice(0, 10);
    const client = await redisClient(t);
    const ledger = "mazaneh:{quota}:ledger";
    await client.hSet(`mazaneh:{quota}:${today}`, { carol: "9", dora: "2" });
    await client.hSet(ledger, today, "counted");
    assert.equal((await copy(env, "--from", data, "--to", "store")).code, 0);
    assert.deepEqual({ ...(await client.hGetAll(`mazaneh:{quota}:${today}`)) }, { carol: "9", dora: "2" });

    // All units of the day count as spent. The copy adds its known counts, which frees no units.
    const spent = await newDatabase();
    await client.hSet(ledger, today, "all-spent");
    assert.equal((await copy(spent, "--from", data, "--to", "store")).code, 0);
    assert.equal(Number(await client.hGet(`mazaneh:{quota}:${today}`, "carol")), 2 ** 52 + 4);
    assert.ok((await client.ttl(`mazaneh:{quota}:${today}`)) > 0, "the counters expire");
    const back = join(await temporaryDirectory(t), "back");
    assert.equal((await copy(spent, "--from", "store", "--to", back)).code, 0);
    assert.deepEqual(await statuses(await serving(t, ["--data", back]), key, 1), [429], "its used units are unknown");

    const lost = await newDatabase();
    await client.hSet(ledger, today, "counted");
    const refusedTarget = await copy(lost, "--from", data, "--to", "store");
    assert.equal(refusedTarget.code, 70, refusedTarget.err);
    assert.match(
      refusedTarget.err,
      /^mazaneh: Redis has lost the units used on a quota day: .*`mazaneh migrate --counters`/,
    );
    assert.equal(
      (await run(["accounts", "list", "--json"], { env: lost })).json()["accounts"]?.toString(),
      "",
      "the tables are still empty",
    );
    const refusedSource = await copy(lost, "--from", "store", "--to", join(back, "..", "again"));
    assert.equal(refusedSource.code, 65, refusedSource.err);
    assert.match(refusedSource.err, /^mazaneh: Cannot copy counters because Redis has lost those of 20/);
  });

  test("copy: a database without tables, with data, or not running, and a Redis without a ledger are refused unchanged", async (t) => {
    const { data } = await installation();
    const bare = await postgres.database();
    const noTables = await copy({}, "--from", data, "--to", bare);
    assert.deepEqual(
      [noTables.code, noTables.err],
      [
        78,
        'mazaneh: Cannot open the database because it has no tables in the schema "mazaneh": run "mazaneh migrate" first\n',
      ],
    );
    const noSource = await copy({}, "--from", bare, "--to", join(await temporaryDirectory(t), "x"));
    assert.deepEqual([noSource.code, noSource.err], [78, noTables.err]);
    const gone = await copy({}, "--from", data, "--to", "postgres://u@127.0.0.1:1/d");
    assert.deepEqual(
      [gone.code, gone.err],
      [70, "mazaneh: PostgreSQL is not available: connect ECONNREFUSED 127.0.0.1:1\n"],
    );

    const env = await newDatabase();
    assert.equal((await copy(env, "--from", data, "--to", "store")).code, 0);
    const client = await redisClient(t);
    await client.del((await client.keys("*")).filter((name) => !name.endsWith(":ledger")).concat("none"));
    const full = await copy(env, "--from", data, "--to", "store");
    assert.equal(full.code, 64);
    assert.match(
      full.err,
      /^mazaneh: Cannot write to the database because its schema "mazaneh" already holds data, in the table observations$/m,
    );
    assert.deepEqual(
      (await client.keys("*")).filter((name) => !name.endsWith(":ledger")),
      [],
      "the counters of a refused target stay unchanged",
    );

    const other = await newDatabase();
    await redis.flush();
    const noLedger = await copy(other, "--from", data, "--to", "store");
    assert.deepEqual(
      [noLedger.code, noLedger.err],
      [
        78,
        "mazaneh: Redis has no ledger of units: `mazaneh migrate` or initRedisQuota makes one. If units were used before, Redis has lost them: `mazaneh migrate --counters` decides how they count\n",
      ],
    );
  });

  test("copy: Ctrl+C ends it with 130 and says that no part of the copy is left, in a directory or a database", async (t) => {
    const { data } = await installation(60_000);
    const database = await postgres.database();
    assert.equal((await run(["migrate", "--store", database])).code, 0);
    const parent = await temporaryDirectory(t);
    for (const to of [join(parent, "files"), database]) {
      const child = startMazaneh(["copy", "--from", data, "--to", to]);
      const ended = once(child, "close");
      let err = "";
      child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
      await (to.startsWith("postgres") ? writingBegins(to) : until("files are written", () => isBegun(to)));
      child.kill("SIGINT");
      assert.deepEqual(await ended, [130, null]);
      assert.equal(err, "mazaneh: The copy was stopped by SIGINT, and nothing of it is left\n");
    }
    assert.deepEqual(await readdir(parent), []);
    assert.equal((await run(["export", "--store", database])).out.trim().split("\n").length, 1, "only the heading");
  });

  test("copy: between two databases, by URLs without passwords; a killed copy leaves no data, and can be repeated", async (t) => {
    const { data, keys } = await installation(60_000);
    const [one, two] = [await postgres.database(), await postgres.database()];
    for (const url of [one, two]) assert.equal((await run(["migrate", "--store", url])).code, 0);
    for (const [from, to] of [
      [data, one],
      [one, two],
      [two, join(await temporaryDirectory(t), "files")],
    ] as const) {
      const child = startMazaneh(["copy", "--from", from, "--to", to]);
      const ended = once(child, "close");
      await (to.startsWith("postgres") ? writingBegins(to) : until("files are written", () => isBegun(to)));
      child.kill("SIGKILL");
      assert.equal((await ended)[1], "SIGKILL");
      if (to.startsWith("postgres")) {
        const list = await run(["export", "--store", to]);
        assert.equal(list.out.trim().split("\n").length, 1, "only the heading");
      } else {
        await assert.rejects(access(to));
        const served = await run(["get", "USD_RLS", "--data", to]);
        assert.equal(served.code, 64, served.err);
      }
      const again = await run(["copy", "--from", from, "--to", to]);
      assert.deepEqual([again.code, again.err], [0, ""]);
    }
    const quota = ["--store", one];
    assert.deepEqual(
      await answers(await serving(t, quota), keys[0]!),
      await answers(await serving(t, ["--store", two]), keys[0]!),
    );
  });
}

/** Runs a command within this process. */
async function run(args: readonly string[], setting?: Parameters<typeof program>[1]) {
  const done = await program(args, setting);
  return { ...done, json: () => JSON.parse(done.out) as Json };
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
    const { code, err } = await run(["import", "-", "--data", data, "--yes"], {
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
