import pg from "pg";
import postgres from "postgres";
import type { PostgresClient } from "../../adapters/postgres/mod.ts";
import type { PostgresServer } from "./postgres_server.ts";

/** A client of a test, with its connections. */
export interface TestClient {
  readonly client: PostgresClient;
  close(): Promise<void>;
}

/** Both client libraries, which this adapter takes as they are. */
export const POSTGRES_CLIENTS: readonly (readonly [name: string, connect: (url: string) => TestClient])[] = [
  ["pg", pgClient],
  ["postgres", postgresClient],
];

/** A database of its own for a client library. */
export interface ClientDatabase {
  readonly name: string;
  readonly url: string;
  connect(url: string): TestClient;
}

/**
 * Makes a database for each client library, and prepares it with that: with `migrate` it has tables. To be waited for before
 * the first test begins, as a server ends with the last test that is known by then.
 */
export function databasesOf(server: PostgresServer | undefined, prepare: (client: PostgresClient) => Promise<unknown> = async () => {}): Promise<readonly ClientDatabase[]> {
  const libraries = server ? POSTGRES_CLIENTS : [];
  return Promise.all(
    libraries.map(async ([name, connect]) => {
      const url = await server!.database();
      const { client, close } = connect(url);
      await prepare(client).finally(close);
      return { name, url, connect };
    }),
  );
}

/** A pool of `pg`. */
export function pgClient(url: string): TestClient {
  const client = new pg.Pool({ connectionString: url });
  return { client, close: () => client.end() };
}

function postgresClient(url: string): TestClient {
  const client = postgres(url, { onnotice: () => {} });
  return { client, close: () => client.end({ timeout: 5 }) };
}
