import assert from "node:assert/strict";
import { test } from "node:test";
import { newDirectory } from "../support/store_suite_files.ts";
import { bundle, callInThread } from "./bundle.ts";
import type { FailureTrial, FailuresTried } from "./failures.ts";
import { SEED, rounds, tell } from "./scale.ts";

test("failing calls: whichever call to the file system fails, nothing acknowledged is lost and nothing half-done is kept", async (t) => {
  const path = await bundle("test/faults/failures.ts");
  const args: FailureTrial = { directory: await newDirectory(), seed: SEED, scripts: rounds(2) };
  const { violations, ...counts } = await callInThread<FailureTrial, FailuresTried>(path, "failEachCall", args);
  tell(t, { ...counts, violations: violations.length });
  assert.deepEqual(violations, []);
});
