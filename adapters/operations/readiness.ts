import { formatTimestamp } from "../../core/internal.ts";
import type { Clock } from "../../core/mod.ts";
import type { Trouble, Watcher } from "../store/watcher.ts";

/** A trouble and when it was first seen, ISO 8601. */
export interface Reason extends Trouble {
  readonly since: string;
}

/** Whether a server should get requests, and why not. */
export interface Readiness {
  readonly ready: boolean;
  readonly reasons: readonly Reason[];
}

/** What has changed in the readiness of a server. */
export interface ReadinessChange {
  readonly appeared: readonly Reason[];
  readonly gone: readonly Reason[];
}

/** Joins what several watchers know. */
export interface ReadinessWatch {
  current(): Readiness;
  /** Has all watchers find out anew; to be called every two seconds. */
  sweep(): Promise<void>;
}

/** @param onChange Called with each change that `current` or `sweep` has found. */
export function createReadiness(watchers: readonly Watcher[], clock: Clock, onChange: (change: ReadinessChange) => void): ReadinessWatch {
  let reasons: readonly Reason[] = [];

  function current(): Readiness {
    const before = reasons;
    const found = new Map(watchers.flatMap((watcher) => watcher.troubles()).map((trouble) => [trouble.code, trouble]));
    reasons = [...found.values()].map((trouble) => {
      const known = before.find(({ code }) => code === trouble.code);
      return { ...trouble, since: known?.since ?? formatTimestamp(clock()) };
    });
    const appeared = reasons.filter(({ code }) => !before.some((other) => other.code === code));
    const gone = before.filter(({ code }) => !reasons.some((other) => other.code === code));
    if (appeared.length > 0 || gone.length > 0) onChange({ appeared, gone });
    return { ready: reasons.length === 0, reasons };
  }

  return {
    current,
    async sweep() {
      await Promise.all(watchers.map((watcher) => watcher.sweep?.()));
      current();
    },
  };
}
