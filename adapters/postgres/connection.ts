import type { PostgresClient, SqlValue } from "./client.ts";
import type { Listening } from "./listen.ts";
import { throughPg } from "./through_pg.ts";
import { throughPostgresJs } from "./through_postgres_js.ts";

/**
 * Runs one statement. With `values`, even none, it is prepared once for each connection; without, the text may hold
 * several statements. Values stand in the text as `$1::text::…` unless they are numbers: a text for a parameter of
 * another type is written by each client in its own way. Of the columns, texts, numbers (int4, float8) and booleans
 * come back alike; times are read as float8. Their names are one word in lower case, as clients can be told to rename.
 */
export type Query = <Row>(text: string, values?: readonly SqlValue[]) => Promise<readonly Row[]>;

/**
 * What this adapter uses of a client. Rejects with `Unavailable` when the server cannot be reached or cannot work just
 * now. Nothing is sent again: whether a lost statement was carried out is not known.
 */
export interface Connection {
  /** One statement, on any connection of the pool. */
  readonly query: Query;
  /** Statements on one connection, READ COMMITTED: committed when `act` resolves, rolled back when it rejects. */
  transaction<T>(work: (query: Query) => Promise<T>): Promise<T>;
  /** One state of the data for all statements, which only read. */
  snapshot<T>(work: (query: Query) => Promise<T>): Promise<T>;
  /**
   * Listens to a channel: `heard` gets each payload, and `lost` is called at most once, when the connection has ended.
   * `pg` gives a connection of the pool for it; `postgres` opens one more.
   */
  listen(channel: string, heard: (payload: string) => void, lost: () => void): Promise<Listening>;
}

/** How a client is used. */
export interface ConnectionOptions {
  /** Whether statements are prepared. Default true; false behind a pooler that hands on connections between transactions. */
  readonly prepare?: boolean;
}

/** One of the client libraries, in the form that both have in common. */
export interface Library extends Pick<Connection, "query" | "listen"> {
  /** Runs `work` in a transaction that begins with this mode. */
  within<T>(mode: string, work: (query: Query) => Promise<T>): Promise<T>;
}

// Written out, as a database may have other defaults.
const WRITE = "isolation level read committed read write";
const READ = "isolation level repeatable read read only";

/**
 * Makes the one form in which this adapter uses either client.
 *
 * @throws TypeError for one connection in place of a pool.
 */
export function connectionOf(client: PostgresClient, { prepare = true }: ConnectionOptions = {}): Connection {
  demandPool(client);
  const { query, within, listen } = "unsafe" in client ? throughPostgresJs(client, prepare) : throughPg(client, prepare);
  return { query, listen, transaction: (act) => within(WRITE, act), snapshot: (act) => within(READ, act) };
}

/** Transactions need a connection each. Only a connection can be released, or quotes texts; one of `postgres` begins no transaction. */
function demandPool(client: object): void {
  const isOne = "unsafe" in client ? !("begin" in client) : "release" in client || "escapeLiteral" in client;
  if (isOne) throw new TypeError("Cannot use one connection to PostgreSQL: give a Pool of pg, or what postgres() gives");
}
