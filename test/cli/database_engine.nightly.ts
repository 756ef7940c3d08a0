// Commands and servers on PostgreSQL and Redis, including failures of both.
import assert from "node:assert/strict";
import { before, type TestContext, test } from "node:test";
import pg from "pg";
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

  test("database: two servers and the commands share a store: every change is served by both servers, and each unit is counted once", async (t) => {
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
      assert.equal(((await response.json()) as { value: number }).value, 1_905_000);
      assert.equal(response.headers.get("X-RateLimit-Remaining"), String(left));
    }
    assert.equal((await run("usage", "alice", "--json")).json()["usage"]?.["0"]?.["units"], 3);
    assert.match((await run("keys", "list")).out, new RegExp(`^${id} +alice .*20\\d\\d-`, "m"));
    assert.equal((await run("get", "USD_RLS", "--json")).json()["value"], 1_905_000);
    assert.match((await run("export")).out, /USD_RLS/);
    const verified = await run("verify");
    assert.equal(verified.code, 0, verified.out + verified.err);
    assert.equal((await run("info", "--json")).json()["records"], 1);
    assert.equal((await run("accounts", "set", "alice", "--status", "DISABLED")).code, 0);
    const refuses = async (server: Served): Promise<boolean> =>
      (await server.get("/api/v1/assets/USD_RLS", key)).status === 403;
    await until("both refuse the account", async () => (await refuses(one)) && (await refuses(two)));
    assert.equal((await run("keys", "revoke", id)).code, 0);
    assert.equal((await run("imports", "undo", "1")).code, 0);
    assert.deepEqual([await one.stop(), await two.stop()], [0, 0]);
  });

  test("database: no report, log or message shows a password; serve warns about settings of Redis", async (t) => {
    const served = await started(t);
    assert.match(String(served.state["warnings"]), /appendonly/);
    const outputs = [JSON.stringify(served.state)];
    for (const line of ["keys list", "info", "backup /tmp/never", "status", "mirror status", "plans list --json"]) {
      const { out, err } = await run(...line.split(" "));
      outputs.push(out, err);
    }
    await served.stop();
    outputs.push(served.errors());
    for (const output of outputs) assert.ok(!output.includes(SECRET), output);
    for (const name of ["MAZANEH_STORE", "MAZANEH_QUOTA"])
      assert.ok(outputs[0]!.includes(`"${env[name]!.replace(`:${SECRET}`, "").replace("//@", "//")}"`), outputs[0]);
  });

  test("database: commands for a directory of files are refused with exit code 64 and one line of advice", async () => {
    for (const [line, advice] of [
      ["backup /tmp/never", /pg_dump/],
      ["compact", /autovacuum/],
      ["repair", /repairs itself/],
      ["mirror status", /may share/],
      ["serve --mirror https://api.example.com", /not both/],
      ["status", /--admin-port/],
      ["keys list --data here", /two stores/],
    ] as const)
      await demandFailure(line, { env, code: 64, advice });
  });

  test("database: status asks the admin listener of the server on this machine, and ends with exit code 75 if there is no server", async (t) => {
    const served = await started(t);
    const port = new URL(String(served.state["adminUrl"])).port;
    const { code, out } = await run("status", "--admin-port", port);
    assert.deepEqual([code, out], [0, "Ready.\n"]);
    await served.stop();
    const gone = await run("status", "--admin-port", port, "--json");
    assert.deepEqual([gone.code, gone.json()["running"]], [75, false]);
  });

  /** Runs a command, which must fail with this code, and with one line that contains the advice. */
  async function demandFailure(
    line: string,
    { env, code, advice }: { readonly env: Readonly<Record<string, string>>; code: number; advice: RegExp },
  ): Promise<void> {
    const run = await mazaneh(line.split(" "), { env, input: PRICE });
    assert.equal(run.code, code, `${line}: ${run.err}`);
    assert.match(run.err, advice, line);
    assert.ok(/^[^\n]+\n$/.test(run.err) && !run.err.includes(SECRET), run.err);
  }

  test("database: a server or ledger that cannot be used is named in one line, with advice: exit code 70 or 78", async () => {
    const none = await postgres.database();
    const [half, store] = [await postgres.database(), await postgres.database()];
    for (const url of [half, store]) assert.equal((await mazaneh(["migrate", "--store", url])).code, 0);
    await ask(half, "DROP TABLE mazaneh.observations");
    await ask(
      store,
      "CREATE ROLE reader LOGIN; GRANT USAGE ON SCHEMA mazaneh TO reader; GRANT SELECT ON ALL TABLES IN SCHEMA mazaneh TO reader; CREATE ROLE crowded LOGIN CONNECTION LIMIT 0",
    );
    const as = (role: string): string => store.replace("postgres@", `${role}@`);
    const failures: readonly (readonly [
      env: Readonly<Record<string, string>>,
      lines: readonly string[],
      code: number,
      advice: RegExp,
    ])[] = [
      [{ MAZANEH_STORE: none }, ["serve --port 0", "keys list", "import -"], 78, /no tables.*mazaneh migrate/],
      [{ MAZANEH_STORE: `${none}x` }, ["migrate"], 78, /createdb/],
      [{ MAZANEH_STORE: as("nobody") }, ["migrate"], 78, /role "…" does not exist; check user and password/],
      [{ MAZANEH_STORE: as("reader") }, ["keys create alice"], 78, /as the owner, run/],
      [{ MAZANEH_STORE: none.replace("postgres@", "reader@") }, ["migrate"], 78, /ask the owner/],
      [{ MAZANEH_STORE: as("crowded") }, ["keys list", "serve --port 0"], 70, /allow more connections/],
      [
        { MAZANEH_STORE: half },
        ["export", "info", "get USD_RLS", "serve --port 0"],
        78,
        /the table "observations" is missing: restore a backup/,
      ],
      [{ MAZANEH_STORE: "postgres://u@127.0.0.1:1/d" }, ["serve --port 0"], 70, /ECONNREFUSED/],
      [{ ...env, MAZANEH_QUOTA: "redis://127.0.0.1:1" }, ["serve --port 0", "usage"], 70, /^mazaneh: Redis .*ECONN/],
      [{ MAZANEH_STORE: env["MAZANEH_STORE"]! }, ["serve --port 0", "usage"], 78, /name it with --quota/],
      [await countedInDatabase(), ["serve --port 0", "usage"], 78, /counted in its database, not in Redis/],
      [await countedElsewhere(), ["serve --port 0", "usage"], 78, /counted in another Redis/],
    ];
    for (const [environment, lines, code, advice] of failures)
      for (const line of lines) await demandFailure(line, { env: { ...environment, PGPASSWORD: "" }, code, advice });
    assert.equal((await mazaneh(["keys", "list", "--store", store])).out, "There are no keys.\n");
  });

  test("database: a command waits for another program's lock as long as the URL says, then reports the lock and ends with exit code 70", async () => {
    const store = await postgres.database();
    assert.equal((await mazaneh(["migrate", "--store", store])).code, 0);
    const others = new pg.Client(store);
    await others.connect();
    try {
      await others.query("BEGIN; LOCK TABLE mazaneh.meta, mazaneh.book, mazaneh.observations IN ACCESS EXCLUSIVE MODE");
      const locked = { MAZANEH_STORE: `${store}?lock_timeout=200` };
      for (const line of [
        "keys create alice",
        "import -",
        "export",
        "migrate",
        "verify",
        "copy --from store --to never",
      ])
        await demandFailure(line, { env: locked, code: 70, advice: /lock timeout; .* pg_locks/ });
    } finally {
      await others.end();
    }
    assert.equal((await mazaneh(["keys", "create", "alice", "--store", store])).code, 0);
  });

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
    assert.match(listed.err, /^The last use .* Redis is not available:/);
    assert.equal((await mazaneh(["import", "-", "--yes"], { env: without, input: PRICE })).code, 0);
  });

  test("database: if the database has no tables, import --dry-run shows the records that a new store would receive", async () => {
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

async function ask(url: string, sql: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(sql);
  await client.end();
}

function withPassword(url: string): string {
  return url.replace(/\/\/(\w+)@/, `//$1:${SECRET}@`);
}
