import assert from "node:assert/strict";
import { test } from "node:test";
import { newDirectory } from "../support/store_suite_files.ts";
import { bundle, callInThread } from "./bundle.ts";
import type { KillTrial, Killed } from "./kills.ts";
import { SEED, rounds, tell } from "./scale.ts";

/** Kills after which the next ones get a new directory: a long log would make the starts slow. */
const KILLS_EACH = 100;

test("kill: after SIGKILL at any moment every restart is clean, nothing acknowledged is lost, and no unit is served beyond the limit", async (t) => {
  const [program, path] = await Promise.all([bundle("adapters/cli/main.ts"), bundle("test/faults/kills.ts")]);
  const total = { kills: 0, killsWhileStarting: 0, stops: 0, records: 0, units: 0, refusedUnits: 0, keys: 0 };
  for (let left = rounds(100), i = 0; left > 0; left -= KILLS_EACH, i++) {
    const args: KillTrial = { program, directory: await newDirectory(), seed: SEED * 1_000 + i, kills: Math.min(left, KILLS_EACH) };
    const { violations, ...counts } = await callInThread<KillTrial, Killed>(path, "killServer", args);
    for (const name of Object.keys(total) as (keyof typeof total)[]) total[name] += counts[name];
    assert.deepEqual(violations, [], `directory ${i}`);
  }
  tell(t, { ...total, violations: 0 });
});
