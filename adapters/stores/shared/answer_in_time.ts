/** How long a request waits for PostgreSQL or Redis, in milliseconds. Commands not sent by then are dropped. */
export const ANSWER_MS = 2_000;

/** Settles like `answer` or, if `answer` is still pending after `ms` milliseconds, like the result of `late`. */
export function inTime<T>(answer: Promise<T>, ms: number, late: () => T): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(Promise.resolve().then(late)), ms);
    // In Node, a timer keeps the process alive unless `unref` is called.
    timer.unref?.();
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
