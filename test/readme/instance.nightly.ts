// The programs on the page of PostgreSQL, run as they stand there on real servers.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createNodeServer } from "../../adapters/node/mod.ts";
import { postgresMissing, startPostgres } from "../support/postgres_server.ts";
import { redisMissing, startRedis } from "../support/redis_server.ts";
import { skipAloud } from "../support/skip_aloud.ts";
import { programOf, runProgram } from "./pages.ts";

const postgres = await startPostgres();
const redis = await startRedis();
if (!postgres || !redis) skipAloud("the programs of several instances", postgresMissing ?? redisMissing!);
else {
  test("postgres page: the set-up and the program of an instance serve, and end after SIGTERM", async () => {
    const env = { DATABASE_URL: await postgres.database(), REDIS_URL: redis.url };
    await runProgram(programOf("adapters/postgres/README.md", { file: "setup.ts", language: "ts" }), { process: { env } });
    let port = 0;
    let stop: () => Promise<void> = async () => assert.fail("the program listens to no signal");
    await runProgram(programOf("adapters/postgres/README.md", { file: "instance.ts", language: "ts" }).replace("8084", "0"), {
      createNodeServer(...args: Parameters<typeof createNodeServer>) {
        const server = createNodeServer(...args);
        return { ...server, listen: async (address: Parameters<typeof server.listen>[0]) => void ({ port } = await server.listen(address)) };
      },
      process: { env, once: (signal: string, act: () => Promise<void>) => signal === "SIGTERM" && (stop = act) },
    });
    try {
      const { status } = (await (await fetch(`http://127.0.0.1:${port}/api/v1/status`)).json()) as { status: string };
      assert.equal(status, "OK");
    } finally {
      await stop();
    }
    await assert.rejects(fetch(`http://127.0.0.1:${port}/api/v1/status`), "the server has stopped");
  });
}
