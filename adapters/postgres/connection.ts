import { crc32Hex } from "../../core/internal.ts";
import type { PgClient, PgPool, PgStatement, PostgresClient, PostgresJs, PostgresJsRunner, SqlValue } from "./client.ts";
import { isLostConnection, portError } from "./client_errors.ts";
import { listenThroughPg, listenThroughPostgresJs } from "./listen.ts";
import type { Listening } from "./listen.ts";

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
  transaction<T>(act: (query: Query) => Promise<T>): Promise<T>;
  /** One state of the data for all statements, which only read. */
  snapshot<T>(act: (query: Query) => Promise<T>): Promise<T>;
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

// Written out, as a database may have other defaults.
const WRITE = "isolation level read committed read write";
const READ = "isolation level repeatable read read only";

/** Pools and connections of `pg` that have a listener for errors: without one, a server that goes away would end the process. */
const guarded = new WeakSet<object>();

/** How `pg` reads the columns of our statements: an app may have set other parsers for its own. */
const types: NonNullable<PgStatement["types"]> = { getTypeParser: (oid) => PARSERS.get(oid) ?? String };
const PARSERS: ReadonlyMap<number, (text: string) => unknown> = new Map<number, (text: string) => unknown>([
  [16, (text) => text === "t"],
  [23, Number],
  [701, Number],
]);

/**
 * Makes the one form in which this adapter uses either client.
 *
 * @throws TypeError for one connection in place of a pool.
 */
export function connectionOf(client: PostgresClient, { prepare = true }: ConnectionOptions = {}): Connection {
  demandPool(client);
  return "unsafe" in client ? postgresJsConnection(client, prepare) : pgConnection(client, prepare);
}

function pgConnection(pool: PgPool, prepare: boolean): Connection {
  const names = new Map<string, string>();
  guard(pool);

  /** The same text has the same name in the whole process, as other stores may share the pool. */
  function nameOf(text: string): string {
    let name = names.get(text);
    if (name === undefined) names.set(text, (name = `mazaneh_${text.length}_${crc32Hex(text)}`));
    return name;
  }

  function statement(text: string, values: readonly SqlValue[] | undefined): PgStatement {
    if (values === undefined) return { text, types };
    return prepare ? { name: nameOf(text), text, types, values: [...values] } : { text, types, values: [...values] };
  }

  function queryOn(runner: Pick<PgPool, "query">): Query {
    return async <Row>(text: string, values?: readonly SqlValue[]) => {
      try {
        return (await runner.query(statement(text, values))).rows as readonly Row[];
      } catch (error) {
        const thrown = portError(error);
        if (isLostConnection(thrown)) dropIdle();
        throw thrown;
      }
    };
  }

  async function connect(): Promise<PgClient> {
    try {
      const client = await pool.connect();
      guard(client);
      return client;
    } catch (error) {
      throw portError(error);
    }
  }

  /**
   * Closes the connections that nobody uses, once another one was lost: where the machine of the server is gone without a
   * word, each of them would cost a statement its time limit.
   */
  function dropIdle(): void {
    for (let n = pool.idleCount ?? 0; n > 0; n--) pool.connect().then((client) => client.release(true), () => {});
  }

  async function within<T>(mode: string, act: (query: Query) => Promise<T>): Promise<T> {
    const client = await connect();
    const query = queryOn(client);
    try {
      await query(`BEGIN ${mode}`);
      const value = await act(query);
      await query("COMMIT");
      client.release();
      return value;
    } catch (error) {
      // A connection that is gone, or does not even roll back, is thrown away, and the server rolls back.
      if (isLostConnection(error)) client.release(true);
      else await query("ROLLBACK").then(() => client.release(), () => client.release(true));
      throw error;
    }
  }

  return {
    query: queryOn(pool),
    transaction: (act) => within(WRITE, act),
    snapshot: (act) => within(READ, act),
    listen: (channel, heard, lost) => listenThroughPg({ connect, queryOn, dropIdle }, { channel, heard, lost }),
  };
}

function postgresJsConnection(sql: PostgresJs, prepare: boolean): Connection {
  function queryOn(runner: PostgresJsRunner): Query {
    return async <Row>(text: string, values?: readonly SqlValue[]) => {
      try {
        return (await (values === undefined ? runner.unsafe(text) : runner.unsafe(text, [...values], prepare ? { prepare } : {}))) as readonly Row[];
      } catch (error) {
        throw portError(error);
      }
    };
  }

  /**
   * When the connection of a transaction has ended, the client throws in the next turn of the event loop if anything is
   * sent on it, even its own ROLLBACK, and nobody could catch that. So nothing more is asked, and `act` never ends.
   */
  async function within<T>(mode: string, act: (query: Query) => Promise<T>): Promise<T> {
    let done: { readonly value: T } | { readonly error: unknown } | undefined;
    let ended = false;

    async function run(runner: PostgresJsRunner): Promise<void> {
      const query = queryOn(runner);
      try {
        done = { value: await act(async (text, values) => (ended ? forever() : query(text, values))) };
      } catch (error) {
        if (ended || isLostConnection(error)) await forever();
        done = { error };
        throw error;
      }
    }

    try {
      await sql.begin(mode, run);
    } catch (error) {
      ended = true;
      throw done && "error" in done ? done.error : portError(error);
    }
    return (done as { readonly value: T }).value;
  }

  const listen = listenThroughPostgresJs(sql, queryOn(sql));
  return {
    query: queryOn(sql),
    transaction: (act) => within(WRITE, act),
    snapshot: (act) => within(READ, act),
    listen: (channel, heard, lost) => listen({ channel, heard, lost }),
  };
}

/** Transactions need a connection each. Only a connection can be released, or quotes texts; one of `postgres` begins no transaction. */
function demandPool(client: object): void {
  const isOne = "unsafe" in client ? !("begin" in client) : "release" in client || "escapeLiteral" in client;
  if (isOne) throw new TypeError("Cannot use one connection to PostgreSQL: give a Pool of pg, or what postgres() gives");
}

function forever(): Promise<never> {
  return new Promise(() => {});
}

function guard(emitter: Pick<PgPool, "on">): void {
  if (!guarded.has(emitter)) emitter.on("error", () => {});
  guarded.add(emitter);
}
