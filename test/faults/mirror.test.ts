import assert from "node:assert/strict";
import { test } from "node:test";
import { killMirror } from "../support/mirror_kills.ts";
import { createRandom, SEED } from "../support/seeded_random.ts";
import { runs } from "../support/suite_size.ts";
import { printCounts } from "./random_trial.ts";

test("mirror: after SIGKILL at any moment the upstream has never counted more than the ledger, and in the end the records are the upstream's", async (t) => {
  const { violations, ...counts } = await killMirror(t, runs(5), createRandom(SEED).next);
  assert.deepEqual(violations, []);
  printCounts(t, { ...counts, violations: 0 });
});
