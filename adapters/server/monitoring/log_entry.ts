import { fstatSync } from "node:fs";
import { formatTimestamp, maskKeys } from "../../../core/internal.ts";
import type { UtcMillis } from "../../../core/mod.ts";

/** The format of lines: `json`, one object a line, for machines, or `text` for people. */
export type LineFormat = "json" | "text";

/** The format for a stream. `auto` means text on a terminal, and JSON elsewhere. */
export function formatFor(setting: LineFormat | "auto", { isTTY = false }: { readonly isTTY?: boolean }): LineFormat {
  if (setting !== "auto") return setting;
  return isTTY ? "text" : "json";
}

/** Whether a stream goes to the journal of systemd. `JOURNAL_STREAM` has the journal's device and inode. */
export function isJournal(
  stream: { readonly fd?: unknown },
  environment: Readonly<Record<string, string | undefined>>,
): boolean {
  if (typeof stream.fd !== "number" || environment["JOURNAL_STREAM"] === undefined) return false;
  const { dev, ino } = fstatSync(stream.fd);
  return environment["JOURNAL_STREAM"] === `${dev}:${ino}`;
}

/** An event of a server. Only these members are written, so that no secret gets into a line by accident. */
export interface LogEntry {
  readonly level: "info" | "warn" | "error";
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
  /** The event in words. */
  readonly message: string;
  /** The code of the reason why the server is not ready. */
  readonly code?: string;
  /** The time since which the reason exists, in ISO 8601. */
  readonly since?: string;
  /** How often the event happened since the last line about it, if more than once. */
  readonly count?: number;
  /** The id of the request; of the last request if `count` is given. */
  readonly requestId?: string;
  readonly stack?: string;
  readonly url?: string;
  readonly adminUrl?: string;
  readonly version?: string;
  readonly pid?: number;
  readonly exitCode?: number;
  /** Who changed the data, as reported by the process `pid`. */
  readonly user?: string;
  readonly program?: string;
  /** The number of an import. `records` is the number of records that the import changed. */
  readonly import?: number;
  readonly records?: number;
  /** The number of a change in a database. All servers of the database log this change. */
  readonly change?: number | undefined;
  readonly keyId?: string;
}

/** The members of a line in JSON, in the order in which they are written. */
const MEMBERS: readonly (keyof LogEntry | "time")[] = [
  ...(["time", "level", "event", "message", "code", "since", "count", "requestId"] as const),
  ...(["url", "adminUrl", "version", "user", "program", "pid"] as const),
  ...(["import", "records", "change", "keyId", "exitCode", "stack"] as const),
];

/** A line without its line feed. API keys are masked. */
export function formatEntry(entry: LogEntry, time: UtcMillis, format: LineFormat): string {
  if (format === "json")
    return maskKeys(JSON.stringify({ time: formatTimestamp(time), ...entry }, MEMBERS as string[]));
  const { level, message, count, requestId, stack } = entry;
  const often = count === undefined ? "" : ` (${count} times since the last line)`;
  const request = requestId === undefined ? "" : `, request ${requestId}`;
  const frames = (stack?.split("\n") ?? []).map((frame) => `\n    ${printable(frame.trim())}`).join("");
  return maskKeys(`${formatTimestamp(time)} ${level} ${printable(message)}${often}${request}${frames}`);
}

/** Escapes control characters, which a foreign text could use to end the line, move the cursor or reverse letters. */
export function printable(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
