import { formatTimestamp } from "../../core/internal.ts";
import type { Clock } from "../../core/mod.ts";

/** What keeps a server from being ready. */
export const REASON_CODES = [
  "draining", "store-failed", "store-read-only", "writes-failing", "disk-full", "data-folder", "stale-feed", "overloaded", "log-failing", "mirror-stopped",
] as const;

/** The machine code of a reason. */
export type ReasonCode = (typeof REASON_CODES)[number];

/** Something that is wrong just now. */
export interface Trouble {
  readonly code: ReasonCode;
  /** A sentence without a full stop. */
  readonly message: string;
}

/** A trouble and when it was first seen, ISO 8601. */
export interface Reason extends Trouble {
  readonly since: string;
}

/** Whether a server should get requests, and why not. */
export interface Readiness {
  readonly ready: boolean;
  readonly reasons: readonly Reason[];
}

/** Looks after one thing that can go wrong. */
export interface Watcher {
  /** What is wrong just now, as far as is known. Must be quick, and not throw. */
  troubles(): readonly Trouble[];
  /** Finds out anew what cannot be known at once, such as the state of a folder. */
  sweep?(): Promise<void>;
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
