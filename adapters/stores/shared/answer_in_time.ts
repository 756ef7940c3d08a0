/** How long a request waits for an answer of PostgreSQL or Redis, in milliseconds. What has not been sent by then is not sent any more. */
export const ANSWER_MS = 2_000;

/** What an answer resolves to, or what `late` gives or throws where there is none within so many milliseconds; what comes later is dropped. */
export function inTime<T>(answer: Promise<T>, ms: number, late: () => T): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      try {
        resolve(late());
      } catch (error) {
        reject(error);
      }
    }, ms);
    // Where timers are objects, they would keep a process alive that has nothing else to do.
    timer.unref?.();
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
