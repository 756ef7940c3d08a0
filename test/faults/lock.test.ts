import assert from "node:assert/strict";
import { test } from "node:test";
import { newDirectory } from "../support/store_suite_files.ts";
import { bundle, callInThread } from "./bundle.ts";
import type { Contended, LockTrial } from "./lock_rounds.ts";
import { SEED, rounds, tell } from "./scale.ts";

test("lock: of eight processes that take a directory at once exactly one gets it, also when the last holder was killed", async (t) => {
  const [program, path] = await Promise.all([bundle("test/faults/lock_child.ts"), bundle("test/faults/lock_rounds.ts")]);
  const args: LockTrial = { program, directory: await newDirectory(), seed: SEED, rounds: rounds(40) };
  const { violations, ...counts } = await callInThread<LockTrial, Contended>(path, "contend", args);
  tell(t, { ...counts, violations: violations.length });
  assert.deepEqual(violations, []);
});
