import assert from "node:assert/strict";
import { test } from "node:test";
import { newDirectory } from "../support/store_suite_files.ts";
import { bundle, callInThread } from "./bundle.ts";
import { mountable } from "./mounts.ts";
import type { PowerCut, PowerTrial } from "./power_cuts.ts";
import { SEED, rounds, tell } from "./scale.ts";

test("power cut: what was acknowledged is on the device, ext4", { skip: await mountable("ext4") }, async (t) => {
  const [program, path] = await Promise.all([bundle("test/faults/power_child.ts"), bundle("test/faults/power_cuts.ts")]);
  const args: PowerTrial = { program, directory: await newDirectory(), seed: SEED, cuts: rounds(5) };
  const { violations, ...counts } = await callInThread<PowerTrial, PowerCut>(path, "cutPower", args);
  tell(t, { ...counts, violations: violations.length });
  assert.deepEqual(violations, []);
});
