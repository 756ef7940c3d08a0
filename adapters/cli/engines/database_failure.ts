import { Unavailable } from "../../../core/mod.ts";
import { ConnectionLost, StoreError } from "../../store/store_error.ts";
import { CommandFailure, EXIT } from "../failure.ts";
import type { ServerAddress } from "../store_setting.ts";

/** What to do about an error of PostgreSQL that a person has to mend, by its SQLSTATE. */
const ADVICE: readonly (readonly [states: RegExp, advice: string])[] = [
  [/^28/, "check the user and the password of MAZANEH_STORE"],
  [/^3D/, "make it, e.g. with createdb"],
  [/^42501$/, "the owner of the database gives the right: to servers and commands with mazaneh migrate --grant-to ROLE, to migrate itself with GRANT CREATE ON DATABASE"],
];

/** Calls `act`, and names the database in what it throws when that cannot be reached or used, for the one line of a command. */
export async function usingDatabase<Value>(database: ServerAddress, act: () => Promise<Value>): Promise<Value> {
  try {
    return await act();
  } catch (error) {
    throw failureOf(database, error);
  }
}

/** Calls `act`, which may be called again, and throws `ConnectionLost` when the database cannot be reached or used just now: it may be waited for. */
export async function waitingFor<Value>(database: ServerAddress, act: () => Promise<Value>): Promise<Value> {
  try {
    return await usingDatabase(database, act);
  } catch (error) {
    if (error instanceof CommandFailure && error.exitCode === EXIT.failed) throw new ConnectionLost(error.message, undefined, { cause: error.cause });
    throw error;
  }
}

/** Reads items of a database as they are; what it throws is named as `usingDatabase` does. */
export async function* readingDatabase<Item>(database: ServerAddress, items: Iterable<Item> | AsyncIterable<Item>): AsyncGenerator<Item> {
  try {
    yield* items;
  } catch (error) {
    throw failureOf(database, error);
  }
}

function failureOf(database: ServerAddress, error: unknown): unknown {
  if (!(error instanceof Unavailable || error instanceof StoreError)) return error;
  const { cause } = error;
  const state = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  const reason = cause instanceof Error ? cause.message || state : error.message;
  const advice = ADVICE.find(([states]) => states.test(state))?.[1];
  if (advice !== undefined) return new CommandFailure(`Cannot use ${database}: ${reason}; ${advice}`, EXIT.config, { cause: error });
  if (error instanceof StoreError) return error;
  return new CommandFailure(`Cannot reach ${database}: ${reason}`, EXIT.failed, { cause: error });
}
