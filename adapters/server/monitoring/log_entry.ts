import { fstatSync } from "node:fs";
import { formatTimestamp, maskKeys } from "../../../core/internal.ts";
import type { UtcMillis } from "../../../core/mod.ts";

/** How lines are written: `json`, one object a line for machines; `text` for people. */
export type LineFormat = "json" | "text";

/** The format in which a stream gets its lines: on a terminal people read them. */
export function formatFor(setting: LineFormat | "auto", { isTTY = false }: { readonly isTTY?: boolean }): LineFormat {
  if (setting !== "auto") return setting;
  return isTTY ? "text" : "json";
}

/** Whether a stream goes to the journal of systemd, which tells its device and inode. */
export function isJournal(
  stream: { readonly fd?: unknown },
  environment: Readonly<Record<string, string | undefined>>,
): boolean {
  if (typeof stream.fd !== "number" || environment["JOURNAL_STREAM"] === undefined) return false;
  const { dev, ino } = fstatSync(stream.fd);
  return environment["JOURNAL_STREAM"] === `${dev}:${ino}`;
}

/** Something that happened to a server. A line has these members and no others, so that no secret comes into it by chance. */
export interface LogEntry {
  readonly level: "info" | "warn" | "error";
  /** What happened, for machines. */
  readonly event:
    | "started"
    | "stopping"
    | "stopped"
    | "crashed"
    | "store-failed"
    | "warning"
    | "not-ready"
    | "recovered"
    | "request-failed"
    | "requests-unavailable"
    | "mirror"
    | "changed"
    | "key-refused"
    | "limit-reached";
  /** The same for people. */
  readonly message: string;
  /** The code of a reason why a server is not ready. */
  readonly code?: string;
  /** When it began, ISO 8601. */
  readonly since?: string;
  /** How often it happened since the last line about it, where that is more than once. */
  readonly count?: number;
  /** The request, or the last of them. */
  readonly requestId?: string;
  readonly stack?: string;
  readonly url?: string;
  readonly adminUrl?: string;
  readonly version?: string;
  readonly pid?: number;
  readonly exitCode?: number;
  /** Who has changed the data, as their process says itself; `pid` is that of the process. */
  readonly user?: string;
  readonly program?: string;
  /** The number of an import, and how many records a change has touched. */
  readonly import?: number;
  readonly records?: number;
  /** Which change of a database it is: each of its servers logs it. */
  readonly change?: number | undefined;
  /** The ID of a key. */
  readonly keyId?: string;
}

/** A line without its line feed. What looks like an API key is masked. */
export function formatEntry(entry: LogEntry, time: UtcMillis, format: LineFormat): string {
  const {
    level,
    event,
    message,
    code,
    since,
    count,
    requestId,
    stack,
    url,
    adminUrl,
    version,
    pid,
    exitCode,
    user,
    program,
    import: number,
    records,
    change,
    keyId,
  } = entry;
  if (format === "json") {
    return maskKeys(
      JSON.stringify({
        ...{
          time: formatTimestamp(time),
          level,
          event,
          message,
          code,
          since,
          count,
          requestId,
          url,
          adminUrl,
          version,
        },
        ...{ user, program, pid, import: number, records, change, keyId, exitCode, stack },
      }),
    );
  }
  const often = count === undefined ? "" : ` (${count} times since the last line)`;
  const request = requestId === undefined ? "" : `, request ${requestId}`;
  const frames =
    stack === undefined
      ? ""
      : stack
          .split("\n")
          .map((frame) => `\n    ${printable(frame.trim())}`)
          .join("");
  return maskKeys(`${formatTimestamp(time)} ${level} ${printable(message)}${often}${request}${frames}`);
}

/** Escapes control characters, which in a text from outside could end the line, move the cursor or change the order of letters. */
export function printable(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
