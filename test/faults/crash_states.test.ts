import assert from "node:assert/strict";
import { test } from "node:test";
import { newDirectory } from "../support/store_suite_files.ts";
import { bundle, callInThread } from "./bundle.ts";
import type { Exploration, Explored } from "./crashes.ts";
import { SEED, rounds, tell } from "./scale.ts";

test("crash states: whatever a power cut leaves opens without damage, and holds all that was promised", async (t) => {
  const path = await bundle("test/faults/crashes.ts");
  const halves = [2 * SEED, 2 * SEED + 1].map(async (seed) => {
    const args: Exploration = { directory: await newDirectory(), seed, states: rounds(10_000) };
    return callInThread<Exploration, Explored>(path, "exploreCrashes", args);
  });
  const found = await Promise.all(halves);
  const [states, runs] = [found.reduce((sum, half) => sum + half.states, 0), found.reduce((sum, half) => sum + half.runs, 0)];
  const violations = found.flatMap((half) => half.violations);
  tell(t, { states, runs, violations: violations.length });
  assert.deepEqual(violations, []);
});
