// An entity tag must never stand for two bodies, however a database returns to an earlier state. Each test reads a
// value after each change; two values must never have the same version.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import pg from "pg";
import { systemClock } from "../../../adapters/http/web_system.ts";
import { migrate, openPostgres, type PostgresStore } from "../../../adapters/stores/postgres/mod.ts";
import { type PostgresServer, postgresMissing, postgresTools, startPostgres } from "../../support/postgres_server.ts";
import { skipAloud } from "../../support/skip_aloud.ts";
import { observed, USD } from "../../support/store_suite/records.ts";
import { startTcpProxy } from "../../support/tcp_proxy.ts";
import { until } from "../../support/wait_until.ts";

const ASYNCHRONOUS = { synchronous_commit: "off", wal_writer_delay: "10s" };

if (postgresMissing === undefined) {
  // Started before the first test, so that the servers run until the last test has ended.
  const [ordinary, asynchronous] = [(await startPostgres())!, (await startPostgres({ settings: ASYNCHRONOUS }))!];
  const url = await ordinary.database();

  test("store id: a cluster restored from a copy repeats no version, though PostgreSQL itself cannot tell a restore from a restart", async () => {
    const history = await beginHistory(url);
    await copyStopped(ordinary);
    const { id, counter, cluster } = await history.store(1);
    await putBack(ordinary);
    const after = await history.store(2);
    assert.deepEqual([after.counter, after.cluster], [counter, cluster]);
    assert.notEqual(after.id, id);
  });

  if (postgresTools === undefined) skipAloud("the id of the data after pg_restore", "this PostgreSQL has no pg_dump");
  else {
    for (const [rule, restore] of [
      ["into a new database under the same name", () => ["--create", "--clean", "-d", ordinary.url]],
      ["over the tables of the same database", (database: string) => ["--clean", "-d", database]],
    ] as const) {
      test(`store id: a dump that is restored ${rule} repeats no version`, async () => {
        const database = await ordinary.database();
        const history = await beginHistory(database);
        await history.store(1);
        const dump = join(ordinary.data, "..", "dump");
        execFileSync(join(postgresTools!, "pg_dump"), ["-Fc", "-f", dump, database]);
        const before = await history.store(2);
        execFileSync(join(postgresTools!, "pg_restore"), [...restore(database), dump]);
        assert.equal(await history.valueNow(), 1);
        const after = await history.store(3);
        assert.equal(after.counter, before.counter, "only the id distinguishes the two states");
      });
    }
  }

  test("store id: after a crash of one of the server's processes, even with synchronous_commit = off, no version is repeated", async () => {
    const history = await beginHistory(await asynchronous.database());
    await history.store(1);
    await sql(asynchronous.url, "CHECKPOINT");
    await history.store(2);
    await crash(asynchronous);
    assert.equal(await history.valueNow(), 2);
    await history.store(3);
  });

  test("accounts: an acknowledged change survives a crash of one of the server's processes", async () => {
    const database = await asynchronous.database();
    await onServer(database, (pool) => migrate(pool));
    await sql(asynchronous.url, "CHECKPOINT");
    const plan = { op: "plan.patch", name: "PRO", dailyUnits: 7, attributionRequired: false } as const;
    await onServer(database, async (pool) => (await open(pool)).accounts.update([plan]));
    await crash(asynchronous);
    const { plans } = await onServer(database, async (pool) => (await open(pool)).accounts.book());
    const names = plans.map(({ name }) => name).join();
    assert.equal(names, "FREE_STARTER,PRO");
  });

  test("store id: a lagging replica that is promoted repeats no version of the primary or of the replica", async () => {
    const history = await beginHistory(url);
    await ordinary.stop();
    const network = await startTcpProxy(ordinary.port);
    const replica = (await startPostgres({
      replicaOf: ordinary.data,
      settings: { primary_conninfo: `host=127.0.0.1 port=${network.port} user=postgres` },
    }))!;
    await ordinary.restart();
    const there = url.replace(/:\d+\//, `:${replica.port}/`);
    await history.store(1);
    await until("the replica shows it", async () => (await history.valueNow(there)) === 1);
    network.freeze();
    await history.store(2);
    await history.store(3);
    await ordinary.kill();
    await network.close();
    assert.equal(await sql(there, "SELECT pg_promote()"), true);
    assert.equal(await history.valueNow(there), 1);
    await history.store(4, there);
    await history.store(5, there);
  });
} else skipAloud("the id of the data in PostgreSQL", postgresMissing);

interface History {
  /** Stores a value, and returns the new version and the state of the cluster. */
  store(value: number, at?: string): Promise<{ id: string; counter: string; cluster: unknown }>;
  /** Reads the value. */
  valueNow(at?: string): Promise<number | undefined>;
}

const open = (pool: pg.Pool): Promise<PostgresStore> => openPostgres(pool, { clock: systemClock, follow: false });

/** Makes the tables of a database. From here on, no version may have two values. */
async function beginHistory(url: string): Promise<History> {
  const values = new Map<string, number | undefined>();
  await onServer(url, (pool) => migrate(pool));

  async function read(pool: pg.Pool, { observations }: Pick<PostgresStore, "observations">) {
    const { version, value: found } = await observations.latest([USD]);
    const value = found[0]?.value;
    assert.equal(value, values.has(version) ? values.get(version) : value, `the version ${version} is repeated`);
    values.set(version, value);
    const { rows } = await pool.query(
      "SELECT system_identifier::text, timeline_id, pg_is_in_recovery() FROM pg_control_system(), pg_control_checkpoint()",
    );
    const [id, counter] = version.split(".");
    return { id: id!, counter: counter!, value, cluster: rows };
  }

  return {
    store: (value, at = url) =>
      onServer(at, async (pool) => {
        const store = await open(pool);
        await store.observations.append([observed(1, value)]);
        return read(pool, store);
      }),
    valueNow: (at = url) => onServer(at, async (pool) => (await read(pool, await open(pool))).value),
  };
}

/** Runs `work` on new connections, because a stop of the server ends all connections. */
async function onServer<T>(url: string, act: (pool: pg.Pool) => Promise<T>): Promise<T> {
  const pool = new pg.Pool({ connectionString: url });
  pool.on("error", () => {});
  try {
    return await act(pool);
  } finally {
    await pool.end();
  }
}

/** Runs a statement, and returns the first value of its first row. */
async function sql(url: string, text: string): Promise<unknown> {
  return onServer(
    url,
    async (pool) => Object.values((await pool.query<Record<string, unknown>>(text)).rows[0] ?? {})[0],
  );
}

async function copyStopped(server: PostgresServer): Promise<void> {
  await server.stop();
  execFileSync("cp", ["-a", server.data, `${server.data}.copy`]);
  await server.restart();
}

/** Replaces the data by the copy. */
async function putBack(server: PostgresServer): Promise<void> {
  await server.stop();
  rmSync(server.data, { recursive: true });
  execFileSync("mv", [`${server.data}.copy`, server.data]);
  await server.restart();
}

/** Kills one of the server's processes. The server then ends all its other processes and restarts. */
async function crash(server: PostgresServer): Promise<void> {
  const clients = [new pg.Client(server.url), new pg.Client(server.url)] as const;
  for (const client of clients) {
    client.on("error", () => {});
    await client.connect();
  }
  const ended = new Promise<void>((resolve) => clients[1].once("end", resolve));
  const { rows } = await clients[0].query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
  process.kill(rows[0]!.pid, "SIGKILL");
  await ended;
  await until("the server is back", () => sql(server.url, "SELECT true").catch(() => false));
}
