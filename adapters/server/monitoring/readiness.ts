import { formatTimestamp } from "../../../core/internal.ts";
import type { UtcClock } from "../../../core/mod.ts";
import type { Trouble, Watcher } from "../../stores/shared/store_troubles.ts";

/** A trouble, and the time in ISO 8601 at which it was first seen. */
export interface Reason extends Trouble {
  readonly since: string;
}

/** Whether a server should get requests, and the reasons if not. */
export interface Readiness {
  readonly ready: boolean;
  readonly reasons: readonly Reason[];
}

/** The readiness of a server, and counts that need attention but do not make the server unready. */
export interface ReadinessReport extends Readiness {
  /** Pending values; `null` while unknown. */
  readonly pending: number | null;
  /** The number of places in the data that could not be read; `null` while unknown. All other data is served. */
  readonly damages: number | null;
}

/** A change in the readiness of a server. */
export interface ReadinessChange {
  readonly appeared: readonly Reason[];
  readonly gone: readonly Reason[];
}

/** Joins the troubles of several watchers. Calls `onChange` with each change that `current` or `sweep` finds. */
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

  /** Runs a watcher. If the watcher fails, the others still run. While the watcher hangs, it is not called again. */
  async function sweepOne(watcher: Watcher): Promise<void> {
    if (running.has(watcher)) return;
    running.add(watcher);
    await watcher.sweep?.().catch(() => undefined);
    running.delete(watcher);
  }

  return {
    current,
    /** Runs all watchers that are not still running. To be called every two seconds. */
    async sweep(): Promise<void> {
      await Promise.all(watchers.map(sweepOne));
      current();
    },
  };
}
