import { formatTimestamp } from "../../../core/internal.ts";
import type { UtcClock } from "../../../core/mod.ts";
import type { Trouble, Watcher } from "../../stores/shared/store_troubles.ts";

/** A trouble and when it was first seen, ISO 8601. */
export interface Reason extends Trouble {
  readonly since: string;
}

/** Whether a server should get requests, and why not. */
export interface Readiness {
  readonly ready: boolean;
  readonly reasons: readonly Reason[];
}

/** What a server says of its readiness, and of what is no reason against it. */
export interface ReadinessReport extends Readiness {
  /** Values that wait for a decision; `null` while that is not known. */
  readonly pending: number | null;
  /** Places in the data that could not be read, while the rest is served; `null` while that is not known. */
  readonly damages: number | null;
}

/** What has changed in the readiness of a server. */
export interface ReadinessChange {
  readonly appeared: readonly Reason[];
  readonly gone: readonly Reason[];
}

/** Joins what several watchers know. */
export interface ReadinessWatch {
  current(): Readiness;
  /** Has all watchers find out anew; to be called every two seconds. Settles when those that were not at it already are done. */
  sweep(): Promise<void>;
}

/** @param onChange Called with each change that `current` or `sweep` has found. */
export function createReadiness(
  watchers: readonly Watcher[],
  clock: UtcClock,
  onChange: (change: ReadinessChange) => void,
): ReadinessWatch {
  let reasons: readonly Reason[] = [];
  const running = new Set<Watcher>();

  function current(): Readiness {
    const before = new Map(reasons.map((reason) => [reason.code, reason]));
    const found = new Map(watchers.flatMap((watcher) => watcher.troubles()).map((trouble) => [trouble.code, trouble]));
    reasons = [...found.values()].map((trouble) => ({
      ...trouble,
      since: before.get(trouble.code)?.since ?? formatTimestamp(clock()),
    }));
    const appeared = reasons.filter(({ code }) => !before.has(code));
    const gone = [...before.values()].filter(({ code }) => !found.has(code));
    if (appeared.length > 0 || gone.length > 0) onChange({ appeared, gone });
    return { ready: reasons.length === 0, reasons };
  }

  /** One that fails, as a database may, keeps nobody from hearing of the others; one that hangs is not asked again meanwhile. */
  async function sweepOne(watcher: Watcher): Promise<void> {
    if (running.has(watcher)) return;
    running.add(watcher);
    await watcher.sweep?.().catch(() => undefined);
    running.delete(watcher);
  }

  return {
    current,
    async sweep() {
      await Promise.all(watchers.map(sweepOne));
      current();
    },
  };
}
