import { isLater } from "../../core/internal.ts";
import type { MaybePromise } from "../../core/mod.ts";

/** Runs a few jobs at a time; further ones wait, in order. */
export interface JobQueue {
  /** Whether another job would be one too many to wait. */
  isFull(): boolean;
  /** Runs a job, at once if it is its turn. */
  run<T>(job: () => MaybePromise<T>): MaybePromise<T>;
}

/** @param maxRunning Jobs at a time, and in one turn of the event loop: whatever else has come is served in between. */
export function createJobQueue(maxRunning: number, maxWaiting: number): JobQueue {
  const waiting: (() => void)[] = [];
  let running = 0;
  let ended = 0;

  function start<T>(job: () => MaybePromise<T>): MaybePromise<T> {
    running++;
    const result = job();
    if (isLater(result)) result.then(end, end);
    else end();
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
    isFull: () => running >= maxRunning && waiting.length >= maxWaiting,
    run(job) {
      if (running < maxRunning) return start(job);
      return new Promise((resolve) => waiting.push(() => resolve(start(job))));
    },
  };
}
