import { crc32Hex } from "../../core/internal.ts";
import type { PgClient, PgPool, PgStatement, SqlValue } from "./client.ts";
import { isLostConnection, portError } from "./client_errors.ts";
import type { Library, Query } from "./connection.ts";
import { listenThroughPg } from "./listen.ts";

/** Pools and connections of `pg` that have a listener for errors: without one, a server that goes away would end the process. */
const guarded = new WeakSet<object>();

/** How `pg` reads the columns of our statements: an app may have set other parsers for its own. */
const types: NonNullable<PgStatement["types"]> = { getTypeParser: (oid) => PARSERS.get(oid) ?? String };
const PARSERS: ReadonlyMap<number, (text: string) => unknown> = new Map<number, (text: string) => unknown>([
  [16, (text) => text === "t"],
  [23, Number],
  [701, Number],
]);

/** Uses a pool of `pg`. */
export function throughPg(pool: PgPool, prepare: boolean): Library {
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
    for (let n = pool.idleCount ?? 0; n > 0; n--) connect().then((client) => client.release(true), () => {});
  }

  async function within<T>(mode: string, work: (query: Query) => Promise<T>): Promise<T> {
    const client = await connect();
    const query = queryOn(client);
    try {
      await query(`BEGIN ${mode}`);
      const value = await work(query);
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
    within,
    listen: (channel, heard, lost) => listenThroughPg({ connect, queryOn, dropIdle }, { channel, heard, lost }),
  };
}

function guard(emitter: Pick<PgPool, "on">): void {
  if (!guarded.has(emitter)) emitter.on("error", () => {});
  guarded.add(emitter);
}
