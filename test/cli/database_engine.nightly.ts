import assert from "node:assert/strict";
import { before, type TestContext, test } from "node:test";
import { mazaneh, type Run, type Served, serving } from "../support/cli.ts";
import { postgresMissing, startPostgres } from "../support/postgres_server.ts";
import { redisMissing, startRedis } from "../support/redis_server.ts";
import { skipAloud } from "../support/skip_aloud.ts";
import { until } from "../support/wait_until.ts";

const postgres = await startPostgres({ settings: { password_encryption: "scram-sha-256" } });
const redis = await startRedis();
const PRICE = "code,value,businessTime\nUSD_RLS,1905000,2026-11-20T16:30:00Z\n";
const SECRET = "s3cret";

if (!postgres || !redis) {
  skipAloud("the program on PostgreSQL and Redis", postgresMissing, redisMissing);
} else {
  let env: Readonly<Record<string, string>>;
  before(async () => {
    // The server accepts any password. The tests check that passwords are never shown.
    env = {
      MAZANEH_STORE: withPassword(await postgres.database()),
      MAZANEH_QUOTA: redis.url.replace("//", `//:${SECRET}@`),
    };
    assert.equal((await run("migrate")).code, 0);
  });

  const run = (...args: readonly string[]): Promise<Run> => mazaneh(args, { env });
  const started = (t: TestContext, ...args: readonly string[]): Promise<Served> =>
    serving(t, ["--admin-port", "0", ...args], env);

  test("database: two servers and the commands share one store: each serves the others' changes, and units are counted once", async (t) => {
    const [one, two] = await Promise.all([started(t), started(t)]);
    assert.equal((await mazaneh(["import", "-"], { env, input: PRICE })).code, 0);
    const made = (await run("keys", "create", "alice", "--json")).json();
    const [key, id] = [String(made["key"]), String(made["id"])];
    for (const [server, left] of [
      [one, 49],
      [two, 48],
      [one, 47],
    ] as const) {
      const response = await fetch(`${server.url}/api/v1/assets/USD_RLS`, { headers: { "X-API-Key": key } });
      assert.equal(response.status, 200);
      assert.equal(((await response.json()) as { value: number }).value, 1_905_000);
      assert.equal(response.headers.get("X-RateLimit-Remaining"), String(left));
    }
    assert.match((await run("usage", "alice")).out, /\b3\b/);
    assert.match((await run("keys", "list")).out, new RegExp(`^${id} +alice .*20\\d\\d-`, "m"));
    assert.match((await run("get", "USD_RLS")).out, /1,?905,?000/);
    assert.match((await run("export")).out, /USD_RLS/);
    const verified = await run("verify");
    assert.equal(verified.code, 0, verified.out + verified.err);
    assert.match(
      JSON.stringify((await run("info", "--json")).json()["assets"]),
      /^\[\{"code":"USD_RLS",[^]*"records":1/,
    );
    assert.equal((await run("accounts", "set", "alice", "--status", "DISABLED")).code, 0);
    const refuses = async (server: typeof one): Promise<boolean> =>
      (await server.get("/api/v1/assets/USD_RLS", key)).status === 403;
    await until("both refuse the account", async () => (await refuses(one)) && (await refuses(two)));
    assert.equal((await run("keys", "revoke", id)).code, 0);
    assert.match((await run("imports", "list")).out, /standard input/);
    assert.equal((await run("imports", "undo", "1")).code, 0);
    assert.equal(await one.stop(), 0);
    assert.equal(await two.stop(), 0);
  });

  test("database: no report, log or message shows a password", async (t) => {
    const served = await started(t);
    const outputs = [JSON.stringify(served.state), served.errors()];
    for (const args of [
      ["keys", "list"],
      ["info"],
      ["backup", "/tmp/never"],
      ["status"],
      ["mirror", "status"],
      ["plans", "list", "--json"],
    ]) {
      const { out, err } = await run(...args);
      outputs.push(out, err);
    }
    await served.stop();
    outputs.push(served.errors());
    for (const output of outputs) assert.ok(!output.includes(SECRET), output);
    const shown = JSON.stringify(served.state["settings"]);
    for (const name of [
      env["MAZANEH_STORE"]!.replace(`:${SECRET}`, ""),
      env["MAZANEH_QUOTA"]!.replace(`:${SECRET}@`, ""),
    ])
      assert.ok(shown.includes(`"${name}"`), shown);
  });

  test("database: serve warns about settings of Redis that endanger the counters", async (t) => {
    const { state } = await started(t);
    assert.match(String(state["warnings"]), /Redis has appendonly no/);
  });

  const instead: readonly (readonly [args: readonly string[], code: number, message: RegExp])[] = [
    [
      ["backup", "/tmp/never"],
      64,
      /is not a directory of files\. Back up a database with its own tools: for PostgreSQL, pg_dump/,
    ],
    [["compact"], 64, /autovacuum/],
    [["repair"], 64, /A database repairs itself/],
    [["mirror", "status"], 64, /is shared by servers/],
    [
      ["serve", "--mirror", "https://api.example.com"],
      64,
      /^mazaneh: A mirror needs a store in files, .* give --mirror or --store, not both$/m,
    ],
    [["status"], 64, /--admin-port/],
    [["keys", "list", "--data", "here"], 64, /^mazaneh: --data and MAZANEH_STORE name two stores/],
  ];
  for (const [args, code, message] of instead) {
    test(`database: ${args.join(" ")} is refused with ${code} and advice`, async () => {
      const { code: found, err } = await run(...args);
      assert.equal(found, code, err);
      assert.match(err, message);
      assert.equal(err.trim().split("\n").length, 1);
    });
  }

  test("database: status asks the admin listener of a server on this machine, and ends with 75 without one", async (t) => {
    const served = await started(t);
    const port = new URL(String(served.state["adminUrl"])).port;
    const { code, out } = await run("status", "--admin-port", port);
    assert.deepEqual([code, out], [0, "Ready.\n"]);
    await served.stop();
    const gone = await run("status", "--admin-port", port, "--json");
    assert.deepEqual([gone.code, gone.json()["running"]], [75, false]);
  });

  const failures: readonly (readonly [
    rule: string,
    environment: () => Promise<Record<string, string>>,
    code: number,
    message: RegExp,
  ])[] = [
    [
      "a database without tables",
      async () => ({ MAZANEH_STORE: await postgres.database() }),
      78,
      /^mazaneh: Cannot open the database because it has no tables in the schema "mazaneh": run "mazaneh migrate" first$/m,
    ],
    [
      "a database that is not running",
      async () => ({ MAZANEH_STORE: "postgres://u@127.0.0.1:1/d" }),
      70,
      /^mazaneh: PostgreSQL is not available: connect ECONNREFUSED/,
    ],
  ];
  const ledgerFailures: typeof failures = [
    [
      "a Redis that is not running",
      async () => ({ ...env, MAZANEH_QUOTA: "redis://127.0.0.1:1" }),
      70,
      /^mazaneh: Redis is not available: connect ECONNREFUSED/,
    ],
    [
      "units that are counted in Redis, without its URL",
      async () => ({ MAZANEH_STORE: env["MAZANEH_STORE"]! }),
      78,
      /^mazaneh: The units of this installation are counted in Redis: name it with --quota or MAZANEH_QUOTA/,
    ],
    [
      "units that have been counted in the database",
      countedInDatabase,
      78,
      /^mazaneh: The units of this installation are counted in its database, not in Redis: run `mazaneh migrate` with the same --quota first$/m,
    ],
    [
      "units that are counted in another Redis",
      countedElsewhere,
      78,
      /^mazaneh: The units of this installation are counted in another Redis, or in a ledger that was lost there/,
    ],
  ];
  const cases = [
    ...failures.flatMap((failure) =>
      [
        ["serve", "--port", "0"],
        ["keys", "list"],
        ["import", "-"],
      ].map((args) => ({ args, failure })),
    ),
    ...ledgerFailures.flatMap((failure) => [["serve", "--port", "0"], ["usage"]].map((args) => ({ args, failure }))),
  ];
  for (const {
    args,
    failure: [rule, environment, code, message],
  } of cases) {
    test(`database: ${rule}: ${args.join(" ")} ends with ${code} and one line`, async () => {
      const { code: found, err } = await mazaneh(args, { env: await environment(), input: PRICE });
      assert.equal(found, code, err);
      assert.match(err, message);
      assert.equal(err.trim().split("\n").length, 1, err);
    });
  }

  // Each installation needs its own Redis database.
  let redisDatabases = 0;

  async function countedInDatabase(): Promise<Record<string, string>> {
    const MAZANEH_STORE = await postgres!.database();
    assert.equal((await mazaneh(["migrate"], { env: { MAZANEH_STORE } })).code, 0);
    return { MAZANEH_STORE, MAZANEH_QUOTA: redis!.url };
  }

  async function countedElsewhere(): Promise<Record<string, string>> {
    const MAZANEH_STORE = await postgres!.database();
    const other = `${redis!.url}/${++redisDatabases}`;
    assert.equal((await mazaneh(["migrate"], { env: { MAZANEH_STORE, MAZANEH_QUOTA: other } })).code, 0);
    return { MAZANEH_STORE, MAZANEH_QUOTA: redis!.url };
  }

  test("database: commands that count no units work without Redis, and report that the last use of keys is unknown", async () => {
    const without = { ...env, MAZANEH_QUOTA: "redis://127.0.0.1:1" };
    const made = await mazaneh(["keys", "create", "bob", "--json"], { env: without });
    assert.equal(made.code, 0, made.err);
    const listed = await mazaneh(["keys", "list"], { env: without });
    assert.deepEqual([listed.code, listed.out.includes(String(made.json()["id"]))], [0, true]);
    assert.match(listed.err, /^The last use of \d+ keys cannot be told: Redis is not available:/);
    assert.equal((await mazaneh(["import", "-", "--yes"], { env: without, input: PRICE })).code, 0);
  });

  test("database: import --dry-run shows what a new store would get if the database has no tables", async () => {
    const none = { MAZANEH_STORE: await postgres.database() };
    const { code, out, err } = await mazaneh(["import", "-", "--dry-run"], { env: none, input: PRICE });
    assert.deepEqual([code, err.split("\n")[0]], [0, "There is no store yet; a new store would receive:"]);
    assert.match(out, /standard input +1 +0 +0 +0\n/);
  });

  test("database: a frozen Redis delays neither start nor stop", async () => {
    redis.pause();
    try {
      const { code, err } = await mazaneh(["serve", "--port", "0"], { env });
      assert.equal(code, 70, err);
      assert.match(err, /^mazaneh: Redis [^\n]+$/m);
    } finally {
      redis.resume();
    }
  });

  test("database: a server ends in time while PostgreSQL is frozen", async (t) => {
    const served = await started(t);
    postgres.pause();
    try {
      assert.equal(await served.stop(), 0);
    } finally {
      postgres.resume();
    }
  });
}

function withPassword(url: string): string {
  return url.replace(/\/\/(\w+)@/, `//$1:${SECRET}@`);
}
