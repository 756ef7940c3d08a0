import { adviceOnDatabase } from "./engines/database_advice.ts";

export { printable } from "../server/monitoring/log_entry.ts";

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
  [EXIT.damaged, "done as far as damaged data can be read"],
  [EXIT.usage, "wrong command, option or argument; nothing was changed"],
  [EXIT.data, "some data was refused, is damaged, or is not there"],
  [EXIT.inUse, "another process uses the data directory"],
  [EXIT.failed, "a file, a connection or the program itself failed"],
  [71, "another process took the data directory over"],
  [EXIT.notReady, "the server is not ready, or there is none"],
  [EXIT.config, "a setting cannot be used, or the data is of a later version"],
];

/** Ends a command with a message of one line and an exit code. */
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

/** Makes something of what was given for `what`. What it throws becomes wrong usage. */
export function asUsage<Value>(what: string, make: () => Value): Value {
  try {
    return make();
  } catch (error) {
    throw wrongUsage(`${what}: ${messageOf(error)}`);
  }
}

/** What to do about a failure of the system; what caused another failure may be a file system that is read-only. */
function adviceOnSystem(error: Error): string | undefined {
  if ("path" in error || "syscall" in error) return ADVICE[codeOf(error)];
  return codeOf(error.cause) === "EROFS" ? ADVICE["EROFS"] : undefined;
}

/** The message of a failure, for people, with what to do where that is known. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  const full = [error, cause].find((one) => codeOf(one) === "EMFILE" || codeOf(one) === "ENFILE");
  // Whatever could not be opened, and what was concluded from that, would mislead.
  if (full !== undefined)
    return `This process may open no more files (${codeOf(full)}); raise the limit, e.g. with ulimit -n`;
  // Of a name with several addresses Node says only here what was tried.
  const tried =
    cause instanceof AggregateError
      ? `: ${cause.errors.map((one: unknown) => (one instanceof Error ? one.message : String(one))).join(", ")}`
      : "";
  const advice = adviceOnDatabase(error)?.advice ?? adviceOnSystem(error);
  return `${error.message}${tried}${advice === undefined ? "" : `; ${advice}`}`;
}

/** The exit code of a failure: commands and stores set it on the error. */
export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof Error && "exitCode" in error && typeof error.exitCode === "number") return error.exitCode;
  return adviceOnDatabase(error)?.exitCode ?? (NO_ADDRESS.has(codeOf(error)) ? EXIT.config : EXIT.failed);
}

/** What to do about an error of the system, which says only what it is. */
const ADVICE: Readonly<Record<string, string>> = {
  EROFS: "mount its disk for writing",
  ENOSPC: "make room on its disk",
  EDQUOT: "make room on its disk",
  EACCES: "check its mode, and run this as the user that it belongs to",
  EADDRINUSE: "another program listens there: choose another port with --port or --admin-port",
  EADDRNOTAVAIL: "this machine does not have that address: choose another with --host; --admin-port needs 127.0.0.1",
  ENOTFOUND: "there is no such name: choose another with --host",
};

/** A server that is started again would not find its address either. */
const NO_ADDRESS: ReadonlySet<string> = new Set(["EADDRNOTAVAIL", "ENOTFOUND"]);

/** The code of an error of the system; empty where there is none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
