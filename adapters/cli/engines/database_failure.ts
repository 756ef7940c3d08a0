import { Unavailable } from "../../../core/mod.ts";
import { NEEDED_RIGHTS } from "../../redis/probe.ts";
import { ConnectionLost, StoreError } from "../../store/store_error.ts";
import { CommandFailure, EXIT } from "../failure.ts";
import type { ExitCode } from "../failure.ts";
import type { ServerAddress } from "../store_setting.ts";

/**
 * What to do about an error, by its SQLSTATE or the code of Node, and its message. The exit code is 78, as a person has to
 * mend a setting, unless another one stands there: what ends with 70 may also pass by itself.
 */
const ADVICE: readonly (readonly [error: RegExp, advice: string, exitCode?: ExitCode])[] = [
  [/^28000 .*(?:no encryption|SSL off)/, "it wants TLS, or another user or machine: add ?sslmode=require to its URL"],
  [/^28/, "check the user and the password of MAZANEH_STORE"],
  [/^ .*client password must be a string/, "no password is given: put it into the URL in MAZANEH_STORE, into PGPASSWORD or into ~/.pgpass"],
  [/^3D/, "make it, e.g. with createdb"],
  [/^42501 /, "the owner of the database gives the right: to servers and commands with mazaneh migrate --grant-to ROLE, to migrate itself with GRANT CREATE ON DATABASE"],
  [/^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+) /, "name the file with the certificate of its authority as sslrootcert=FILE in the URL, or go without the check with sslmode=no-verify"],
  [/^ERR_TLS_CERT_ALTNAME_INVALID /, "name the server as its certificate does, or check only who has signed that: sslmode=verify-ca with sslrootcert=FILE"],
  [/^ The server does not support SSL connections/, "switch TLS on there, or leave it out with sslmode=disable"],
  [/^ECONNRESET Client network socket disconnected before secure TLS/, "perhaps it has no TLS: then switch it on there, or leave it out with sslmode=disable", EXIT.failed],
  [/^25006 /, "it can only be read, as a replica can: name the server for writing", EXIT.failed],
  [/^(?:42P01|3F000) /, "as while a backup is restored: try again afterwards, or restore it anew", EXIT.failed],
  [/^53100 /, "make room on the disk of the database", EXIT.failed],
  [/^53300 /, "let other programs end, or allow more connections there", EXIT.failed],
  [/^55P03 /, "another program holds a lock there, as the view pg_locks shows: try again when it has ended", EXIT.failed],
  // Answers of Redis have no code.
  [/^ (?:WRONGPASS|NOAUTH|ERR AUTH|ERR Client sent AUTH|ERR invalid password) /, "check the user and the password of MAZANEH_QUOTA"],
  [/^ (?:NOPERM|ERR The user executing the script|ERR ACL failure) /, `its user needs ${NEEDED_RIGHTS}`],
  [/^ ERR (?:unknown command|Unknown Redis command)/, "units need commands that this server does not have, or only under other names"],
  [/^ ERR (?:DB index|invalid DB index|SELECT is not allowed)/, "name another database at the end of the URL, or none"],
  [/^ DENIED /, "set a password in Redis, and give it in MAZANEH_QUOTA"],
];

/** Calls `work`, and names the server in what it throws when that cannot be reached or used, for the one line of a command. */
export async function usingDatabase<Value>(database: ServerAddress, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    throw failureOf(database, error);
  }
}

/** Calls `work`, which may be called again, and throws `ConnectionLost` when the database cannot be reached or used just now: it may be waited for. */
export async function waitingFor<Value>(database: ServerAddress, work: () => Promise<Value>): Promise<Value> {
  try {
    return await usingDatabase(database, work);
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

/** What a command says of an error of a server: its name, and what to do where that is known. Other errors stay as they are. */
export function failureOf(database: ServerAddress, error: unknown): unknown {
  if (!(error instanceof Unavailable || error instanceof StoreError)) return error;
  const { cause } = error;
  const state = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  const reason = cause instanceof Error ? cause.message || state : error.message;
  const [, advice, exitCode = EXIT.config] = ADVICE.find(([pattern]) => pattern.test(`${state} ${reason}`)) ?? [];
  if (advice !== undefined) return new CommandFailure(`Cannot use ${database}: ${reason.replace(/\.$/, "")}; ${advice}`, exitCode, { cause: error });
  if (error instanceof StoreError) return error;
  return new CommandFailure(`Cannot reach ${database}: ${reason}`, EXIT.failed, { cause: error });
}
