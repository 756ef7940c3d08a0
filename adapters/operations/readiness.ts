import { formatTimestamp } from "../../core/internal.ts";
import type { Clock, MaybePromise } from "../../core/mod.ts";
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
    const before = new Map(reasons.map((reason) => [reason.code, reason]));
    const found = new Map(watchers.flatMap((watcher) => watcher.troubles()).map((trouble) => [trouble.code, trouble]));
    reasons = [...found.values()].map((trouble) => ({ ...trouble, since: before.get(trouble.code)?.since ?? formatTimestamp(clock()) }));
    const appeared = reasons.filter(({ code }) => !before.has(code));
    const gone = [...before.values()].filter(({ code }) => !found.has(code));
    if (appeared.length > 0 || gone.length > 0) onChange({ appeared, gone });
    return { ready: reasons.length === 0, reasons };
  }

  /** One that fails or hangs, as a database may, keeps nobody from hearing of the others, and is not asked again meanwhile. */
  async function sweepOne(watcher: Watcher): Promise<void> {
    const sweeping = running.get(watcher) ?? watcher.sweep?.().catch(() => undefined).finally(() => running.delete(watcher));
    if (!sweeping) return;
    running.set(watcher, sweeping);
    await within(MAX_SWEEP_MS, () => sweeping);
  }

  return {
    current,
    async sweep() {
      await Promise.all(watchers.map(sweepOne));
      current();
    },
  };
}

/** What is found out in time; `undefined` where that takes longer, or fails. */
export async function within<Value>(ms: number, find: () => MaybePromise<Value>): Promise<Value | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => (timer = setTimeout(resolve, ms, undefined)));
  const found = Promise.resolve().then(find).catch(() => undefined);
  return Promise.race([found, late]).finally(() => clearTimeout(timer));
}
