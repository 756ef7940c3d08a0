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
  [EXIT.inUse, "another process holds the data directory"],
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

/** The message of a failure, for people. */
export function messageOf(error: unknown): string {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    // Whatever could not be opened, and what was concluded from that, would mislead.
    if ("code" in cause && (cause.code === "EMFILE" || cause.code === "ENFILE")) {
      return `This process may open no more files (${cause.code}); raise the limit, e.g. with ulimit -n`;
    }
  }
  return error instanceof Error ? error.message : String(error);
}

/** Escapes control characters, which in a text from outside could move the cursor or recolour the screen. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]/gu, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
