// Files of known prices in random dialects. MAZANEH_SEED chooses them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { printCounts } from "../../faults/random_trial.ts";
import { temporaryDirectory } from "../../support/cli.ts";
import { SEED } from "../../support/seeded_random.ts";
import { importFiles } from "./import_files.ts";

test("generated files: of 300, no stored value differs from the known one, and three of ten are stored at once", async (t) => {
  const { counts, faults } = await importFiles(await temporaryDirectory(t), { seed: SEED, count: 300 });
  printCounts(t, counts);
  assert.equal(faults.length, 0, `seed ${SEED}\n${faults.join("\n\n")}`);
  assert.ok(counts["at once"]! >= 90, `${counts["at once"]} of 300`);
});
