import assert from "node:assert/strict";
import { test } from "node:test";
import { newDirectory } from "../support/store_suite_files.ts";
import { bundle, callInThread } from "./bundle.ts";
import type { Seed } from "./bundle.ts";
import type { FailingCall } from "./failures.ts";
import { mountable } from "./mounts.ts";
import { SEEDED_BUGS } from "./seeded_bugs.ts";
import type { Harness } from "./seeded_bugs.ts";
import { SEED, tell } from "./scale.ts";

interface Found {
  readonly violations: readonly string[];
}

/** How each harness is run here: enough rounds for the bug to show, and none after that. */
const HARNESSES: Readonly<Record<Harness, (seeds: readonly Seed[], shownBy?: FailingCall) => Promise<Found>>> = {
  crashes: (seeds) => run("test/faults/crashes.ts", "exploreCrashes", seeds, { states: 9_000 }),
  failures: (seeds, first) => run("test/faults/failures.ts", "failEachCall", seeds, { scripts: 2, ...(first && { first }) }),
  mutations: (seeds) => run("test/faults/mutations.ts", "mutateLogs", seeds, { mutations: 2_000 }),
  kills: async (seeds) => run("test/faults/kills.ts", "killServer", [], { kills: 25, program: await bundle("adapters/cli/main.ts", seeds) }),
  lock: async (seeds) => run("test/faults/lock_rounds.ts", "contend", [], { rounds: 40, program: await bundle("test/faults/lock_child.ts", seeds) }),
  "disk fills": (seeds) => run("test/faults/disk_fills.ts", "fillDisks", seeds, { sizes: 50 }),
  "power cuts": async (seeds) => run("test/faults/power_cuts.ts", "cutPower", [], { cuts: 5, program: await bundle("test/faults/power_child.ts", seeds) }),
  "quota races": (seeds) => run("test/faults/quota_races.ts", "raceForUnits", seeds, { races: 20 }),
  "key compare": (seeds) => run("test/faults/key_compare.ts", "countLooks", seeds, {}),
  clock: (seeds) => run("test/faults/clock_jumps.ts", "jump", seeds, { jumps: 100, zone: "Asia/Tehran", moments: ["2026-11-21T10:00:00Z"] }),
};

async function run(entry: string, name: string, seeds: readonly Seed[], args: object): Promise<Found> {
  const path = await bundle(entry, seeds);
  try {
    return await callInThread<object, Found>(path, name, { ...args, seed: SEED, enough: 1, directory: await newDirectory() });
  } catch (error) {
    return { violations: [String(error)] };
  }
}

for (const { name, found, seeds, shownBy } of SEEDED_BUGS) {
  const skip = found === "power cuts" ? await mountable("ext4") : false;
  test(`negative: ${name}: found by ${found}`, { skip }, async (t) => {
    const { violations } = await HARNESSES[found](seeds, shownBy);
    tell(t, { "first finding": violations[0]?.slice(0, 160) ?? "none" });
    assert.ok(violations.length > 0, "the harness does not see the bug");
  });
}
