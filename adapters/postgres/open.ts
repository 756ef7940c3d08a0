import type { Clock } from "../../core/mod.ts";
import type { Verification } from "../store/engine.ts";
import type { Store } from "../store/store.ts";
import { postgresAccounts } from "./accounts.ts";
import { createImports } from "./imports.ts";
import type { PostgresClient } from "./client.ts";
import { openingError } from "./client_errors.ts";
import { connectionOf } from "./connection.ts";
import type { ConnectionOptions } from "./connection.ts";
import { databaseStateReader } from "./database_state.ts";
import { follow } from "./follow.ts";
import { demandSchema } from "./migrations/migrate.ts";
import { noteWrites } from "./note_writes.ts";
import { createInTurn, createObservations } from "./observations.ts";
import { postgresQuota } from "./quota.ts";
import { DEFAULT_SCHEMA, schemaOf } from "./schema.ts";
import { readBytes, readInfo } from "./store_info.ts";
import { verifyPostgres } from "./verify.ts";
import { watchPostgres } from "./watcher.ts";

/** How a store on PostgreSQL is opened. */
export interface PostgresOptions extends ConnectionOptions {
  readonly clock: Clock;
  /** The schema that `migrate` has made. Default `mazaneh`. */
  readonly schema?: string;
  /**
   * Whether changes of other processes are followed, so that versions and keys are known in memory, where they are at
   * most a second old. It takes a connection for itself. Default true; false asks the database for each request, as a
   * pooler that hands on connections between transactions needs, and a pool of one connection.
   */
  readonly follow?: boolean;
}

/** The data of a house in a database. */
export interface PostgresStore extends Store {
  /** Bytes on the disk of each table with its indexes, the largest first. */
  bytes(): Promise<Readonly<Record<string, number>>>;
  /** Checks all data, and changes nothing. */
  verify(): Promise<Verification>;
  /** Ends what the store has begun. The client is the caller's, and stays open. */
  close(): Promise<void>;
}

/**
 * Opens the data of a house in a database. The role needs no more than `migrate` grants.
 *
 * @throws StoreError for a database without the tables of this version, and for a database, a role or rights that are
 *   not there; `Unavailable` when it cannot be reached; `TypeError` for a client that is no pool, or that changes the
 *   types of columns; `RangeError` for a pool that has no connection besides that of the follower.
 */
export async function openPostgres(client: PostgresClient, options: PostgresOptions): Promise<PostgresStore> {
  const { schema: name = DEFAULT_SCHEMA, follow: follows = true } = options;
  if (follows) demandSecondConnection(client);
  const connection = connectionOf(client, options);
  const schema = schemaOf(name);
  await demandSchema(connection.query, schema).catch((error: unknown) => {
    throw openingError(error);
  });
  const follower = follows ? follow({ connection, channel: schema.channel, readState: databaseStateReader(schema) }) : undefined;
  const noting = follower ? noteWrites(connection, follower) : connection;
  const imports = createImports({ connection: noting, schema, clock: options.clock });
  return {
    imports,
    observations: createObservations(connection, schema, { inTurn: createInTurn(), follower }),
    accounts: postgresAccounts(noting, schema, follower),
    quota: postgresQuota(connection, schema),
    info: () => readInfo(connection.query, schema),
    bytes: () => readBytes(connection.query, schema),
    verify: () => verifyPostgres(connection, schema),
    watcher: watchPostgres(connection, schema),
    // It works again when the database does.
    failed: new Promise(() => undefined),
    metrics: () => [],
    warnings: [],
    async close() {
      await imports.close();
      await follower?.close();
    },
  };
}

/** With one connection, the follower would wait for those who wait for it. `postgres` opens another one to listen. */
function demandSecondConnection(client: PostgresClient): void {
  const max = "options" in client && "connect" in client ? client.options?.max : undefined;
  if (max !== undefined && max < 2) throw new RangeError(`Cannot follow a database as the pool must have 2 connections or more: received "${max}". Set its max, or follow: false`);
}
