/** Finds out whether the event loop is too slow for more work than it has. */
export interface EventLoopGuard {
  /** Takes a measurement; to be called about once a second. */
  sweep(): void;
  isLate(): boolean;
  /** Milliseconds of the last measurement. */
  delayMs(): number;
}

const MAX_TURN_MS = 250;

/**
 * Measures how long the event loop takes to come round to an event. It is late when that was more than 250 ms
 * twice in a row: a single pause, such as a long garbage collection, is over before anything could be done about it.
 */
export function createEventLoopGuard(): EventLoopGuard {
  let wasLate = false;
  let isLate = false;
  let delayMs = 0;

  function judge(turnMs: number): void {
    delayMs = turnMs;
    isLate = wasLate && turnMs > MAX_TURN_MS;
    wasLate = turnMs > MAX_TURN_MS;
  }

  return {
    sweep() {
      const start = performance.now();
      // The first ends this turn of the loop, the second a whole one.
      setImmediate(() => setImmediate(() => judge(performance.now() - start)));
    },
    isLate: () => isLate,
    delayMs: () => delayMs,
  };
}
