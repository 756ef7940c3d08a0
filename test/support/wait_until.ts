import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";

/** So long a busy machine may take for what takes milliseconds. */
const PATIENCE_MS = 60_000;

/** Waits until something holds that comes by itself. `what` names it if it does not come; a condition alone is named by its source. */
export async function until(what: string | (() => unknown), holds = what as () => unknown, everyMs = 2): Promise<void> {
  for (const end = performance.now() + PATIENCE_MS; !(await holds()); await delay(everyMs))
    assert.ok(performance.now() < end, `not within ${PATIENCE_MS} ms: ${String(what)}`);
}
