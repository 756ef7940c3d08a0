import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";

/** So long a busy machine may take for what takes milliseconds. */
const PATIENCE_MS = 60_000;

/** Waits until something holds that comes by itself. */
export async function until(what: string, holds: () => unknown, everyMs = 2): Promise<void> {
  for (const end = performance.now() + PATIENCE_MS; !(await holds()); await delay(everyMs))
    assert.ok(performance.now() < end, `not within ${PATIENCE_MS} ms: ${what}`);
}
