import type { Writable } from "node:stream";
import { Unavailable } from "../../core/mod.ts";
import type { Clock, UtcMillis } from "../../core/mod.ts";
import { createLineWriter } from "./line_writer.ts";
import type { LineWriter } from "./line_writer.ts";
import { formatEntry } from "./log_entry.ts";
import type { LineFormat, LogEntry } from "./log_entry.ts";
import type { ReadinessChange } from "./readiness.ts";
import { createRepeats } from "./repeats.ts";

/** The log of a server: what it does, and what happens to it. */
export interface Log extends Pick<LineWriter, "lost"> {
  readonly format: LineFormat;
  /** Writes a line. The process may end right after one about a crash. */
  write(entry: LogEntry): void;
  /** Logs the error behind an answer with status 500 or 503; errors of one kind take at most one line a minute. */
  failedRequest(error: unknown, requestId: string): void;
  /** Logs a change of readiness at once; each reason takes at most one line a minute for its begin, and one for its end. */
  changed(change: ReadinessChange): void;
  /** Writes the lines about what was repeated; to be called every few seconds. */
  sweep(): void;
  /** Writes all that is still to be written; settles after a second at the latest. */
  close(): Promise<void>;
}

/** Makes a log on a stream. */
export function createLog(stream: Writable, { format, clock }: { readonly format: LineFormat; readonly clock: Clock }): Log {
  const writer = createLineWriter(stream);
  const writeAt = (entry: LogEntry, time: UtcMillis): void => writer.write(formatEntry(entry, time, format));
  const repeats = createRepeats(writeAt, clock, () => performance.now());
  return {
    format,
    lost: writer.lost,
    write(entry) {
      // The last line of a log is the one that says that the server has stopped.
      if (entry.event === "stopped") repeats.sweep(true);
      writeAt(entry, clock());
    },
    failedRequest(error, requestId) {
      if (error instanceof Unavailable) {
        return repeats.tell("unavailable", { level: "warn", event: "requests-unavailable", message: `Requests got 503: ${error.message}`, requestId });
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
    sweep: () => repeats.sweep(),
    close() {
      repeats.sweep(true);
      return writer.flush();
    },
  };
}

/** Where an error was thrown: its message may differ each time. */
function placeOf(stack = ""): string {
  return /\n\s+at .*/.exec(stack)?.[0] ?? "";
}
