import type { Writable } from "node:stream";
import { Unavailable, type UtcClock, type UtcMillis } from "../../../core/mod.ts";
import { formatEntry, type LineFormat, type LogEntry } from "./log_entry.ts";
import { createLineWriter, type LineWriter } from "./log_line_writer.ts";
import type { ReadinessChange } from "./readiness.ts";

/** The log of a server: what it does, and what happens to it. What repeats takes at most one line a minute. */
export interface Log extends Pick<LineWriter, "lost"> {
  readonly format: LineFormat;
  /** Writes a line. The process may end right after one about a crash. */
  write(entry: LogEntry): void;
  /** Logs the error behind an answer with status 500 or 503; errors from one place in the program count as the same. */
  failedRequest(error: unknown, requestId: string): void;
  /** Logs what may happen often, such as a limit that is reached; those of one kind count as the same. */
  often(kind: string, entry: LogEntry): void;
  /** Logs a change of readiness; the begin of a reason and its end each count for themselves. */
  changed(change: ReadinessChange): void;
  /** Writes the lines about what was repeated; to be called every few seconds. */
  sweep(): void;
  /** Writes all that is still to be written; settles after a second at the latest. */
  close(): Promise<void>;
}

/** What has happened since the last line of a kind. */
interface Repeated {
  readonly since: number;
  readonly count: number;
  /** The last one, and when it happened. */
  readonly entry: LogEntry;
  readonly time: UtcMillis;
}

const MINUTE_MS = 60_000;
/** As syslog has them. */
const PRIORITIES = { error: 3, warn: 4, info: 6 } as const;

/** How a log is written. */
export interface LogOptions {
  readonly format: LineFormat;
  readonly clock: UtcClock;
  /** Whether each line begins with its priority, e.g. `<4>`, which the journal of systemd takes off. Default: `false`. */
  readonly toJournal?: boolean;
}

/** Makes a log on a stream. */
export function createLog(stream: Writable, { format, clock, toJournal = false }: LogOptions): Log {
  const writer = createLineWriter(stream);
  const kinds = new Map<string, Repeated>();

  function writeAt(entry: LogEntry, time: UtcMillis): void {
    const text = formatEntry(entry, time, format);
    writer.write(toJournal ? text.replace(/^/gm, `<${PRIORITIES[entry.level]}>`) : text);
  }

  /** Writes a line at once or, within a minute after the last one of its kind, counts what the next one is to say. */
  function writeLimited(kind: string, entry: LogEntry): void {
    const { since = performance.now(), count = -1 } = kinds.get(kind) ?? {};
    const time = clock();
    kinds.set(kind, { since, count: count + 1, entry, time });
    if (count === -1) writeAt(entry, time);
  }

  /** Writes the lines whose minute is over; at the end, all that is counted. */
  function sweep(isEnd: boolean): void {
    const now = performance.now();
    const due = [...kinds]
      .filter(([, { since }]) => isEnd || now - since >= MINUTE_MS)
      .sort(([, one], [, other]) => one.time - other.time);
    for (const [name, { count, entry, time }] of due) {
      kinds.delete(name);
      if (count === 0) continue;
      // What happened once is no repeat.
      writeAt(count === 1 ? entry : { ...entry, count }, time);
      // What happens again within the next minute waits for its end.
      kinds.set(name, { since: now, count: 0, entry, time });
    }
  }

  return {
    format,
    lost: writer.lost,
    write(entry) {
      // The last line of a log is the one that says that the server has stopped.
      if (entry.event === "stopped") sweep(true);
      writeAt(entry, clock());
    },
    often: writeLimited,
    failedRequest(error, requestId) {
      if (error instanceof Unavailable) {
        return writeLimited("unavailable", {
          level: "warn",
          event: "requests-unavailable",
          message: `Requests got 503: ${error.message}`,
          requestId,
        });
      }
      const { message, stack } = error instanceof Error ? error : new Error(String(error));
      writeLimited(`failed:${placeOf(stack)}`, {
        level: "error",
        event: "request-failed",
        message: `A request got 500: ${message}`,
        requestId,
        ...(stack && { stack }),
      });
    },
    changed({ appeared, gone }) {
      for (const { code, message, since } of appeared.filter(({ code }) => code !== "draining")) {
        writeLimited(`not-ready:${code}`, {
          level: "warn",
          event: "not-ready",
          message: `Not ready: ${message}`,
          code,
          since,
        });
      }
      for (const { code, message, since } of gone) {
        writeLimited(`recovered:${code}`, {
          level: "info",
          event: "recovered",
          message: `${code} is over; it was: ${message}`,
          code,
          since,
        });
      }
    },
    sweep: () => sweep(false),
    close() {
      sweep(true);
      return writer.flush();
    },
  };
}

/** Where an error was thrown: its message may differ each time. */
function placeOf(stack = ""): string {
  return /\n[ \t]+at .*/.exec(stack)?.[0] ?? "";
}
