import { Unavailable } from "../../../core/mod.ts";
import { codeOf, StoreError } from "../shared/store_error.ts";

/**
 * SQLSTATEs of a server that cannot carry out any statement at the moment: connection (08); missing database, schema,
 * table or index, as during a restore (3D, 3F, 42P01, 42P10); sign-in and rights (28, 42501); read-only, as after a
 * failover (25006); idle transaction (25P03); conflict with another transaction (40); resources (53); locks (55P03);
 * operator and time limits (57); system (58).
 */
const PASSING = /^(?:08|28|3D|3F|40|53|57|58)|^(?:25006|25P03|42P01|42P10|42501|55P03)$/;

/** The error that a port throws: `Unavailable` if the server cannot work now, or `error` itself. */
export function portError(error: unknown): unknown {
  if (error instanceof TypeError || error instanceof RangeError || error instanceof Unavailable) return error;
  const reason = error instanceof Error ? textOf(error) || codeOf(error) : String(error);
  if (isFromServer(error) && !PASSING.test(codeOf(error))) return error;
  return new Unavailable(`PostgreSQL is not available: ${reason}`, 5, { cause: error });
}

/** SQLSTATEs for which opening does not try again: missing database or role, sign-in, rights. Later they may pass. */
const SETTLED = /^(?:3D|28|42501|42704)/;

/** The error that opening throws: `error`, or a `StoreError` with the server's message if waiting cannot help. */
export function openingError(error: unknown): unknown {
  const cause = error instanceof Unavailable ? error.cause : error;
  return isFromServer(cause) && SETTLED.test(codeOf(cause))
    ? new StoreError(`Cannot use the database: ${textOf(cause)}`, 78, { cause })
    : error;
}

/** Whether an error means that the connection, and thus the transaction, is lost. */
export function isLostConnection(error: unknown): boolean {
  return error instanceof Unavailable && error.cause !== undefined && !isFromServer(error.cause);
}

/** The message of an error. The user name of a failed sign-in is hidden: in a mistyped URL, it may be the password. */
function textOf(error: Error): string {
  return codeOf(error).startsWith("28")
    ? error.message.replace(/\b(user|role) "(?:[^"]|"")*"/g, '$1 "…"')
    : error.message;
}

/** Whether the server has reported this error. Errors of the client, such as a lost socket, have no severity. */
function isFromServer(error: unknown): error is Error {
  return error instanceof Error && "severity" in error;
}
