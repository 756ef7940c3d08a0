import { isLater } from "../../core/internal.ts";
import type { MaybePromise } from "../../core/mod.ts";

/** Runs a few jobs at a time; further ones wait, in order. */
export interface JobQueue {
  /** Whether another job would be one too many to wait. */
  isFull(): boolean;
  /** Jobs that wait. */
  waiting(): number;
  /** Runs a job, at once if it is its turn. */
  run<T>(job: () => MaybePromise<T>): MaybePromise<T>;
}

/** A job that ends at once within this time does not count: thousands of them are no reason to wait. */
const QUICK_MS = 1;

/**
 * @param maxRunning Jobs at a time. Of those that take long as many run in one turn of the event loop: whatever else has come
 * is served in between.
 */
export function createJobQueue(maxRunning: number, maxWaiting: number): JobQueue {
  const waiting: (() => void)[] = [];
  let running = 0;
  let ended = 0;

  function start<T>(job: () => MaybePromise<T>): MaybePromise<T> {
    const startedAt = performance.now();
    running++;
    const result = job();
    if (isLater(result)) result.then(end, end);
    else if (performance.now() - startedAt > QUICK_MS) end();
    else running--;
    return result;
  }

  function end(): void {
    if (ended++ === 0) setImmediate(startNext);
  }

  function startNext(): void {
    running -= ended;
    ended = 0;
    while (running < maxRunning && waiting.length > 0) waiting.shift()!();
  }

  return {
    waiting: () => waiting.length,
    isFull: () => running >= maxRunning && waiting.length >= maxWaiting,
    run(job) {
      if (running < maxRunning) return start(job);
      return new Promise((resolve) => waiting.push(() => resolve(start(job))));
    },
  };
}
