import { crc32Hex } from "../../../core/internal.ts";
import { codeOf } from "../shared/store_error.ts";
import { isLostConnection, portError } from "./errors.ts";
import { arrayOf, type Element } from "./escape_text.ts";
import { quotedSchema } from "./schema.ts";

// The methods of a pool of `pg` that this adapter uses. Declared here, so that the types of `pg` are not needed.

/** A parameter of a statement. */
export type SqlValue = string | number | boolean | null;

/** A statement in the form of `pg`. */
export interface PgStatement {
  readonly name?: string;
  text: string;
  values?: SqlValue[];
  /** Parsers of the columns, which take precedence over the app's own. */
  types?: { getTypeParser(oid: number): (text: string) => unknown };
}

interface PgRunner {
  query(statement: PgStatement): Promise<{ readonly rows: readonly unknown[] }>;
  on(event: "error", listener: (error: Error) => void): unknown;
}

/** A connection of a pool. */
export interface PgClient extends PgRunner {
  release(broken?: boolean): void;
}

/** A `Pool` of `pg`. */
export interface PgPool extends PgRunner {
  connect(): Promise<PgClient>;
}

/**
 * Runs one statement. With `values`, even an empty list, the statement is prepared once per connection. Without
 * `values`, the text may have several statements. A value that is not a number must be written as `$1::text::…`.
 * Columns of integers and float8 become numbers, booleans stay booleans, and all others become texts.
 *
 * Each text names the default schema, as in `mazaneh.assets`, so `search_path` does not matter. The connection puts the
 * quoted name of its schema in place of `mazaneh`, also in literals such as `'mazaneh.assets'::regclass`.
 */
export type Query = <Row>(text: string, values?: readonly Parameter[]) => Promise<readonly Row[]>;

/** A value for a statement; see `arrayOf` for lists. */
export type Parameter = SqlValue | readonly Element[];

/**
 * A pool as this adapter uses it. Calls reject with `Unavailable` if the server cannot be reached or cannot work at the
 * moment. No statement is sent again, because a statement without an answer may have been carried out. Connections keep
 * no state except prepared statements, so a pooler may share them between transactions.
 */
export type Connection = ReturnType<typeof connectionOf>;

/** How a pool is used. */
export interface ConnectionOptions {
  /** The schema made by `migrate`. Default: `mazaneh`. */
  readonly schema?: string;
  /** Whether statements are prepared. Default: true. Use false behind a pooler such as PgBouncer before 1.21. */
  readonly prepare?: boolean;
}

const DISK_FULL = "53100";
// The isolation level is explicit, because a database may have another default.
// READ WRITE is not requested, because hosts make a database read-only when its disk is full.
const WRITE = "BEGIN isolation level read committed";
const READ = "BEGIN isolation level repeatable read read only";
/** Until the end of the transaction, the planner finds rows by their key and reads them in the order of a key. */
export const BY_KEY = ["enable_seqscan", "enable_bitmapscan", "enable_hashjoin", "enable_mergejoin", "jit"]
  .map((name) => `SET LOCAL ${name} = off`)
  .join("; ");

/** Pools and connections with a listener for errors. Without a listener, a lost connection would end the process. */
const guarded = new WeakSet<object>();

/** Parsers of our columns. The app may have set other parsers for itself. */
const PARSERS: ReadonlyMap<number, (text: string) => unknown> = new Map<number, (text: string) => unknown>([
  [16, (text) => text === "t"],
  [20, Number],
  [21, Number],
  [23, Number],
  [701, Number],
]);
const types: NonNullable<PgStatement["types"]> = { getTypeParser: (oid) => PARSERS.get(oid) ?? String };

/**
 * Wraps a pool in the interface that this adapter uses. Throws `TypeError` for a single connection, because each
 * transaction needs its own, and `RangeError` for a name of a schema that PostgreSQL would change or refuse.
 */
export function connectionOf(pool: PgPool, { schema = "mazaneh", prepare = true }: ConnectionOptions = {}) {
  if ("release" in pool || "escapeLiteral" in pool || !("connect" in pool))
    throw new TypeError("Cannot use a single connection to PostgreSQL: pass a Pool of pg");
  const quoted = quotedSchema(schema);
  const statements = new Map<string, Pick<PgStatement, "name" | "text">>();
  const disk = { isFull: false };
  guard(pool);

  /** A statement with its schema. Its name is the same in the whole process, because several stores may share a pool. */
  function statementOf(text: string): Pick<PgStatement, "name" | "text"> {
    const known = statements.get(text);
    if (known) return known;
    // Names that are already quoted, like that of a role, stay as they are.
    const own = text.replace(/"[^"]*"|('?)\bmazaneh\./g, (found, quote: string | undefined) => {
      if (quote === undefined) return found;
      return `${quote}${quote === "" ? quoted : quoted.replaceAll("'", "''")}.`;
    });
    const made = { text: own, ...(prepare && { name: `mazaneh_${own.length}_${crc32Hex(own)}` }) };
    statements.set(text, made);
    return made;
  }

  function queryOn(runner: PgRunner): Query {
    return async <Row>(text: string, values?: readonly Parameter[]) => {
      const own = statementOf(text);
      const sent = values?.map((value) => (typeof value === "object" && value ? arrayOf(value) : value));
      try {
        const { rows } = await runner.query(sent ? { ...own, types, values: sent } : { text: own.text, types });
        return rows as readonly Row[];
      } catch (error) {
        disk.isFull ||= codeOf(error) === DISK_FULL;
        throw portError(error);
      }
    };
  }

  async function begin(mode: string) {
    const client = await pool.connect().catch((error: unknown) => Promise.reject(portError(error)));
    guard(client);
    const query = queryOn(client);

    async function end(error?: unknown): Promise<void> {
      // A connection that is lost or cannot roll back is discarded. The server then rolls back.
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
    /** The unquoted name of the schema. */
    schema,
    /** Runs one statement on any connection of the pool. */
    query: queryOn(pool),
    /** Runs statements in one READ COMMITTED transaction. Commits when `work` resolves, rolls back when it rejects. */
    transaction: <T>(work: (query: Query) => Promise<T>): Promise<T> => within(WRITE, work),
    /** Like `transaction`, but finds each row by its key where the planner might read whole tables. */
    byKey: <T>(work: (query: Query) => Promise<T>): Promise<T> => within(`${WRITE}; ${BY_KEY}`, work),
    /** A transaction that only reads, and sees one state of the data. */
    reading: <T>(work: (query: Query) => Promise<T>): Promise<T> => within(READ, work),
    /** Begins a transaction that only reads. `end` commits the transaction, or rolls it back after an error. */
    beginReading: () => begin(READ),
    /** Whether a statement has failed because the disk of the database is full. Reset by its reader. */
    disk,
  };
}

function guard(emitter: PgRunner): void {
  if (!guarded.has(emitter)) emitter.on("error", () => {});
  guarded.add(emitter);
}
