// Why the id of the data changes with each start of the server.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { test } from "node:test";
import pg from "pg";
import { migrate, openPostgres } from "../../../adapters/postgres/mod.ts";
import { systemClock } from "../../../adapters/system.ts";
import { postgresMissing, startPostgres } from "../../support/postgres_server.ts";
import { skipAloud } from "../../support/skip_aloud.ts";
import { USD, observed } from "../../support/store_suite/records.ts";

const server = await startPostgres();
if (!server) skipAloud("the id of the data in PostgreSQL", postgresMissing);
else {
  test("store id: a cluster that was put back to a copy gives no version a second time, though PostgreSQL itself cannot tell it from a restart", async () => {
    const url = await server.database();

    /** Runs something on a connection of its own, as none outlives a stop. */
    async function onServer<T>(act: (pool: pg.Pool) => Promise<T>): Promise<T> {
      const pool = new pg.Pool({ connectionString: url });
      pool.on("error", () => {});
      try {
        return await act(pool);
      } finally {
        await pool.end();
      }
    }

    /** Stores a value; gives the version then, and what the cluster says of itself. */
    const store = (value: number) =>
      onServer(async (pool) => {
        const { observations } = await openPostgres(pool, { clock: systemClock, follow: false });
        await observations.append([observed(1, value)]);
        const { version } = await observations.latest([USD]);
        const cluster = await pool.query("SELECT system_identifier::text, timeline_id, pg_is_in_recovery() FROM pg_control_system(), pg_control_checkpoint()");
        const [id, counter] = version.split(".");
        return { id, counter, cluster: cluster.rows };
      });

    const data = await onServer(async (pool) => {
      await migrate(pool);
      return (await pool.query<{ data_directory: string }>("SHOW data_directory")).rows[0]!.data_directory;
    });
    await server.stop();
    execFileSync("cp", ["-a", data, `${data}.copy`]);
    await server.restart();
    const before = await store(1);
    await server.stop();
    rmSync(data, { recursive: true });
    execFileSync("mv", [`${data}.copy`, data]);
    await server.restart();
    const afterwards = await store(2);

    assert.deepEqual([afterwards.counter, afterwards.cluster], [before.counter, before.cluster]);
    assert.notEqual(afterwards.id, before.id);
  });
}
