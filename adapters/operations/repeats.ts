import type { Clock, UtcMillis } from "../../core/mod.ts";
import type { LogEntry } from "./log_entry.ts";

/** Writes at most one line a minute about what happens again and again. */
export interface Repeats {
  /** Writes a line, or, within a minute after the last one of its kind, counts what the next one is to say. */
  tell(kind: string, entry: LogEntry): void;
  /** The same, but the first line is written after a minute, too. */
  tellLater(kind: string, entry: LogEntry): void;
  /** Writes the lines whose minute is over. */
  sweep(): void;
  /** Writes all lines that are due, also before their time. */
  flush(): void;
}

interface Kind {
  readonly since: number;
  readonly count: number;
  /** The last one, and when it was told. */
  readonly entry: LogEntry;
  readonly time: UtcMillis;
}

const MINUTE_MS = 60_000;
/** More kinds share a line. */
const MAX_KINDS = 30;

/**
 * @param write Gets each entry with the time at which it was told; of those that repeat, the last one.
 * @param now Milliseconds of a clock that is never set.
 */
export function createRepeats(write: (entry: LogEntry, time: UtcMillis) => void, clock: Clock, now: () => number): Repeats {
  const kinds = new Map<string, Kind>();

  function add(wanted: string, entry: LogEntry, isLater: boolean): void {
    const name = kinds.has(wanted) || kinds.size < MAX_KINDS ? wanted : "other";
    const kind = kinds.get(name);
    const time = clock();
    if (kind) {
      kinds.set(name, { since: kind.since, count: kind.count + 1, entry, time });
      return;
    }
    kinds.set(name, { since: now(), count: isLater ? 1 : 0, entry, time });
    if (!isLater) write(entry, time);
  }

  function writeDue(isDue: (kind: Kind) => boolean): void {
    const due = [...kinds].filter(([, kind]) => isDue(kind)).sort(([, one], [, other]) => one.time - other.time);
    for (const [name, kind] of due) {
      kinds.delete(name);
      if (kind.count === 0) continue;
      // What happened once is no repeat.
      write(kind.count === 1 ? kind.entry : { ...kind.entry, count: kind.count }, kind.time);
      // What happens again within the next minute waits for its end.
      kinds.set(name, { ...kind, since: now(), count: 0 });
    }
  }

  return {
    tell: (kind, entry) => add(kind, entry, false),
    tellLater: (kind, entry) => add(kind, entry, true),
    sweep: () => writeDue(({ since }) => now() - since >= MINUTE_MS),
    flush: () => writeDue(() => true),
  };
}
