import type { Writable } from "node:stream";
import { MINUTE_MS } from "../../../core/internal.ts";
import { Unavailable, type UtcClock, type UtcMillis } from "../../../core/mod.ts";
import { formatEntry, type LineFormat, type LogEntry } from "./log_entry.ts";
import { createLineWriter } from "./log_line_writer.ts";
import type { ReadinessChange } from "./readiness.ts";

/** The log of a server. If an event repeats, it gets at most one line a minute. */
export type Log = ReturnType<typeof createLog>;

/** The events of one kind since the last line about this kind: their count, and the last event with its time. */
interface Repeated {
  readonly since: number;
  readonly count: number;
  readonly entry: LogEntry;
  readonly time: UtcMillis;
}

/** The priorities of syslog. */
const PRIORITIES = { error: 3, warn: 4, info: 6 } as const;

/**
 * Makes a log that writes to a stream.
 *
 * @param options.toJournal Whether each line begins with its priority for the journal of systemd, e.g. `<4>`.
 */
export function createLog(
  stream: Writable,
  { format, clock, toJournal = false }: Readonly<{ format: LineFormat; clock: UtcClock; toJournal?: boolean }>,
) {
  const writer = createLineWriter(stream);
  const kinds = new Map<string, Repeated>();

  function writeAt(entry: LogEntry, time: UtcMillis): void {
    const text = formatEntry(entry, time, format);
    writer.write(toJournal ? text.replace(/^/gm, `<${PRIORITIES[entry.level]}>`) : text);
  }

  /** Writes a line at once. If the last line of the same kind is younger than a minute, only counts the event. */
  function writeLimited(kind: string, entry: LogEntry): void {
    const { since = performance.now(), count = -1 } = kinds.get(kind) ?? {};
    const time = clock();
    kinds.set(kind, { since, count: count + 1, entry, time });
    if (count === -1) writeAt(entry, time);
  }

  /** Writes the line about a counted event when its minute is over, and all remaining lines at the end of the log. */
  function sweep(isEnd: boolean): void {
    const now = performance.now();
    const due = [...kinds]
      .filter(([, { since }]) => isEnd || now - since >= MINUTE_MS)
      .sort(([, one], [, other]) => one.time - other.time);
    for (const [name, { count, entry, time }] of due) {
      kinds.delete(name);
      if (count === 0) continue;
      // A single event needs no count.
      writeAt(count === 1 ? entry : { ...entry, count }, time);
      // A new minute begins: its events are counted, and logged when it ends.
      kinds.set(name, { since: now, count: 0, entry, time });
    }
  }

  return {
    format,
    lost: writer.lost,
    /** Writes a line at once. */
    write(entry: LogEntry): void {
      // Write all other lines first: "stopped" has to be the last line.
      if (entry.event === "stopped") sweep(true);
      writeAt(entry, clock());
    },
    /** Logs an event that may happen often. Events of the same kind are counted together. */
    often: writeLimited,
    /** Logs the error that caused a 500 or 503. Errors from the same place in the program are counted together. */
    failedRequest(error: unknown, requestId: string): void {
      if (error instanceof Unavailable) {
        const message = `Requests got 503: ${error.message}`;
        writeLimited("unavailable", { level: "warn", event: "requests-unavailable", message, requestId });
        return;
      }
      const { message: reason, stack } = error instanceof Error ? error : new Error(String(error));
      const message = `A request got 500: ${reason}`;
      const failure = { level: "error", event: "request-failed", message, requestId, ...(stack && { stack }) } as const;
      writeLimited(`failed:${placeOf(stack)}`, failure);
    },
    /** Logs a change of readiness. Repeated beginnings of a reason are counted together, and so are repeated ends. */
    changed({ appeared, gone }: ReadinessChange): void {
      for (const { code, message: reason, since } of appeared.filter(({ code }) => code !== "draining")) {
        const message = `Not ready: ${reason}`;
        writeLimited(`not-ready:${code}`, { level: "warn", event: "not-ready", message, code, since });
      }
      for (const { code, message: reason, since } of gone) {
        const message = `${code} has ended. Its message was: ${reason}`;
        writeLimited(`recovered:${code}`, { level: "info", event: "recovered", message, code, since });
      }
    },
    /** Writes the lines about repeated events. To be called every few seconds. */
    sweep: (): void => sweep(false),
    /** Writes all remaining lines. Resolves after a second at the latest. */
    close(): Promise<void> {
      sweep(true);
      return writer.flush();
    },
  };
}

/** The place where an error was thrown. It identifies the error, because the message of the same error may vary. */
function placeOf(stack = ""): string {
  return /\n[ \t]+at .*/.exec(stack)?.[0] ?? "";
}
