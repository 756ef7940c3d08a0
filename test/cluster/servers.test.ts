import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { connect } from "node:net";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { createClient } from "redis";
import { postgresMissing, startPostgres } from "../support/postgres_server.ts";
import type { PostgresServer } from "../support/postgres_server.ts";
import { redisMissing, startRedis } from "../support/redis_server.ts";
import type { RedisServer } from "../support/redis_server.ts";
import { skipAloud } from "../support/skip_aloud.ts";

const postgres = await startPostgres();
const redis = await startRedis({ settings: { appendonly: "yes", appendfsync: "always" } });
if (postgres && redis) servers(postgres, redis);
else skipAloud("the servers of other tests", postgresMissing, redisMissing);

function servers(postgres: PostgresServer, redis: RedisServer): void {
  async function sql(url: string, text: string, ms = 60_000): Promise<unknown> {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: ms, query_timeout: ms });
    client.on("error", () => {});
    try {
      await client.connect();
      return (await client.query<Record<string, unknown>>(text)).rows[0]?.["v"];
    } finally {
      await client.end();
    }
  }

  async function redisCall(...command: string[]): Promise<unknown> {
    const client = createClient({ url: redis.url, socket: { reconnectStrategy: false, connectTimeout: 1_000 } });
    client.on("error", () => {});
    await client.connect();
    try {
      return await client.sendCommand(command);
    } finally {
      client.destroy();
    }
  }

  test("PostgreSQL: each database is another, and what was written outlives a restart and a kill", async () => {
    const [one, other] = [await postgres.database(), await postgres.database()];
    await sql(one, "CREATE TABLE t AS SELECT 7 AS v");
    await assert.rejects(sql(other, "SELECT v FROM t"), /does not exist/);
    await postgres.restart();
    assert.equal(await sql(one, "SELECT v FROM t"), 7);
    await postgres.kill();
    await assert.rejects(sql(one, "SELECT v FROM t"), { code: "ECONNREFUSED" });
    await postgres.restart();
    assert.equal(await sql(one, "SELECT v FROM t"), 7);
  });

  test("PostgreSQL: a frozen server answers nobody, also on connections that were there, and then goes on", async () => {
    const client = new pg.Client(postgres.url);
    await client.connect();
    postgres.pause();
    const answer = client.query("SELECT 1 AS v");
    assert.equal(await Promise.race([answer, delay(200, "nothing")]), "nothing");
    await assert.rejects(sql(postgres.url, "SELECT 1", 200));
    postgres.resume();
    assert.deepEqual((await answer).rows, [{ v: 1 }]);
    await client.end();
  });

  test("Redis: what was written outlives a kill, is gone after a flush, and a frozen server answers nobody", async () => {
    await redisCall("SET", "a", "7");
    await redis.kill();
    await assert.rejects(redisCall("GET", "a"));
    await redis.restart();
    assert.equal(await redisCall("GET", "a"), "7");
    redis.pause();
    const answer = redisCall("GET", "a").catch((error: unknown) => error);
    assert.equal(await Promise.race([answer, delay(200, "nothing")]), "nothing");
    redis.resume();
    await answer;
    await redis.flush();
    assert.equal(await redisCall("GET", "a"), null);
  });

  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    test(`a test process that ends by ${signal} leaves no server and no directory behind`, async () => {
      const program = `
        import { startPostgres } from "./test/support/postgres_server.ts";
        import { startRedis } from "./test/support/redis_server.ts";
        const servers = [await startPostgres(), await startRedis()];
        console.log(JSON.stringify(servers.map(({ port }) => port)));
        setInterval(() => {}, 1_000);`;
      const child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", program], { stdio: ["ignore", "pipe", "inherit"] });
      const [said] = (await once(child.stdout, "data")) as [Buffer];
      const ports = JSON.parse(said.toString()) as number[];
      child.kill(signal);
      await once(child, "exit");
      for (const port of ports) while (await isOpen(port)) await delay(20);
    });
  }

  function isOpen(port: number): Promise<boolean> {
    return new Promise((resolve) => {
      const socket = connect(port, "127.0.0.1");
      socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
      socket.once("connect", () => socket.destroy());
    });
  }

  test("the end of a test file removes the directories of its servers", async () => {
    const program = `
      import { startRedis } from "./test/support/redis_server.ts";
      import { createClient } from "redis";
      const redis = await startRedis();
      const client = createClient({ url: redis.url });
      await client.connect();
      console.log((await client.configGet("dir")).dir);
      client.destroy();`;
    const child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", program], { stdio: ["ignore", "pipe", "inherit"] });
    let said = "";
    child.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()));
    await once(child, "close");
    const directory = /^\/\S*mazaneh-server-\S+/m.exec(said)?.[0];
    assert.ok(directory, said);
    assert.ok(!existsSync(directory), directory);
  });
}
