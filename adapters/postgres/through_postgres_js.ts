import type { PostgresJs, PostgresJsRunner, SqlValue } from "./client.ts";
import { isLostConnection, portError } from "./client_errors.ts";
import type { Library, Query } from "./connection.ts";
import { listenThroughPostgresJs } from "./listen.ts";

/** Uses what `postgres()` gives. */
export function throughPostgresJs(sql: PostgresJs, prepare: boolean): Library {
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
  async function within<T>(mode: string, work: (query: Query) => Promise<T>): Promise<T> {
    let done: { readonly value: T } | { readonly error: unknown } | undefined;
    let ended = false;

    async function run(runner: PostgresJsRunner): Promise<void> {
      const query = queryOn(runner);
      try {
        done = { value: await work(async (text, values) => (ended ? forever() : query(text, values))) };
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
    within,
    listen: (channel, heard, lost) => listen({ channel, heard, lost }),
  };
}

function forever(): Promise<never> {
  return new Promise(() => {});
}
