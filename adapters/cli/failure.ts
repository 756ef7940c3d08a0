import { Unavailable } from "../../core/mod.ts";
export { printable } from "../operations/log_entry.ts";

/** Exit codes of the program. */
export const EXIT = { done: 0, usage: 64, data: 65, inUse: 69, failed: 70, notReady: 75, config: 78 } as const;

/** One of the codes above, or the `exitCode` of a `StoreError`. */
export type ExitCode = number;

/** The meaning of each exit code, for the help. */
export const EXIT_CODES: readonly (readonly [code: number, meaning: string])[] = [
  [0, "done"],
  [1, "stopped at once, by a second signal"],
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

/** The message of a failure, for people; of a store that cannot do its work just now with the cause. */
export function messageOf(error: unknown): string {
  const [first, ...causes] = withCausesOf(error);
  if (!first) return String(error);
  const full = [first, ...causes].find((cause) => "code" in cause && (cause.code === "EMFILE" || cause.code === "ENFILE"));
  // Whatever could not be opened, and what was concluded from that, would mislead.
  if (full && "code" in full) return `This process may open no more files (${full.code}); raise the limit, e.g. with ulimit -n`;
  if (!(first instanceof Unavailable)) return first.message + nextStep(first);
  const whole = causes.map(reasonOf).reduce((text, reason) => (reason === "" || text.includes(reason) ? text : `${text}: ${reason}`), first.message);
  return withoutPasswords(whole);
}

/** More are not followed: they may go round. */
const MAX_CAUSES = 5;

/** An error, its cause, the cause of that, and so on. */
function withCausesOf(error: unknown): readonly Error[] {
  const errors: Error[] = [];
  for (let cause = error; cause instanceof Error && errors.length <= MAX_CAUSES; cause = cause.cause) errors.push(cause);
  return errors;
}

/** Node says nothing itself where it has tried several addresses of a name, and some libraries only give a code. */
function reasonOf(error: Error): string {
  if (error.message !== "") return error.message;
  if (error instanceof AggregateError) return [...new Set(error.errors.map((one: unknown) => (one instanceof Error ? one.message : String(one))))].join(", ");
  return "code" in error ? String(error.code) : "";
}

/** Takes out what a library may have repeated of a URL or a connection string. */
function withoutPasswords(text: string): string {
  return text.replace(/(\/\/[^\s/:@]*):\S*@/g, "$1@").replace(/\b(pass\w*\s*=\s*)\S+/gi, "$1…");
}

/** What to do about an error of the system that says only what it is; empty for others. */
function nextStep(error: Error): string {
  if (!("code" in error && "path" in error)) return "";
  if (error.code === "EROFS") return "; mount its disk for writing";
  if (error.code === "ENOSPC" || error.code === "EDQUOT") return "; make room on its disk";
  return error.code === "EACCES" ? "; check its mode, and run this as the user that it belongs to" : "";
}
