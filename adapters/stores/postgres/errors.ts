import { Unavailable } from "../../../core/mod.ts";
import { StoreError } from "../shared/store_error.ts";

/**
 * SQLSTATEs that say nothing of the statement, but of a server that cannot carry it out just now: connection (08), no
 * such database, schema or table, as during a restore (3D, 3F, 42P01), sign-in and grants (28, 42501), read-only, as
 * after a failover (25006), a transaction left idle (25P03), lost against another (40), resources (53), locks (55P03),
 * intervention and time limits (57), the system beneath (58).
 */
const PASSING = /^(?:08|28|3D|3F|40|53|57|58)|^(?:25006|25P03|42P01|42501|55P03)$/;

/**
 * What a port throws for an error of the client: `Unavailable` with the cause where the server cannot be reached or cannot
 * work just now, and the error itself where a statement is wrong.
 */
export function portError(error: unknown): unknown {
  if (error instanceof TypeError || error instanceof RangeError || error instanceof Unavailable) return error;
  const reason = error instanceof Error ? textOf(error) || codeOf(error) : String(error);
  if (isFromServer(error) && !PASSING.test(codeOf(error))) return error;
  return new Unavailable(`PostgreSQL is not available: ${reason}`, 5, { cause: error });
}

/** SQLSTATEs of what a person has to mend before a store can be opened or migrated: no such database or role, sign-in, rights. While it is open, the same may pass. */
const SETTLED = /^(?:3D|28|42501|42704)/;

/** What opening throws for an error of a port: a `StoreError` in the words of the server where waiting would not help, or the error as it is. */
export function openingError(error: unknown): unknown {
  const cause = error instanceof Unavailable ? error.cause : error;
  return isFromServer(cause) && SETTLED.test(codeOf(cause))
    ? new StoreError(`Cannot use the database: ${textOf(cause)}`, 78, { cause })
    : error;
}

/** Whether an error of a port means that the connection itself is gone, and with it what was begun on it. */
export function isLostConnection(error: unknown): boolean {
  return error instanceof Unavailable && error.cause !== undefined && !isFromServer(error.cause);
}

/** What an error says. Of a sign-in without the name of the user, which in a mistyped URL is the password. */
function textOf(error: Error): string {
  return codeOf(error).startsWith("28")
    ? error.message.replace(/\b(user|role) "(?:[^"]|"")*"/g, '$1 "…"')
    : error.message;
}

/** The SQLSTATE of an error that the server has reported, or the client's own code; empty where there is none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

/** Whether the server has reported this error. What the client itself reports, such as a lost socket, has no severity. */
function isFromServer(error: unknown): error is Error {
  return error instanceof Error && "severity" in error;
}
