import { formatTimestamp } from "../../../core/internal.ts";
import type { UtcClock } from "../../../core/mod.ts";
import type { Trouble, Watcher } from "../../stores/shared/store_troubles.ts";

/** A trouble, and the time at which it was first seen, ISO 8601. */
export interface Reason extends Trouble {
  readonly since: string;
}

/** Whether a server should get requests, and why not. */
export interface Readiness {
  readonly ready: boolean;
  readonly reasons: readonly Reason[];
}

/** The readiness of a server, and counts that need attention without being a reason against it. */
export interface ReadinessReport extends Readiness {
  /** Pending values; `null` while unknown. */
  readonly pending: number | null;
  /** Places in the data that could not be read, while the rest is served; `null` while unknown. */
  readonly damages: number | null;
}

/** A change in the readiness of a server. */
export interface ReadinessChange {
  readonly appeared: readonly Reason[];
  readonly gone: readonly Reason[];
}

/** Joins the troubles of several watchers. `onChange` is called with each change that `current` or `sweep` finds. */
export function createReadiness(
  watchers: readonly Watcher[],
  clock: UtcClock,
  onChange: (change: ReadinessChange) => void,
) {
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

  /** A watcher that fails does not affect the others, and one that hangs is not called again meanwhile. */
  async function sweepOne(watcher: Watcher): Promise<void> {
    if (running.has(watcher)) return;
    running.add(watcher);
    await watcher.sweep?.().catch(() => undefined);
    running.delete(watcher);
  }

  return {
    current,
    /** Runs all watchers again, except those that are still running. To be called every two seconds. */
    async sweep(): Promise<void> {
      await Promise.all(watchers.map(sweepOne));
      current();
    },
  };
}
