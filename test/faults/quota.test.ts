import assert from "node:assert/strict";
import { test } from "node:test";
import { newDirectory } from "../support/store_suite_files.ts";
import { bundle, callInThread } from "./bundle.ts";
import type { RaceTrial, Raced } from "./quota_races.ts";
import { rounds, tell } from "./scale.ts";

test("quota: of 500 callers for the last 10 units exactly 10 get one", async (t) => {
  const path = await bundle("test/faults/quota_races.ts");
  const args: RaceTrial = { directory: await newDirectory(), races: rounds(100) };
  const { violations, ...counts } = await callInThread<RaceTrial, Raced>(path, "raceForUnits", args);
  tell(t, { ...counts, violations: violations.length });
  assert.deepEqual(violations, []);
});
