import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { openPostgresClient } from "../../adapters/cli/engines/open_database_clients.ts";
import { readStore, type ServerAddress } from "../../adapters/cli/store_setting.ts";
import { postgresMissing, startPostgres } from "../support/postgres_server.ts";
import { skipAloud } from "../support/skip_aloud.ts";

const server = await startPostgres({ settings: { max_connections: "10" } });
if (!server) skipAloud("connections left for commands", postgresMissing);
else {
  test("two servers on a small database leave two connections free for commands; when one server stops, the other may open more", async () => {
    const owner = new pg.Client(server.url);
    await owner.connect();
    await owner.query("CREATE ROLE market LOGIN");
    await owner.end();
    const address = readStore(server.url.replace("postgres@", "market@")) as ServerAddress;
    const [first, second] = [
      await openPostgresClient(address, { max: 10 }),
      await openPostgresClient(address, { max: 10 }),
    ];
    let isOver = false;
    const work = async ({ pool }: typeof first): Promise<void> => {
      while (!isOver) await pool.query("SELECT pg_sleep(0.05)").catch(() => delay(1));
    };
    const working = [first, second].flatMap((each) => Array.from({ length: 10 }, () => work(each)));
    try {
      // Counts only the sweeps for which both pools got a connection. On a busy machine, a sweep may time out.
      for (let sweeps = 0; first.pool.totalCount + second.pool.totalCount > 5; ) {
        assert.ok(sweeps < 20, `${first.pool.totalCount} and ${second.pool.totalCount} connections`);
        const swept = await Promise.allSettled([first, second].map((each) => each.leaveConnections()));
        if (swept.every(({ status }) => status === "fulfilled")) sweeps++;
        await delay(20); // PostgreSQL may still count a connection that has just ended.
      }
      const commands = [new pg.Client(address.url()), new pg.Client(address.url())];
      for (const command of commands) await command.connect();
      for (const command of commands) await command.end();
    } finally {
      isOver = true;
      await Promise.all(working);
    }
    const [larger, other] = first.pool.totalCount > second.pool.totalCount ? [first, second] : [second, first];
    await larger.close();
    const before = other.pool.options.max;
    while (other.pool.options.max === before) {
      await other.leaveConnections();
      await delay(20);
    }
    assert.equal(other.pool.options.max, before + 1);
    await other.close();
  });
}
