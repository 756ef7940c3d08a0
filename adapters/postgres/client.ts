// The client libraries, as far as this adapter uses them: described by what they can do, so that no types of theirs are needed.

/** A value of a statement. Both clients send a text or a number alike; other values they would each write in their own way. */
export type SqlValue = string | number | null;

/** A client of PostgreSQL: a `Pool` of `pg`, or what `postgres()` of the package `postgres` gives. */
export type PostgresClient = PgPool | PostgresJs;

/** A statement as `pg` takes it. */
export interface PgStatement {
  readonly name?: string;
  text: string;
  values?: SqlValue[];
  /** Parsers of the columns, in place of those that the app may have set. */
  types?: { getTypeParser(oid: number): (text: string) => unknown };
}

/** What can run a statement of `pg`. */
interface PgRunner {
  query(statement: PgStatement): Promise<{ readonly rows: readonly unknown[] }>;
}

/** A connection out of a pool of `pg`. */
export interface PgClient extends PgRunner {
  release(broken?: boolean): void;
  on(event: "error", listener: (error: Error) => void): unknown;
  on(event: "end", listener: () => void): unknown;
  on(event: "notification", listener: (message: PgNotification) => void): unknown;
}

/** A notification as `pg` hands it on. */
export interface PgNotification {
  readonly channel: string;
  readonly payload?: string | undefined;
}

/** A `Pool` of `pg`. */
export interface PgPool extends PgRunner {
  readonly options?: { readonly max?: number | undefined };
  /** How many of its connections nobody uses just now. */
  readonly idleCount?: number;
  connect(): Promise<PgClient>;
  on(event: "error", listener: (error: Error) => void): unknown;
}

/** What can run a statement of `postgres`. */
export interface PostgresJsRunner {
  unsafe(text: string, values?: SqlValue[], options?: { prepare?: boolean }): PromiseLike<readonly unknown[]>;
}

/** What `postgres()` gives. */
export interface PostgresJs extends PostgresJsRunner {
  begin<T>(mode: string, work: (sql: PostgresJsRunner) => Promise<T>): Promise<unknown>;
  listen(channel: string, heard: (payload: string) => void, listening?: () => void): Promise<unknown>;
}
