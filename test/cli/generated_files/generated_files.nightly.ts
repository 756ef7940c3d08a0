// Imports 10,000 files with known prices, from three seeds. MAZANEH_SEED is the first seed.
import assert from "node:assert/strict";
import { test } from "node:test";
import { printCounts } from "../../faults/random_trial.ts";
import { temporaryDirectory } from "../../support/cli.ts";
import { SEED } from "../../support/seeded_random.ts";
import { importFiles } from "./import_files.ts";

const COUNT = 3_334;

for (const seed of [SEED, SEED + 1, SEED + 2])
  test(`generated files: of 3,334 files, all stored values are right: seed ${seed}`, async (t) => {
    const { counts, faults } = await importFiles(await temporaryDirectory(t), { seed, count: COUNT });
    printCounts(t, counts);
    assert.equal(faults.length, 0, `seed ${seed}\n${faults.join("\n\n")}`);
    assert.ok(counts["at once"]! >= 0.3 * COUNT, `${counts["at once"]} of ${COUNT}`);
  });
