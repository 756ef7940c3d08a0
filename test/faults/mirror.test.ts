import assert from "node:assert/strict";
import { test } from "node:test";
import { killMirror } from "../support/mirror_kills.ts";
import { createRandom, SEED } from "../support/seeded_random.ts";
import { runs } from "../support/suite_size.ts";
import { printCounts } from "./random_trial.ts";

test("mirror: after SIGKILL at any moment, the upstream never counts more units than the mirror's ledger, and at the end the mirror has the upstream's records", async (t) => {
  const { violations, ...counts } = await killMirror(t, runs(5), createRandom(SEED).next);
  assert.deepEqual(violations, []);
  printCounts(t, { ...counts, violations: 0 });
});
