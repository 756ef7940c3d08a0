import { readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";

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
  return error instanceof Error ? error.message + nextStep(error) : String(error);
}

/** What to do about an error of the system that says only what it is; empty for others. */
function nextStep(error: Error): string {
  if (!("code" in error && "path" in error && typeof error.path === "string")) return "";
  if (error.code === "EROFS") return "; mount its disk for writing";
  if (error.code !== "EACCES") return "";
  const owner = ownerOf(error.path);
  return owner === undefined ? "; check its mode" : `; it belongs to user ${owner}: run this as that user`;
}

/** The owner of a file, or of the nearest directory above it that can be asked; `undefined` for this user. */
function ownerOf(path: string): string | undefined {
  try {
    const { uid } = statSync(path);
    if (uid === process.getuid?.()) return undefined;
    return nameOf(uid) ?? String(uid);
  } catch {
    return dirname(path) === path ? undefined : ownerOf(dirname(path));
  }
}

function nameOf(uid: number): string | undefined {
  try {
    const users = readFileSync("/etc/passwd", "utf8").split("\n").map((line) => line.split(":"));
    return users.find(([, , id]) => id === String(uid))?.[0];
  } catch {
    return undefined; // Not every system has that file.
  }
}

/** Escapes control characters, which in a text from outside could move the cursor or recolour the screen. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]/gu, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
