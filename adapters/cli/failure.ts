/** What the program ends with. */
export const EXIT = { done: 0, usage: 64, data: 65, inUse: 69, failed: 70, config: 78 } as const;

/** Any of the codes above, or one that the store asks for. */
export type ExitCode = number;

/** The exit codes in words, for the help. */
export const EXIT_CODES: readonly (readonly [code: number, meaning: string])[] = [
  [0, "done"],
  [1, "stopped at once, by a second signal"],
  [EXIT.usage, "wrong command, option or argument; nothing was changed"],
  [EXIT.data, "some of the data was refused, or has to be decided on"],
  [EXIT.inUse, "another process holds the data directory"],
  [EXIT.failed, "a file, a connection or the program itself has failed"],
  [71, "another process has taken the data directory over"],
  [EXIT.config, "a setting cannot be used, or the data is of a later version"],
];

/** Ends a command with a message for people, one line, and an exit code. */
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

/**
 * Text from outside made fit for a terminal: control characters, which could move the cursor or
 * recolour the screen, become visible escapes.
 */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]/gu, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
