// Behind PgBouncer, which shares connections between transactions.
import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { messageOf } from "../../../adapters/cli/command_failure.ts";
import { openPostgresClient } from "../../../adapters/cli/engines/open_database_clients.ts";
import { readStore, type ServerAddress } from "../../../adapters/cli/store_setting.ts";
import { migrate, openPostgres } from "../../../adapters/stores/postgres/mod.ts";
import type { AccountId, CalendarDate } from "../../../core/mod.ts";
import { imported, many, undo } from "../../support/imports_suite.ts";
import { NOW } from "../../support/json_files_fixtures.ts";
import { postgresMissing, sharedPostgres } from "../../support/postgres_server.ts";
import { findUser, serverDirectory, startServer } from "../../support/server_process.ts";
import { skipAloud } from "../../support/skip_aloud.ts";
import { observed } from "../../support/store_suite/records.ts";
import { until } from "../../support/wait_until.ts";

const PROGRAM = "/usr/sbin/pgbouncer";
const server = await sharedPostgres();

if (!server || !existsSync(PROGRAM))
  skipAloud(
    "PostgreSQL behind a pooler",
    server ? "there is no PgBouncer (Debian: apt-get install pgbouncer)" : postgresMissing,
  );
else {
  const { pathname, port: serverPort } = new URL(await server.database());
  const user = process.getuid?.() === 0 ? (findUser("postgres") ?? findUser("nobody")) : undefined;
  const directory = serverDirectory(user);
  const file = join(directory, "pgbouncer.ini");
  const pooler = await startServer({
    ...{ command: PROGRAM, directory, user, stopSignal: "SIGINT" as const },
    args(port) {
      // Two connections for all instances.
      writeFileSync(
        file,
        `[databases]\n* = host=127.0.0.1 port=${serverPort} user=postgres\n[pgbouncer]\nlisten_addr=127.0.0.1\nlisten_port=${port}\nunix_socket_dir=\nauth_type=any\npool_mode=transaction\ndefault_pool_size=2\n`,
      );
      return [file];
    },
    ready: /process up/,
    portInUse: /cannot listen|Address already in use/,
  });
  const url = `postgres://postgres@127.0.0.1:${pooler.port}${pathname}`;
  const clientOf = (text: string, max: number) =>
    openPostgresClient(readStore(text) as ServerAddress, { max, statementMs: 30_000 });

  test("pooler: instances behind PgBouncer in transaction mode write, follow each other, count units, import and undo", async () => {
    const [one, other] = [await clientOf(`${url}?pgbouncer=true`, 5), await clientOf(`${url}?pgbouncer=true`, 5)];
    await migrate(one.pool);
    const open = ({ pool, prepare }: typeof one) => openPostgres(pool, { clock: () => NOW, prepare });
    const [here, there] = [await open(one), await open(other)];
    try {
      for (let n = 1; n <= 20; n++) await (n % 2 ? here : there).observations.append([observed(n, n)]);
      await until("the other instance has the same version in memory", async () => {
        const [a, b] = [here.observations.version(), there.observations.version()];
        return typeof a === "string" && a === b;
      });
      assert.equal((await there.observations.latest([observed(0, 1).code])).value[0]?.value, 20);
      const takes = await Promise.all(
        Array.from({ length: 100 }, (_, n) =>
          (n % 2 ? here : there).quota.take("alice" as AccountId, "2026-11-21" as CalendarDate, 10),
        ),
      );
      assert.equal(takes.filter(({ granted }) => granted).length, 10);
      const id = await imported(here.imports, many(3_000, 7));
      await undo(there.imports, id);
      let left = 0;
      for await (const _ of here.observations.records()) left++;
      assert.equal(left, 20);
      assert.deepEqual((await there.verify()).places, []);
    } finally {
      for (const opened of [here, there, one, other]) await opened.close();
    }
  });

  test("pooler: without pgbouncer=true in the URL, the message says to add it", async () => {
    const { pool, close } = await clientOf(url, 1);
    const message = await openPostgres(pool, { clock: () => NOW }).then(() => "it was opened", messageOf);
    assert.match(message, /statement_timeout; .*add pgbouncer=true to the URL/);
    await close();
  });
}
