// If a Redis cannot be used, the program prints the reason and the remedy, exits with code 78, and changes nothing.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import pg from "pg";
import { createClient } from "redis";
import { program } from "../support/cli_program.ts";
import { postgresMissing, startPostgres } from "../support/postgres_server.ts";
import { redisMissing, startRedis } from "../support/redis_server.ts";
import { skipAloud } from "../support/skip_aloud.ts";

/** A password that is unlikely to appear in a message by chance. */
const PASSWORD = "xyzzy-1";

const postgres = await startPostgres();
const redis = await startRedis({ settings: { requirepass: PASSWORD } });

if (!postgres || !redis) skipAloud("a Redis that cannot be used", postgresMissing, redisMissing);
else {
  before(async () => {
    const admin = createClient({ url: redis.url, password: PASSWORD });
    await admin.connect();
    await admin.sendCommand(["ACL", "SETUSER", "limited", "on", `>${PASSWORD}`, "+@all", "-expireat", "~*"]);
    admin.destroy();
  });
  const at = (login: string): string => redis.url.replace("//", `//${login}@`);

  const cases: readonly (readonly [rule: string, quota: string, message: RegExp])[] = [
    [
      "a wrong password",
      at(":xyzzy-2"),
      /^mazaneh: Redis [^:]+: WRONGPASS [^]*; check the user and the password of MAZANEH_QUOTA\n$/,
    ],
    [
      "a user without the right to let counters expire",
      at(`limited:${PASSWORD}`),
      /^mazaneh: Redis [^:]+: ERR [^]* ~mazaneh:\{quota\}:\*\n$/,
    ],
    [
      "a database that does not exist",
      `${at(`:${PASSWORD}`)}/99`,
      /^mazaneh: Redis [^:]+: ERR DB index is out of range; check the user, the password and the database number /,
    ],
  ];
  for (const [rule, quota, message] of cases) {
    test(`unusable Redis, ${rule}: migrate ends with exit code 78 and a one-line message, and creates no tables`, async () => {
      const store = await postgres.database();
      const run = await program(["migrate"], { env: { MAZANEH_STORE: store, MAZANEH_QUOTA: quota } });
      assert.deepEqual([run.code, run.out, run.err.trim().split("\n").length], [78, "", 1], run.err);
      assert.match(run.err, message);
      assert.doesNotMatch(run.err, /xyzzy/, "no password is shown");
      const client = new pg.Client(store);
      await client.connect();
      const { rows } = await client.query("SELECT 1 FROM pg_namespace WHERE nspname = 'mazaneh'");
      await client.end();
      assert.deepEqual(rows, []);
    });
  }
}
