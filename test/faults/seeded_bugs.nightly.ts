// Plants one bug at a time, and checks that its harness finds it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { HARNESSES, type Harness, run } from "./harnesses.ts";
import { printCounts } from "./random_trial.ts";
import { SEEDED_BUGS } from "./seeded_bugs.ts";

for (const bug of SEEDED_BUGS) {
  const harness: Harness = HARNESSES[bug.found as keyof typeof HARNESSES];
  test(`seeded bug: ${bug.name}: found by ${bug.found}`, async (t) => {
    const trial = run(harness, harness.rounds[1], { bug, enough: 1 });
    const { violations } = await trial.catch((error: unknown) => ({ violations: [String(error)] }));
    printCounts(t, { "first finding": violations[0]?.slice(0, 160) ?? "none" });
    assert.notEqual(violations.length, 0, "the harness does not find the bug");
  });
}
