import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";

/** The time that a busy machine may need for something that usually takes milliseconds. */
const PATIENCE_MS = 60_000;

/** Waits until a condition holds. `what` names the condition in the error; by default its source does. */
export async function until(what: string | (() => unknown), holds = what as () => unknown, everyMs = 2): Promise<void> {
  for (const end = performance.now() + PATIENCE_MS; !(await holds()); await delay(everyMs))
    assert.ok(performance.now() < end, `did not happen within ${PATIENCE_MS} ms: ${String(what)}`);
}
