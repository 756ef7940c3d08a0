import { Unavailable } from "../../core/mod.ts";
import { StoreError } from "../store/store_error.ts";

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
  const reason = error instanceof Error ? error.message || codeOf(error) : String(error);
  if (isFromServer(error) && !PASSING.test(codeOf(error))) return error;
  return new Unavailable(`PostgreSQL is not available: ${reason}`, 5, { cause: error });
}

/** What a person has to mend before a store can be opened, by the class or the whole of its SQLSTATE: while it is open, the same may pass. */
const SETTLED: Readonly<Record<string, readonly [what: string, hint: string]>> = {
  "3D": ["Cannot open the database", "create it, or correct its name"],
  28: ["Cannot sign in to the database", "check the user and the password, and whether it wants TLS: ?sslmode=require in its URL"],
  42501: [
    "Cannot use the database",
    "its owner gives the right: to servers with migrate(pool, { grantTo }) or mazaneh migrate --grant-to ROLE, to migrate itself with GRANT CREATE ON DATABASE",
  ],
};

/** What opening throws for an error of a port: a `StoreError` where waiting would not help, or the error as it is. */
export function openingError(error: unknown): unknown {
  const cause = error instanceof Unavailable ? error.cause : undefined;
  if (!isFromServer(cause)) return error;
  const settled = SETTLED[codeOf(cause)] ?? SETTLED[codeOf(cause).slice(0, 2)];
  return settled ? new StoreError(`${settled[0]} as ${cause.message}: ${settled[1]}`, 78, { cause }) : error;
}

/** Whether the server knows no object of a name: of GRANT, the role. */
export function isUnknownObject(error: unknown): boolean {
  return codeOf(error) === "42704";
}

/** Whether an error of a port means that the connection itself is gone, and with it what was begun on it. */
export function isLostConnection(error: unknown): boolean {
  return error instanceof Unavailable && error.cause !== undefined && !isFromServer(error.cause);
}

/** The SQLSTATE of an error that the server has reported, or the client's own code; empty where there is none. */
function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

/** Whether the server has reported this error. What the client itself reports, such as a lost socket, has no severity. */
function isFromServer(error: unknown): error is Error {
  return error instanceof Error && "severity" in error;
}
