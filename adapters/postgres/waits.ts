/** Waiting with an end: nothing of it outlives `end`. */
export interface Waits {
  /** Waits some milliseconds, or until `wake`. */
  sleep(ms: number): Promise<void>;
  /** Ends the sleep under way. */
  wake(): void;
  /** What a promise gives, or a rejection when that takes longer; then `late` gets the value that came too late. */
  inTime<T>(ms: number, promise: Promise<T>, late?: (value: T) => unknown): Promise<T>;
  /** Ends all that is waited for, and what will be. */
  end(): void;
}

/** Makes waits for one who waits for one thing at a time. */
export function createWaits(): Waits {
  let hasEnded = false;
  let wake = (): void => {};
  let giveUp = (): void => {};

  return {
    sleep: (ms) =>
      new Promise((resolve) => {
        if (hasEnded || ms <= 0) return resolve();
        const timer = setTimeout(resolve, ms);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      }),
    wake: () => wake(),
    inTime: (ms, promise, late) =>
      new Promise((resolve, reject) => {
        let isLate = hasEnded;
        giveUp = () => {
          clearTimeout(timer);
          isLate = true;
          reject(new Error("There was no answer in time"));
        };
        const timer = setTimeout(giveUp, ms);
        if (hasEnded) giveUp();
        const settle = (then: () => void): void => {
          clearTimeout(timer);
          then();
        };
        promise.then((value) => (isLate ? late?.(value) : settle(() => resolve(value))), (error: unknown) => settle(() => reject(error)));
      }),
    end() {
      hasEnded = true;
      wake();
      giveUp();
    },
  };
}
