// Imports files with known prices in random dialects. MAZANEH_SEED is the seed of the dialects.
import assert from "node:assert/strict";
import { test } from "node:test";
import { printCounts } from "../../faults/random_trial.ts";
import { temporaryDirectory } from "../../support/cli.ts";
import { SEED } from "../../support/seeded_random.ts";
import { runs } from "../../support/suite_size.ts";
import { importFiles } from "./import_files.ts";

test("generated files: all stored values are right, and about three of ten files need no answers", async (t) => {
  const count = runs(20, 100);
  const { counts, faults } = await importFiles(await temporaryDirectory(t), { seed: SEED, count });
  printCounts(t, counts);
  assert.equal(faults.length, 0, `seed ${SEED}\n${faults.join("\n\n")}`);
  // Small samples vary.
  assert.ok(counts["at once"]! >= 0.3 * count - 5, `${counts["at once"]} of ${count}`);
});
