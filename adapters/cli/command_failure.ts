import { codeOf } from "../stores/shared/store_error.ts";
import { adviceOnDatabase } from "./engines/database_advice.ts";

export { printable } from "../server/monitoring/log_entry.ts";
export { codeOf } from "../stores/shared/store_error.ts";

/** Exit codes of the program. */
export const EXIT = {
  done: 0,
  damaged: 2,
  usage: 64,
  data: 65,
  inUse: 69,
  failed: 70,
  notReady: 75,
  config: 78,
} as const;

/** One of the codes above, or the `exitCode` of a `StoreError`. */
export type ExitCode = number;

/** The meaning of each exit code, for the help. */
export const EXIT_CODES: readonly (readonly [code: number, meaning: string])[] = [
  [0, "done"],
  [1, "stopped at once, by a second signal"],
  [EXIT.damaged, "done, but some data is damaged and could not be read"],
  [EXIT.usage, "wrong command, option or argument; nothing was changed"],
  [EXIT.data, "some data was refused, is damaged, or is missing"],
  [EXIT.inUse, "another process uses the data directory"],
  [EXIT.failed, "a file, a connection or the program itself failed"],
  [71, "another process took over the data directory"],
  [EXIT.notReady, "the server is not ready, or no server runs"],
  [EXIT.config, "a setting cannot be used, or a later version wrote the data"],
];

/** An error that ends the command with a message of one line and an exit code. */
export class CommandFailure extends Error {
  override readonly name = "CommandFailure";
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

/** A wrong command, option or argument. */
export function wrongUsage(message: string): CommandFailure {
  return new CommandFailure(message, EXIT.usage);
}

/** A setting that cannot be used. */
export function wrongSetting(message: string, cause?: unknown): CommandFailure {
  return new CommandFailure(message, EXIT.config, cause === undefined ? undefined : { cause });
}

/** Returns the result of `make`. If `make` throws, throws a usage failure about `what`. */
export function asUsage<Value>(what: string, make: () => Value): Value {
  try {
    return make();
  } catch (error) {
    throw wrongUsage(`${what}: ${messageOf(error)}`);
  }
}

/** The result of `make`; `undefined` if it throws. */
export function attempt<Value>(make: () => Value): Value | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}

/** Advice about a system error, or about a read-only file system that is the cause of another error. */
function adviceOnSystem(error: Error): string | undefined {
  if ("path" in error || "syscall" in error) return ADVICE[codeOf(error)];
  return codeOf(error.cause) === "EROFS" ? ADVICE["EROFS"] : undefined;
}

/** The message of a failure for people, with advice if there is any. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  const full = [error, cause].find((one) => codeOf(one) === "EMFILE" || codeOf(one) === "ENFILE");
  // The message of `error` names only the file that could not be opened, but that file is not the cause.
  if (full !== undefined)
    return `This process may open no more files (${codeOf(full)}); raise the limit, e.g. with ulimit -n`;
  // If a host name has several addresses, only `cause` lists the addresses that Node tried.
  const tried =
    cause instanceof AggregateError
      ? `: ${cause.errors.map((one: unknown) => (one instanceof Error ? one.message : String(one))).join(", ")}`
      : "";
  const advice = adviceOnDatabase(error)?.advice ?? adviceOnSystem(error);
  return `${error.message}${tried}${advice === undefined ? "" : `; ${advice}`}`;
}

/** The exit code of an error. Commands and stores set `exitCode` on their errors. */
export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof Error && "exitCode" in error && typeof error.exitCode === "number") return error.exitCode;
  return adviceOnDatabase(error)?.exitCode ?? (NO_ADDRESS.has(codeOf(error)) ? EXIT.config : EXIT.failed);
}

/** Advice by the code of a system error. */
const ADVICE: Readonly<Record<string, string>> = {
  EROFS: "mount its disk for writing",
  ENOSPC: "make room on its disk",
  EDQUOT: "make room on its disk",
  EACCES: "check its mode, and run this as the user that owns it",
  EADDRINUSE: "another program listens there: choose another port with --port or --admin-port",
  EADDRNOTAVAIL: "this machine does not have that address: choose another with --host; --admin-port needs 127.0.0.1",
  ENOTFOUND: "there is no host of that name: choose another with --host",
};

/** Errors that a restart cannot fix. */
const NO_ADDRESS: ReadonlySet<string> = new Set(["EADDRNOTAVAIL", "ENOTFOUND"]);
