import assert from "node:assert/strict";
import { test } from "node:test";
import { IS_NIGHTLY, runs } from "../support/suite_size.ts";
import { HARNESSES, type Harness, run } from "./harnesses.ts";
import { printCounts } from "./random_trial.ts";

for (const [name, harness] of Object.entries<Harness>(HARNESSES)) {
  const [small, , nightly = runs(small)] = harness.rounds;
  test(`${name}: ${harness.rule}`, async (t) => {
    const { violations, ...counts } = await run(harness, IS_NIGHTLY ? nightly : runs(small));
    printCounts(t, counts);
    assert.deepEqual(violations, []);
  });
}
