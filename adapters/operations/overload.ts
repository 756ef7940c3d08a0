import type { Watcher } from "../store/watcher.ts";

const MAX_DELAY_MS = 250;
/** A single pause, such as a long garbage collection, is over before anybody reads of it. */
const LATE_SWEEPS = 2;

/** Watches for more work than the server can do. `delayMs` tells how late the event loop was when it was last measured. */
export function watchDelay(delayMs: () => number): Watcher {
  let late = 0;
  return {
    async sweep() {
      late = delayMs() > MAX_DELAY_MS ? late + 1 : 0;
    },
    troubles: () => (late >= LATE_SWEEPS ? [{ code: "overloaded", message: `There is more work than the server can do: events wait for more than ${MAX_DELAY_MS} ms` }] : []),
  };
}
