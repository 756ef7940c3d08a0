// Imports files with known prices in random dialects. MAZANEH_SEED is the seed of the dialects.
import assert from "node:assert/strict";
import { test } from "node:test";
import { printCounts } from "../../faults/random_trial.ts";
import { temporaryDirectory } from "../../support/cli.ts";
import { SEED } from "../../support/seeded_random.ts";
import { importFiles } from "./import_files.ts";

test("generated files: of 100 files, all stored values are right, and at least one in five files needs no answers", async (t) => {
  const { counts, faults } = await importFiles(await temporaryDirectory(t), { seed: SEED, count: 100 });
  printCounts(t, counts);
  assert.equal(faults.length, 0, `seed ${SEED}\n${faults.join("\n\n")}`);
  assert.ok(counts["at once"]! >= 20, `${counts["at once"]} of 100`);
});
