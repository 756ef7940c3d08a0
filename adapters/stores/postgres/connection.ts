import { crc32Hex } from "../../../core/internal.ts";
import { codeOf, isLostConnection, portError } from "./errors.ts";

// The pool of `pg`, as far as this adapter uses it: described by what it can do, so that no types of it are needed.

/** A value of a statement. */
export type SqlValue = string | number | boolean | null;

/** A statement as `pg` takes it. */
export interface PgStatement {
  readonly name?: string;
  text: string;
  values?: SqlValue[];
  /** Parsers of the columns, in place of those that the app may have set. */
  types?: { getTypeParser(oid: number): (text: string) => unknown };
}

interface PgRunner {
  query(statement: PgStatement): Promise<{ readonly rows: readonly unknown[] }>;
  on(event: "error", listener: (error: Error) => void): unknown;
}

/** A connection out of a pool. */
export interface PgClient extends PgRunner {
  release(broken?: boolean): void;
}

/** A `Pool` of `pg`. */
export interface PgPool extends PgRunner {
  connect(): Promise<PgClient>;
}

/**
 * Runs one statement. With `values`, even none, it is prepared once for each connection; without, the text may hold
 * several statements. A value that is no number stands in the text as `$1::text::…`. Of the columns, int4 and float8 come
 * back as numbers, booleans as booleans, all else as text; so times are read as float8.
 */
export type Query = <Row>(text: string, values?: readonly SqlValue[]) => Promise<readonly Row[]>;

/**
 * What this adapter uses of a pool. Rejects with `Unavailable` when the server cannot be reached or cannot work just
 * now. Nothing is sent again: whether a lost statement was carried out is not known. No state is left on a connection but
 * prepared statements, so a pooler may hand connections on between transactions.
 */
export interface Connection {
  /** One statement, on any connection of the pool. */
  readonly query: Query;
  /** Statements on one connection, READ COMMITTED: committed when `work` resolves, rolled back when it rejects. */
  transaction<T>(work: (query: Query) => Promise<T>): Promise<T>;
  /** The same for work that finds each row by its key: the planner must not read whole tables, as it would while it takes them for small. */
  byKey<T>(work: (query: Query) => Promise<T>): Promise<T>;
  /** The same for work that only reads, in one state of the data. */
  reading<T>(work: (query: Query) => Promise<T>): Promise<T>;
  /** The same until `end`, which commits, or rolls back after an error. */
  beginReading(): Promise<Transaction>;
  /** Whether a statement has failed as the disk of the database is full, until somebody sets it back. */
  readonly disk: { isFull: boolean };
}

interface Transaction {
  readonly query: Query;
  end(error?: unknown): Promise<void>;
}

/** How a pool is used. */
export interface ConnectionOptions {
  /** Whether statements are prepared. Default true; false behind a pooler that does not know the prepared statements of its clients, such as PgBouncer before 1.21. */
  readonly prepare?: boolean;
}

/** The SQLSTATE. */
const DISK_FULL = "53100";
// Written out, as a database may have another default. Read-only is left to it: hosts set that when a disk fills up.
const WRITE = "BEGIN isolation level read committed";
const READ = "BEGIN isolation level repeatable read read only";
/** Has the planner find each row by its key, and read rows in the order of a key, until the transaction ends. */
export const BY_KEY = ["enable_seqscan", "enable_bitmapscan", "enable_hashjoin", "enable_mergejoin", "jit"]
  .map((name) => `SET LOCAL ${name} = off`)
  .join("; ");

/** Pools and connections that have a listener for errors: without one, a server that goes away would end the process. */
const guarded = new WeakSet<object>();

/** How the columns of our statements are read: an app may have set other parsers for its own. */
const PARSERS: ReadonlyMap<number, (text: string) => unknown> = new Map<number, (text: string) => unknown>([
  [16, (text) => text === "t"],
  [23, Number],
  [701, Number],
]);
const types: NonNullable<PgStatement["types"]> = { getTypeParser: (oid) => PARSERS.get(oid) ?? String };

/**
 * Makes the form in which this adapter uses a pool.
 *
 * @throws TypeError for one connection in place of a pool: transactions need a connection each.
 */
export function connectionOf(pool: PgPool, { prepare = true }: ConnectionOptions = {}): Connection {
  if ("release" in pool || "escapeLiteral" in pool || !("connect" in pool))
    throw new TypeError("Cannot use one connection to PostgreSQL: give a Pool of pg");
  const names = new Map<string, string>();
  const disk = { isFull: false };
  guard(pool);

  /** The same text has the same name in the whole process, as other stores may share the pool. */
  function nameOf(text: string): string {
    let name = names.get(text);
    if (name === undefined) names.set(text, (name = `mazaneh_${text.length}_${crc32Hex(text)}`));
    return name;
  }

  function statement(text: string, values: readonly SqlValue[] | undefined): PgStatement {
    if (values === undefined) return { text, types };
    return { ...(prepare && { name: nameOf(text) }), text, types, values: [...values] };
  }

  function queryOn(runner: PgRunner): Query {
    return async <Row>(text: string, values?: readonly SqlValue[]) => {
      try {
        return (await runner.query(statement(text, values))).rows as readonly Row[];
      } catch (error) {
        disk.isFull ||= codeOf(error) === DISK_FULL;
        throw portError(error);
      }
    };
  }

  async function begin(mode: string): Promise<Transaction> {
    const client = await pool.connect().catch((error: unknown) => Promise.reject(portError(error)));
    guard(client);
    const query = queryOn(client);

    async function end(error?: unknown): Promise<void> {
      // A connection that is gone, or does not even roll back, is thrown away, and the server rolls back.
      if (isLostConnection(error)) return client.release(true);
      try {
        await query(error === undefined ? "COMMIT" : "ROLLBACK");
        client.release();
      } catch (failure) {
        client.release(true);
        if (error === undefined) throw failure;
      }
    }

    await query(mode).catch(async (error: unknown) => {
      await end(error);
      throw error;
    });
    return { query, end };
  }

  async function within<T>(mode: string, work: (query: Query) => Promise<T>): Promise<T> {
    const { query, end } = await begin(mode);
    const value = await work(query).catch(async (error: unknown) => {
      await end(error);
      throw error;
    });
    await end();
    return value;
  }

  return {
    query: queryOn(pool),
    transaction: (work) => within(WRITE, work),
    byKey: (work) => within(`${WRITE}; ${BY_KEY}`, work),
    reading: (work) => within(READ, work),
    beginReading: () => begin(READ),
    disk,
  };
}

function guard(emitter: PgRunner): void {
  if (!guarded.has(emitter)) emitter.on("error", () => {});
  guarded.add(emitter);
}
