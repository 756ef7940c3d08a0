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

/** A watcher that has not found out by then is left to it. */
const MAX_SWEEP_MS = 4_000;

/** @param onChange Called with each change that `current` or `sweep` has found. */
export function createReadiness(watchers: readonly Watcher[], clock: Clock, onChange: (change: ReadinessChange) => void): ReadinessWatch {
  let reasons: readonly Reason[] = [];
  const running = new Map<Watcher, Promise<void>>();

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

  /** One that fails or hangs, as a database may, keeps nobody from hearing of the others, and is not asked again meanwhile. */
  async function sweepOne(watcher: Watcher): Promise<void> {
    if (!watcher.sweep) return;
    const sweeping = running.get(watcher) ?? watcher.sweep().catch(() => undefined).finally(() => running.delete(watcher));
    running.set(watcher, sweeping);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, MAX_SWEEP_MS)));
    await Promise.race([sweeping, late]).finally(() => clearTimeout(timer));
  }

  return {
    current,
    async sweep() {
      await Promise.all(watchers.map(sweepOne));
      current();
    },
  };
}
