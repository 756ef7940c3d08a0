import type { Clock } from "../../core/mod.ts";
import type { PostgresClient } from "./client.ts";
import { connectionOf } from "./connection.ts";
import type { ConnectionOptions } from "./connection.ts";
import { demandSchema } from "./migrations/migrate.ts";
import { DEFAULT_SCHEMA, schemaOf } from "./schema.ts";

/** How a store on PostgreSQL is opened. */
export interface PostgresOptions extends ConnectionOptions {
  readonly clock: Clock;
  /** The schema that `migrate` has made. Default `mazaneh`. */
  readonly schema?: string;
}

/** The data of a house in a database. */
export interface PostgresStore {
  /** Ends what the store has begun. The client is the caller's, and stays open. */
  close(): Promise<void>;
}

/**
 * Opens the data of a house in a database. The role needs no more than `migrate` grants.
 *
 * @throws StoreError for a database without the tables of this version; `Unavailable` when it cannot be reached.
 */
export async function openPostgres(client: PostgresClient, { schema: name = DEFAULT_SCHEMA, ...options }: PostgresOptions): Promise<PostgresStore> {
  const connection = connectionOf(client, options);
  const schema = schemaOf(name);
  await demandSchema(connection.query, schema);
  return {
    async close() {},
  };
}
