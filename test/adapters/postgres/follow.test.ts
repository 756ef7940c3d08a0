import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { once } from "node:events";
import { after, mock, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { connectionOf } from "../../../adapters/postgres/connection.ts";
import type { Connection } from "../../../adapters/postgres/connection.ts";
import { databaseStateReader } from "../../../adapters/postgres/database_state.ts";
import { BOUND_MS, follow } from "../../../adapters/postgres/follow.ts";
import type { Follower } from "../../../adapters/postgres/follow.ts";
import type { DatabaseState } from "../../../adapters/postgres/followed_state.ts";
import { migrate } from "../../../adapters/postgres/migrations/migrate.ts";
import { schemaOf } from "../../../adapters/postgres/schema.ts";
import type { AssetCode } from "../../../core/mod.ts";
import { childProgram } from "../../support/child_program.ts";
import { databasesOf } from "../../support/postgres_clients.ts";
import { postgresMissing, startPostgres } from "../../support/postgres_server.ts";
import { skipAloud } from "../../support/skip_aloud.ts";
import { startTcpProxy } from "../../support/tcp_proxy.ts";
import { until } from "../../support/until.ts";

const server = await startPostgres();
if (!server) skipAloud("following the changes of a database", postgresMissing);

const USD = ["USD_RLS"] as AssetCode[];
const SCHEMA = schemaOf("mazaneh");

const databases = await databasesOf(server, async (client) => {
  await migrate(client);
  await connectionOf(client).query(`INSERT INTO ${SCHEMA.sql}.assets (code) VALUES ('USD_RLS'), ('EUR_RLS')`);
});

for (const { name, connect, url } of databases) {
  // What other instances do, through connections that no test breaks.
  const writer = connect(url);
  const { query } = connectionOf(writer.client);
  after(() => writer.close());

  /** Raises the counter of an asset; tells all counters. */
  async function raise(code: string, notification: (counter: number) => string = (counter) => JSON.stringify({ v: { [code]: counter } })): Promise<number> {
    const [row] = await query<{ version: number }>(`UPDATE ${SCHEMA.sql}.assets SET version = version + 1 WHERE code = $1::text RETURNING version::float8 AS version`, [code]);
    const payload = notification(row!.version);
    if (payload !== "") await query("SELECT pg_notify($1::text, $2::text)", [SCHEMA.channel, payload]);
    return row!.version;
  }

  async function counterNow(): Promise<number> {
    return (await query<{ version: number }>(`SELECT version::float8 AS version FROM ${SCHEMA.sql}.assets WHERE code = 'USD_RLS'`, []))[0]!.version;
  }

  /** A follower, and the connection of whoever asks when it does not know. */
  async function following(address = url): Promise<{ follower: Follower; connection: Connection; counter(): number | undefined; close(): Promise<void> }> {
    const { client, close } = connect(address);
    const connection = connectionOf(client);
    const follower = follow({ connection, channel: SCHEMA.channel, readState: databaseStateReader(SCHEMA) });
    return {
      ...{ follower, connection },
      counter: () => numberIn(follower.version(USD)),
      async close() {
        await follower.close();
        await close();
      },
    };
  }

  const numberIn = (version: string | undefined): number | undefined => (version === undefined ? undefined : Number(version.split(".")[1]));

  /** Runs a test with a follower that is current. */
  function testFollowing(rule: string, act: (followed: Awaited<ReturnType<typeof following>>) => Promise<void>, address?: () => Promise<string>): void {
    test(`follow, ${name}: ${rule}`, async () => {
      const followed = await following(await address?.());
      try {
        await until("the follower is current", followed.follower.isCurrent);
        await act(followed);
      } finally {
        await followed.close();
      }
    });
  }

  testFollowing("a raised counter is known after its notification, and other assets stay as they are", async ({ follower, counter }) => {
    const eur = follower.version(["EUR_RLS"] as AssetCode[]);
    const raised = await raise("USD_RLS");
    await until("the counter is known", () => counter() === raised);
    assert.equal(follower.version(["EUR_RLS"] as AssetCode[]), eur);
    assert.equal(numberIn(follower.version(["EUR_RLS", "USD_RLS"] as AssetCode[])), numberIn(follower.version()));
  });

  testFollowing("what was not notified is known within the bound: 0 stale answers after it in 1,000", async ({ counter }) => {
    let stale = 0;
    for (let round = 0; round < 4; round++) {
      const raised = await raise("USD_RLS", () => "");
      const writtenAt = performance.now();
      for (let read = 0; read < 250; ) {
        const known = counter();
        if (performance.now() - writtenAt < BOUND_MS) {
          await delay(1);
          continue;
        }
        if (known !== undefined && known < raised) stale++;
        read++;
      }
    }
    assert.equal(stale, 0);
  });

  testFollowing("notifications that nobody sends, and false ones, do no harm that lasts", async ({ follower, counter }) => {
    const now = counter();
    const accounts = follower.accountsState();
    for (const payload of ["", "{", "null", "[]", "7", '{"v":7}', '{"v":{"USD_RLS":"x"}}', '{"v":{"USD_RLS":1e300}}', '{"v":{"__proto__":5}}', '{"accounts":9e300}']) {
      await query("SELECT pg_notify($1::text, $2::text)", [SCHEMA.channel, payload]);
    }
    await until("the last one is heard", () => follower.accountsState() !== accounts);
    await query("SELECT pg_notify($1::text, $2::text)", [SCHEMA.channel, '{"v":{"USD_RLS":900000000}}']);
    await until("the false counter is gone", () => follower.isCurrent() && counter() === now);
  });

  testFollowing("a change of accounts is known after its notification, and without one within the bound", async ({ follower }) => {
    const before = follower.accountsState();
    await query("SELECT pg_notify($1::text, $2::text)", [SCHEMA.channel, JSON.stringify({ accounts: 1 })]);
    await until("it is heard", () => follower.accountsState() !== before);
    await delay(BOUND_MS);
    await until("it is current", follower.isCurrent);
    const later = follower.accountsState();
    await query(`UPDATE ${SCHEMA.sql}.book SET version = version + 1`);
    const changedAt = performance.now();
    await until("the change is known, or nothing is told", () => follower.accountsState() !== later || !follower.isCurrent());
    assert.ok(performance.now() - changedAt < BOUND_MS + 250, "the bound, and the polling of this test");
  });

  testFollowing("when the server ends the connection, nothing is told from memory until it was read anew", async ({ follower, counter }) => {
    // `postgres` does not say that its connection has ended, so nothing tells before the bound is over.
    for (const missed of [() => raise("USD_RLS"), () => raise("USD_RLS")]) {
      await query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database()");
      const raised = await missed();
      const missedAt = performance.now();
      await until("it is current again", () => {
        const known = counter();
        assert.ok(known === undefined || known >= raised || performance.now() - missedAt < BOUND_MS, `told ${known} instead of ${raised}`);
        return known === raised;
      });
    }
    assert.ok(follower.isCurrent());
  });

  let proxied: Awaited<ReturnType<typeof startTcpProxy>>;
  testFollowing(
    "when the network is frozen, nothing is told from memory after the bound, and all again when it goes on",
    async ({ follower, counter }) => {
      try {
        for (const frozenMs of [BOUND_MS, 5_000]) {
          proxied.freeze();
          const frozenAt = performance.now();
          const raised = await raise("USD_RLS");
          for (const end = frozenAt + frozenMs + 200; performance.now() < end; await delay(2)) {
            if (performance.now() - frozenAt >= BOUND_MS) assert.equal(follower.version(USD), undefined);
          }
          proxied.thaw();
          await until("it is current again", follower.isCurrent);
          assert.equal(counter(), raised);
        }
      } finally {
        await proxied.close();
      }
    },
    async () => {
      proxied = await startTcpProxy(server!.port);
      return url.replace(/:\d+\//, `:${proxied.port}/`);
    },
  );

  testFollowing("after the data was replaced by a restore, nothing is known but what was read then", async ({ follower, counter }) => {
    const accounts = follower.accountsState();
    const before = await counterNow();
    await query(`DROP SCHEMA ${SCHEMA.sql} CASCADE`);
    await migrate(writer.client);
    const restoredAt = performance.now();
    await until("the restored state is known, or nothing is told", () => counter() === undefined || counter() === 0);
    assert.ok(performance.now() - restoredAt < BOUND_MS + 250);
    await until("it is current again", follower.isCurrent);
    assert.deepEqual([counter(), follower.accountsState() === accounts], [0, false]);
    await query(`INSERT INTO ${SCHEMA.sql}.assets (code, version) VALUES ('USD_RLS', ${before}), ('EUR_RLS', 0)`);
  });

  test(`follow, ${name}: closed, it leaves no timer and no connection, whatever it was doing`, async () => {
    for (const waitMs of [0, 5, 50, 700]) {
      const { follower, connection, close } = await following();
      await delay(waitMs);
      await follower.close();
      assert.equal(follower.version(USD), undefined);
      await connection.query("SELECT 1", []);
      await close();
    }
    await until("no connection is left but the writer's", async () => (await query<{ count: number }>("SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'ClientRead' AND query ~* 'listen|notify'", []))[0]!.count === 0);
  });
}

// With `postgres` the readings wait for the pool as well, and the database is asked meanwhile.
for (const { name, url, connect } of databases.slice(0, 1)) {
  test(`follow, ${name}: a pool whose connections are all busy does not keep it from knowing`, async () => {
    const { client, close } = connect(url);
    const connection = connectionOf(client);
    const follower = follow({ connection, channel: SCHEMA.channel, readState: databaseStateReader(SCHEMA) });
    try {
      await until("it is current", follower.isCurrent);
      const busy = Array.from({ length: 40 }, () => connection.query("SELECT pg_sleep(1)", []));
      await delay(BOUND_MS);
      let current = 0;
      for (let n = 0; n < 100; n++, await delay(20)) if (follower.isCurrent()) current++;
      assert.ok(current > 50, `${current} of 100 times`);
      await Promise.all(busy);
    } finally {
      await follower.close();
      await close();
    }
  });

  test(`follow, ${name}: a process that was suspended tells nothing from before`, async () => {
    const { client, close } = connect(url);
    const { query } = connectionOf(client);
    const child = fork(childProgram("test/adapters/postgres/following_child.ts"), [url], { execArgv: [] });
    const ask = async (): Promise<string | undefined> => {
      child.send("ask");
      const [{ version }] = (await once(child, "message")) as [{ version?: string }];
      return version;
    };
    try {
      await until("the child knows a version", async () => (await ask()) !== undefined);
      const before = await ask();
      child.kill("SIGSTOP");
      // Not notified, so that only the age of what the child knows can tell it.
      await query(`UPDATE ${SCHEMA.sql}.assets SET version = version + 1 WHERE code = 'USD_RLS'`);
      await delay(BOUND_MS + 100);
      const first = ask();
      child.kill("SIGCONT");
      assert.notEqual(await first, before);
      await until("the child knows a version", async () => (await ask()) !== undefined);
      assert.notEqual(await ask(), before);
    } finally {
      child.kill("SIGCONT");
      child.disconnect();
      await once(child, "exit");
      await close();
    }
  });
}

for (const { name, connect, url } of databases) {
  test(`follow, ${name}: a server that is restarted is followed again, and what was changed meanwhile is known`, async () => {
    const { client, close } = connect(url);
    const connection = connectionOf(client);
    const follower = follow({ connection, channel: SCHEMA.channel, readState: databaseStateReader(SCHEMA) });
    try {
      await until("it is current", follower.isCurrent);
      await server!.kill();
      await until("nothing is told from memory", () => !follower.isCurrent());
      await server!.restart();
      await until("it is current again", follower.isCurrent);
    } finally {
      await follower.close();
      await close();
    }
  });
}

test("follow: from a notification that names no asset until all is read anew, nothing is told from memory", async () => {
  let hear = (_payload: string): void => {};
  const listening = { query: async () => [], check: async () => {}, close: async () => {} };
  const connection = { listen: async (_: string, heard: (payload: string) => void) => ((hear = heard), listening) };
  let read = (): void => {};
  const follower = follow({ connection, channel: "c", readState: () => new Promise((resolve) => (read = () => resolve({ storeid: "a", book: 1, counters: "{}" }))) });
  try {
    const readAnew = (): boolean => (read(), follower.isCurrent());
    await until("it is current", readAnew);
    const accounts = follower.accountsState();
    hear('{"v":{"USD_RLS":1}}');
    assert.ok(follower.isCurrent());
    hear('{"all":true}');
    assert.ok(!follower.isCurrent());
    assert.equal(follower.accountsState(), accounts);
    await until("it is current again", readAnew);
  } finally {
    read();
    await follower.close();
  }
});

/** A connection whose listener hears nothing, as behind a pooler that hands a connection to the next client after each transaction. */
test("follow: behind a pooler that swallows notifications, nothing is told from memory", async () => {
  let listens = 0;
  const state: DatabaseState = { storeid: "a", book: 1, counters: "{}" };
  const connection = { listen: async () => (listens++, { query: async () => [], check: () => new Promise<void>(() => {}), close: async () => {} }) };
  const timers = (): number => process.getActiveResourcesInfo().filter((resource) => resource === "Timeout").length;
  const before = timers();
  const follower = follow({ connection, channel: "c", readState: async () => state });
  for (const end = performance.now() + 3_500; performance.now() < end; await delay(20)) assert.equal(follower.version(), undefined);
  assert.ok(listens >= 2, "it goes on trying");
  await follower.close();
  assert.equal(timers(), before, "no timer is left");
});

test("follow: a clock that is set forward or back never makes anything count for longer", async () => {
  const listening = { query: async () => [], check: async () => {}, close: async () => {} };
  let answers = true;
  const state: DatabaseState = { storeid: "a", book: 1, counters: "{}" };
  const readState = (): Promise<DatabaseState> => (answers ? Promise.resolve(state) : new Promise(() => {}));
  const follower = follow({ connection: { listen: async () => listening }, channel: "c", readState });
  try {
    await until("it is current", follower.isCurrent);
    for (const hours of [24, -48]) {
      const now = Date.now() + hours * 3_600_000;
      mock.timers.reset();
      mock.timers.enable({ apis: ["Date"], now });
      await until("it is current again", follower.isCurrent);
    }
    answers = false;
    const stoppedAt = performance.now();
    await until("nothing is told", () => !follower.isCurrent());
    assert.ok(performance.now() - stoppedAt < BOUND_MS + 250, "the bound, and the polling of this test");
  } finally {
    mock.timers.reset();
    await follower.close();
  }
});
