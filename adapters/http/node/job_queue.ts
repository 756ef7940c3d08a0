import { isLater } from "../../../core/internal.ts";
import type { MaybePromise } from "../../../core/mod.ts";

/** How long a job may wait for its turn, and the function that runs in its place if it waits longer. */
type Patience<T> = { readonly ms: number; readonly giveUp: () => MaybePromise<T> };

/** Synchronous jobs that take less time than this do not count as starts, because they hardly delay other jobs. */
const QUICK_MS = 1;

/**
 * Makes a queue that runs a few jobs at a time. Of the waiting jobs, one of each client runs in turn.
 *
 * @param maxStarts The number of jobs, not counting quick ones, that may start in one turn of the event loop.
 * @param maxPending The maximum number of jobs with unsettled promises. Default: `maxStarts`.
 */
export function createJobQueue(maxStarts: number, maxWaiting: number, maxPending = maxStarts) {
  /** By client. The first client is the next one. */
  const waiting = new Map<string, Set<() => void>>();
  let size = 0;
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
    for (const [client, [startJob]] of waiting) {
      if (!canStart()) return;
      const rest = remove(client, startJob!);
      waiting.delete(client);
      if (rest.size > 0) waiting.set(client, rest); // A loop over a map also visits what is added at its end.
      startJob!();
    }
  }

  /** Removes a waiting job; returns the other jobs of its client. */
  function remove(client: string, startJob: () => void): Set<() => void> {
    const jobs = waiting.get(client)!;
    if (jobs.delete(startJob)) size--;
    if (jobs.size === 0) waiting.delete(client);
    return jobs;
  }

  return {
    /** The number of waiting jobs. */
    waiting: () => size,
    /** Whether no further job of a client may wait. If the client has none, its first job may exceed `maxWaiting`. */
    isFull: (client = "") => !canStart() && size >= maxWaiting && (waiting.has(client) || size >= 2 * maxWaiting),
    /** Runs a job when it is its turn. Gives up a job that has waited too long for the promises of other jobs. */
    run<T>(job: () => MaybePromise<T>, patience?: Patience<T>, client = ""): MaybePromise<T> {
      // A new job must not overtake jobs that wait for the next turn.
      if (size === 0 && canStart()) return start(job);
      return new Promise((resolve) => {
        const startJob = (): void => {
          clearTimeout(timer);
          resolve(start(job));
        };
        const giveUp = (): void => {
          // A job is not given up while it waits only for the processor, because its turn comes soon.
          if (pending < maxPending) return;
          remove(client, startJob);
          resolve(patience!.giveUp());
        };
        const timer = patience && setTimeout(giveUp, patience.ms);
        const jobs = waiting.get(client) ?? new Set();
        waiting.set(client, jobs.add(startJob));
        size++;
      });
    },
  };
}
