import assert from "node:assert/strict";
import { test } from "node:test";
import { newDirectory } from "../support/store_suite_files.ts";
import { bundle, callInThread } from "./bundle.ts";
import type { MutationTrial, MutationsTried } from "./mutations.ts";
import { SEED, rounds, tell } from "./scale.ts";

test("mutations: a damaged log never crashes the store or serves a wrong value; what is kept and what is quarantined make up what was found", async (t) => {
  const path = await bundle("test/faults/mutations.ts");
  const args: MutationTrial = { directory: await newDirectory(), seed: SEED, mutations: rounds(2_000) };
  const { violations, ...counts } = await callInThread<MutationTrial, MutationsTried>(path, "mutateLogs", args);
  tell(t, { ...counts, violations: violations.length });
  assert.deepEqual(violations, []);
  assert.ok(counts.opened > counts.refused, "most damage does not keep the store shut");
});
