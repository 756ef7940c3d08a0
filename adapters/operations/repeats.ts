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
  since: number;
  count: number;
  /** The last one. */
  entry: LogEntry;
}

const MINUTE_MS = 60_000;
/** More kinds share a line. */
const MAX_KINDS = 30;

/** @param now Milliseconds of a clock that is never set. */
export function createRepeats(write: (entry: LogEntry) => void, now: () => number): Repeats {
  const kinds = new Map<string, Kind>();

  function add(wanted: string, entry: LogEntry, isLater: boolean): void {
    const name = kinds.has(wanted) || kinds.size < MAX_KINDS ? wanted : "other";
    const kind = kinds.get(name);
    if (kind) {
      kind.count++;
      kind.entry = entry;
      return;
    }
    kinds.set(name, { since: now(), count: isLater ? 1 : 0, entry });
    if (!isLater) write(entry);
  }

  function writeDue(isDue: (kind: Kind) => boolean): void {
    for (const [name, kind] of kinds) {
      if (!isDue(kind)) continue;
      kinds.delete(name);
      if (kind.count === 0) continue;
      write({ ...kind.entry, count: kind.count });
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
