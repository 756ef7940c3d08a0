import type { Clock, UtcMillis } from "../../core/mod.ts";
import type { LogEntry } from "./log_entry.ts";

/** Writes at most one line a minute about what happens again and again. */
export interface Repeats {
  /** Writes a line at once or, within a minute after the last one of its kind, counts what the next one is to say. */
  tell(kind: string, entry: LogEntry): void;
  /** Writes the lines whose minute is over; at the end, all that is counted. */
  sweep(isEnd?: boolean): void;
}

/** What has happened since the last line of a kind. */
interface Kind {
  readonly since: number;
  readonly count: number;
  /** The last one, and when it was told. */
  readonly entry: LogEntry;
  readonly time: UtcMillis;
}

const MINUTE_MS = 60_000;

/**
 * @param write Gets each entry with the time at which it was told; of those that repeat, the last one.
 * @param now Milliseconds of a clock that is never set.
 */
export function createRepeats(write: (entry: LogEntry, time: UtcMillis) => void, clock: Clock, now: () => number): Repeats {
  const kinds = new Map<string, Kind>();
  return {
    tell(name, entry) {
      const { since = now(), count = -1 } = kinds.get(name) ?? {};
      const time = clock();
      kinds.set(name, { since, count: count + 1, entry, time });
      if (count === -1) write(entry, time);
    },
    sweep(isEnd = false) {
      const due = [...kinds].filter(([, { since }]) => isEnd || now() - since >= MINUTE_MS).sort(([, one], [, other]) => one.time - other.time);
      for (const [name, kind] of due) {
        kinds.delete(name);
        if (kind.count === 0) continue;
        // What happened once is no repeat.
        write(kind.count === 1 ? kind.entry : { ...kind.entry, count: kind.count }, kind.time);
        // What happens again within the next minute waits for its end.
        kinds.set(name, { ...kind, since: now(), count: 0 });
      }
    },
  };
}
