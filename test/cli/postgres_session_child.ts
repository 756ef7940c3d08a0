// Opens a session with MAZANEH_STORE. Prints what the server knows about the session, or why the session failed.

import { exitCodeOf, messageOf } from "../../adapters/cli/command_failure.ts";
import { openPostgresClient } from "../../adapters/cli/engines/open_database_clients.ts";
import { isAddress, readStore } from "../../adapters/cli/store_setting.ts";
import { connectionOf } from "../../adapters/stores/postgres/connection.ts";

const address = readStore(process.env["MAZANEH_STORE"] ?? "");
if (!isAddress(address)) throw new Error("no address");

const ASKED = `
  SELECT ssl AS tls, current_setting('application_name') AS application, current_setting('search_path') AS path,
    current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock
  FROM pg_stat_ssl WHERE pid = pg_backend_pid()`;

try {
  const { pool, close } = await openPostgresClient(address, { max: 1, lockMs: 60_000, statementMs: 31_000 });
  const [session] = await connectionOf(pool).query(ASKED, []);
  console.log(JSON.stringify(session));
  await close();
} catch (error) {
  console.log(JSON.stringify({ message: messageOf(error), exitCode: exitCodeOf(error) }));
}
process.exit(0);
