import assert from "node:assert/strict";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import type { JsonFileStore } from "../../adapters/json_files/mod.ts";
import type { UtcMillis } from "../../core/brand.ts";
import { DAY_MS } from "../../core/time/durations.ts";
import { observed } from "../support/store_suite.ts";
import { NOW, newDirectory, openAt } from "../support/store_suite_files.ts";
import { tell } from "./trial.ts";

const NIGHTS = 365;
/** A server is started anew after so many nights; a nightly command without a server is one every night. */
const NIGHTS_OPEN = 5;
const RECORDS = 2_000;
/** A log of this test counts as large, as one of a million records does with files of the usual size. */
const options = { segmentBytes: RECORDS * 64 };

/** Imports all records in batches, a share of them with another value than the night before. */
async function importAll({ observations }: JsonFileStore, night: number, changed: number): Promise<void> {
  const insertTime = (NOW + night * DAY_MS) as UtcMillis;
  const records = Array.from({ length: RECORDS }, (_, i) => {
    // Each night the next ones are changed, and stay so.
    const changes = Math.floor((night * changed + RECORDS - 1 - i) / RECORDS);
    return observed(i, 1_000 + i + changes / 8, { insertTime, provider: "OURS" });
  });
  for (let from = 0; from < RECORDS; from += 2_000) await observations.append(records.slice(from, from + 2_000));
}

async function bytesIn(directory: string): Promise<number> {
  const names = await readdir(join(directory, "obs"));
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(directory, "obs", name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

for (const [rule, share] of [["the same", 0], ["one in a hundred changed", 0.01]] as const) {
  test(`year: ${NIGHTS} nightly imports of the same records, ${rule}, leave the disk within 1.2 of one import`, async (t) => {
    const directory = await newDirectory();
    const changed = Math.round(RECORDS * share);
    let store = await openAt(directory, options);
    await importAll(store, 0, changed);
    const once = await bytesIn(directory);
    let most = once;
    for (let night = 1; night <= NIGHTS; night++) {
      await importAll(store, night, changed);
      if (night % NIGHTS_OPEN > 0) continue;
      await store.close(); // Waits for a compaction.
      most = Math.max(most, await bytesIn(directory));
      store = await openAt(directory, options);
    }
    const before = [...store.observations.records()];
    await store.close();
    const after = await bytesIn(directory);
    tell(t, { records: RECORDS, "bytes of one import": once, "most in the year": most, "after the year": after });
    assert.ok(after <= 1.2 * once, `${after} of ${once}`);
    assert.ok(most <= 1.3 * once, `${most} of ${once}`);
    store = await openAt(directory, options);
    assert.deepEqual([...store.observations.records()], before);
    await store.close();
  });
}
