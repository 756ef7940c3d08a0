/** How long a request waits for PostgreSQL or Redis, in milliseconds. Commands not sent by then are dropped. */
export const ANSWER_MS = 2_000;

/** Settles like `answer` or, after `ms` milliseconds, like `late`; a later answer is dropped. */
export function inTime<T>(answer: Promise<T>, ms: number, late: () => T): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(Promise.resolve().then(late)), ms);
    // In Node, the timer is an object that would keep an otherwise finished process alive.
    timer.unref?.();
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
