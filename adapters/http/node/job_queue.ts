import { isLater } from "../../../core/internal.ts";
import type { MaybePromise } from "../../../core/mod.ts";

/** How long a job may wait for its turn, and the function that runs in its place if it waits longer. */
export interface Patience<T> {
  readonly ms: number;
  readonly giveUp: () => MaybePromise<T>;
}

/** Synchronous jobs that take less time than this do not count as starts, because they hardly delay other jobs. */
const QUICK_MS = 1;

/**
 * Makes a queue that runs a few jobs at a time, while further jobs wait in order.
 *
 * @param maxStarts The number of jobs, not counting quick ones, that may start in one turn of the event loop.
 * @param maxPending The maximum number of jobs with unsettled promises. Default: `maxStarts`.
 */
export function createJobQueue(maxStarts: number, maxWaiting: number, maxPending = maxStarts) {
  const waiting = new Set<() => void>();
  let started = 0;
  let pending = 0;
  let isTurnAwaited = false;

  function canStart(): boolean {
    return started < maxStarts && pending < maxPending;
  }

  function start<T>(job: () => MaybePromise<T>): MaybePromise<T> {
    const startedAt = performance.now();
    started++;
    const result = job();
    if (isLater(result)) {
      pending++;
      result.then(settle, settle);
      awaitTurn();
    } else if (performance.now() - startedAt > QUICK_MS) awaitTurn();
    else started--;
    return result;
  }

  function settle(): void {
    pending--;
    awaitTurn();
  }

  function awaitTurn(): void {
    if (!isTurnAwaited) setImmediate(startNext);
    isTurnAwaited = true;
  }

  function startNext(): void {
    isTurnAwaited = false;
    started = 0;
    for (const startJob of waiting) {
      if (!canStart()) return;
      waiting.delete(startJob);
      startJob();
    }
  }

  return {
    /** The number of waiting jobs. */
    waiting: () => waiting.size,
    /** Whether no further job may wait. */
    isFull: () => !canStart() && waiting.size >= maxWaiting,
    /** Runs a job when it is its turn. Gives up a job that has waited too long for the promises of other jobs. */
    run<T>(job: () => MaybePromise<T>, patience?: Patience<T>): MaybePromise<T> {
      // A new job must not overtake jobs that wait for the next turn.
      if (waiting.size === 0 && canStart()) return start(job);
      return new Promise((resolve) => {
        const startJob = (): void => {
          clearTimeout(timer);
          resolve(start(job));
        };
        const giveUp = (): void => {
          // A job is not given up while it waits only for the processor, because its turn comes soon.
          if (pending < maxPending) return;
          waiting.delete(startJob);
          resolve(patience!.giveUp());
        };
        const timer = patience && setTimeout(giveUp, patience.ms);
        waiting.add(startJob);
      });
    },
  };
}
