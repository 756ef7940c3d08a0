import { Unavailable } from "../../core/mod.ts";
import type { Clock, UtcMillis } from "../../core/mod.ts";
import type { Watcher } from "../store/watcher.ts";
import { createLineWriter } from "./line_writer.ts";
import type { LineWriter } from "./line_writer.ts";
import { formatEntry } from "./log_entry.ts";
import type { LineFormat, LogEntry } from "./log_entry.ts";
import type { ReadinessChange } from "./readiness.ts";
import { createRepeats } from "./repeats.ts";

/** The log of a server: what it does, and what happens to it. */
export interface Log extends Watcher {
  readonly format: LineFormat;
  /** Writes a line. The process may end right after one about a crash. */
  write(entry: LogEntry): void;
  /** Logs the error behind an answer with status 500 or 503; errors of one kind take at most one line a minute. */
  failedRequest(error: unknown, requestId: string): void;
  /** Logs a change of readiness at once; each reason takes at most one line a minute for its begin, and one for its end. */
  changed(change: ReadinessChange): void;
  /** Writes the lines about what was repeated; to be called every few seconds. */
  sweep(): Promise<void>;
  /** Writes all that is still to be written; settles after a second at the latest. */
  close(): Promise<void>;
  dropped(): number;
}

const FLUSH_MS = 1_000;

/** Makes a log on an open file descriptor. */
export function createLog(fd: number, { format, clock}: { readonly format: LineFormat; readonly clock: Clock }): Log {
  const writer: LineWriter = createLineWriter(fd, { lost });
  const repeats = createRepeats(writeAt, clock, () => performance.now());

  function write(entry: LogEntry): void {
    // Nothing that happened before the end stands behind it.
    if (entry.event === "stopped") repeats.flush();
    writeAt(entry, clock());
  }

  function writeAt(entry: LogEntry, time: UtcMillis): void {
    writer.write(formatEntry(entry, time, format));
    if (entry.event === "crashed") writer.writeNow();
  }

  function lost(count: number): string {
    return formatEntry({ level: "warn", event: "lines-lost", message: "Lines of this log could not be written, and are lost", count }, clock(), format);
  }

  return {
    format,
    write,
    failedRequest(error, requestId) {
      if (error instanceof Unavailable) {
        // Its cause is a change of readiness, which has a line of its own.
        return repeats.tellLater("unavailable", { level: "warn", event: "requests-unavailable", message: `Requests got 503: ${error.message}`, requestId });
      }
      const { message, stack } = error instanceof Error ? error : new Error(String(error));
      repeats.tell(`failed:${placeOf(stack)}`, { level: "error", event: "request-failed", message: `A request got 500: ${message}`, requestId, ...(stack && { stack }) });
    },
    changed({ appeared, gone }) {
      for (const { code, message, since } of appeared.filter(({ code }) => code !== "draining")) {
        repeats.tell(`not-ready:${code}`, { level: "warn", event: "not-ready", message: `Not ready: ${message}`, code, since });
      }
      for (const { code, message, since } of gone) {
        repeats.tell(`recovered:${code}`, { level: "info", event: "recovered", message: `${code} is over; it was: ${message}`, code, since });
      }
    },
    async sweep() {
      repeats.sweep();
    },
    troubles() {
      return troublesOf(writer, "log");
    },
    async close() {
      repeats.flush();
      await writer.flush(FLUSH_MS);
    },
    dropped: () => writer.dropped(),
  };
}

/** What keeps a writer of lines from writing. */
export function troublesOf(writer: LineWriter, name: string): ReturnType<Watcher["troubles"]> {
  const trouble = writer.trouble();
  return trouble === undefined ? [] : [{ code: "log-failing", message: `The ${name} ${trouble}` }];
}

/** Where an error was thrown: its message may differ each time. */
function placeOf(stack = ""): string {
  return /\n\s+at .*/.exec(stack)?.[0] ?? "";
}
