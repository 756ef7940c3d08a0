// The program beside other libraries than those of this folder: none, and the second choice of each.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { test } from "node:test";
import { bundle } from "../../faults/bundle.ts";
import { postgresMissing, startPostgres } from "../../support/postgres_server.ts";
import { redisMissing, startRedis } from "../../support/redis_server.ts";
import { skipAloud } from "../../support/skip_aloud.ts";

// Before the first test: when that ends while a server starts, the runner takes the file for done and ends the others.
const postgres = await startPostgres();
const redis = await startRedis();

/** Runs `mazaneh migrate` where only these packages are installed. */
async function migrateWith(packages: readonly string[], env: Readonly<Record<string, string>>): Promise<{ code: number | null; out: string; err: string }> {
  const main = await bundle("adapters/cli/main.ts");
  mkdirSync(join(dirname(main), "node_modules"));
  for (const name of packages) symlinkSync(resolve("node_modules", name), join(dirname(main), "node_modules", name));
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, "migrate"], { encoding: "utf8", env: { PATH: process.env["PATH"], ...env } });
  return { code: status, out: stdout, err: stderr };
}

test("client libraries: where none is installed, one line says which, with 78", async () => {
  assert.deepEqual(await migrateWith([], { MAZANEH_STORE: "postgres://h/d" }), {
    code: 78,
    out: "",
    err: "mazaneh: The client library for PostgreSQL is not installed: npm install pg, beside mazaneh (with -g where mazaneh is)\n",
  });
  const { code, err } = await migrateWith([], { MAZANEH_STORE: "postgres://h/d", MAZANEH_QUOTA: "redis://h" });
  assert.deepEqual([code, err], [78, "mazaneh: The client library for Redis is not installed: npm install redis, beside mazaneh (with -g where mazaneh is)\n"]);
});

if (!postgres || !redis) {
  skipAloud("postgres and ioredis under mazaneh", postgresMissing, redisMissing);
} else {
  test("client libraries: postgres and ioredis are taken where pg and redis are not there", async () => {
    const { code, out, err } = await migrateWith(["postgres", "ioredis"], { MAZANEH_STORE: await postgres.database(), MAZANEH_QUOTA: redis.url });
    assert.deepEqual([code, err], [0, ""]);
    assert.match(out, /^Made the tables .*\nMade the ledger of units in /);
  });

  test("client libraries: postgres and ioredis say in one line what cannot be reached, with 70", async () => {
    const store = await postgres.database();
    const away = await migrateWith(["postgres", "ioredis"], { MAZANEH_STORE: "postgres://u@127.0.0.1:1/d", MAZANEH_QUOTA: redis.url });
    assert.equal(away.code, 70);
    assert.match(away.err, /^mazaneh: Cannot reach postgres:\/\/u@127\.0\.0\.1:1\/d: .*ECONNREFUSED.*\n$/);
    const withoutRedis = await migrateWith(["postgres", "ioredis"], { MAZANEH_STORE: store, MAZANEH_QUOTA: "redis://127.0.0.1:1" });
    assert.equal(withoutRedis.code, 70);
    assert.match(withoutRedis.err, /^mazaneh: Cannot reach redis:\/\/127\.0\.0\.1:1: .*ECONNREFUSED.*\n$/);
  });
}
