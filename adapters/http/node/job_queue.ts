import { isLater } from "../../../core/internal.ts";
import type { MaybePromise } from "../../../core/mod.ts";

/** Runs a few jobs at a time; further ones wait, in order. */
export interface JobQueue {
  /** Whether another job would be one too many to wait. */
  isFull(): boolean;
  /** Jobs that wait. */
  waiting(): number;
  /** Runs a job, at once if it is its turn; with `patience`, gives it up if promises of others keep its turn from coming in time. */
  run<T>(job: () => MaybePromise<T>, patience?: Patience<T>): MaybePromise<T>;
}

/** How long a job waits for its turn, and what is done in its place after that. */
export interface Patience<T> {
  readonly ms: number;
  readonly giveUp: () => MaybePromise<T>;
}

/** A job that ends at once within this time does not count: thousands of them are no reason to wait. */
const QUICK_MS = 1;

/**
 * @param maxStarts Jobs that start in one turn of the event loop, where they take long or give a promise: whatever else has
 * come is served in between.
 * @param maxPending Jobs whose promise is not settled. Default: as many as start in one turn.
 */
export function createJobQueue(maxStarts: number, maxWaiting: number, maxPending = maxStarts): JobQueue {
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
    waiting: () => waiting.size,
    isFull: () => !canStart() && waiting.size >= maxWaiting,
    run(job, patience) {
      // One that comes now, just when another one has ended, must not overtake those that wait for the next turn.
      if (waiting.size === 0 && canStart()) return start(job);
      return new Promise((resolve) => {
        const startJob = (): void => {
          clearTimeout(timer);
          resolve(start(job));
        };
        const giveUp = (): void => {
          // Those that wait for the processor alone have their turn soon.
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
