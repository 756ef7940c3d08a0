// A process that follows a database, and is asked by its parent what it knows.
import pg from "pg";
import { connectionOf } from "../../../adapters/postgres/connection.ts";
import { databaseStateReader } from "../../../adapters/postgres/database_state.ts";
import { follow } from "../../../adapters/postgres/follow.ts";
import { schemaOf } from "../../../adapters/postgres/schema.ts";
import type { AssetCode } from "../../../core/mod.ts";

const schema = schemaOf("mazaneh");
const pool = new pg.Pool({ connectionString: process.argv[2] });
const connection = connectionOf(pool);
const follower = follow({ connection, channel: schema.channel, readState: databaseStateReader(schema) });

process.on("message", () => process.send!({ version: follower.version(["USD_RLS"] as AssetCode[]) }));
process.once("disconnect", async () => {
  await follower.close();
  await pool.end();
});
