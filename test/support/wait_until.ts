import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";

/** The maximum time to wait. A busy machine may need minutes for something that usually takes a second. */
const PATIENCE_MS = 300_000;

/** Waits until a condition holds. `what` is the condition, or its name for the error message. */
export async function until(what: string | (() => unknown), holds = what as () => unknown, everyMs = 2): Promise<void> {
  for (const end = performance.now() + PATIENCE_MS; !(await holds()); await delay(everyMs))
    assert.ok(performance.now() < end, `did not happen within ${PATIENCE_MS} ms: ${String(what)}`);
}
