import { Unavailable } from "../../../core/mod.ts";
import { NEEDED_RIGHTS } from "../../redis/init.ts";
import { ConnectionLost, StoreError } from "../../store/store_error.ts";
import { CommandFailure, EXIT } from "../failure.ts";
import type { ExitCode } from "../failure.ts";
import type { ServerAddress } from "../store_setting.ts";

const ROOT = "name the file with the certificate of its authority as sslrootcert=FILE in the URL, or go without the check with sslmode=no-verify";
const REDIS_USER = "check the user and the password of MAZANEH_QUOTA";

/**
 * What to do about an error, by its SQLSTATE or the first two characters of that, by the code of Node, or by the first word
 * of an answer of Redis. The exit code is 78, as a person has to mend a setting, unless another one stands there: what ends
 * with 70 may also pass by itself.
 */
const ADVICE: Readonly<Record<string, readonly [advice: string, exitCode?: ExitCode]>> = {
  28: ["check the user and the password of MAZANEH_STORE, and whether it wants TLS: ?sslmode=require in its URL"],
  "3D": ["make it, e.g. with createdb"],
  42501: ["the owner of the database gives the right: to servers and commands with mazaneh migrate --grant-to ROLE, to migrate itself with GRANT CREATE ON DATABASE"],
  "08P01": ["a pooler takes no time limits from its clients: add pgbouncer=true to the URL"],
  "26000": ["a pooler that hands connections on between transactions needs pgbouncer=true in the URL"],
  25006: ["it can only be read, as a replica can: name the server for writing", EXIT.failed],
  "42P01": ["as while a backup is restored: try again afterwards, or restore it anew", EXIT.failed],
  "3F000": ["as while a backup is restored: try again afterwards, or restore it anew", EXIT.failed],
  53100: ["make room on the disk of the database", EXIT.failed],
  53300: ["let other programs end, or allow more connections there", EXIT.failed],
  "55P03": ["another program holds a lock there, as the view pg_locks shows: try again when it has ended", EXIT.failed],
  DEPTH_ZERO_SELF_SIGNED_CERT: [ROOT],
  SELF_SIGNED_CERT_IN_CHAIN: [ROOT],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: [ROOT],
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: [ROOT],
  ERR_TLS_CERT_ALTNAME_INVALID: ["name the server as its certificate does, or check only who has signed that: sslmode=verify-ca with sslrootcert=FILE"],
  WRONGPASS: [REDIS_USER],
  NOAUTH: [REDIS_USER],
  DENIED: ["set a password in Redis, and give it in MAZANEH_QUOTA"],
  NOPERM: [`its user needs ${NEEDED_RIGHTS}`],
  ERR: [`the number of the database at the end of the URL, user and password must be right; its user needs ${NEEDED_RIGHTS}`],
};

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

/** What a command says of an error of a server: its name, the words of the client library, and what to do where that is known. Other errors stay as they are. */
export function failureOf(database: ServerAddress, error: unknown): unknown {
  if (!(error instanceof Unavailable || error instanceof StoreError)) return error;
  const { cause } = error;
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  const reason = cause instanceof Error ? cause.message || code : error.message;
  const known = cause === undefined ? undefined : (ADVICE[code] ?? ADVICE[code.slice(0, 2)] ?? ADVICE[reason.split(" ", 1)[0]!]);
  const [advice, exitCode = EXIT.config] = known ?? [];
  if (advice !== undefined) return new CommandFailure(`Cannot use ${database}: ${reason.replace(/\.$/, "")}; ${advice}`, exitCode, { cause: error });
  if (error instanceof StoreError) return error;
  return new CommandFailure(`Cannot reach ${database}: ${reason}`, EXIT.failed, { cause: error });
}
