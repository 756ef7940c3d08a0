import pg from "pg";
import postgres from "postgres";
import type { PostgresClient } from "../../adapters/postgres/mod.ts";

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

/** A pool of `pg`. */
export function pgClient(url: string): TestClient {
  const client = new pg.Pool({ connectionString: url });
  return { client, close: () => client.end() };
}

function postgresClient(url: string): TestClient {
  const client = postgres(url, { onnotice: () => {} });
  return { client, close: () => client.end({ timeout: 5 }) };
}
