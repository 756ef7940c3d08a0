// A process that appends records and takes units is killed with SIGKILL: what it has acknowledged is on the disk.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { AccountId, CalendarDate } from "../../core/mod.ts";
import { newDirectory, openAt, startStoreChild } from "../support/json_files_fixtures.ts";
import { createRandom, SEED } from "../support/seeded_random.ts";
import { runs } from "../support/suite_size.ts";
import { printCounts } from "./random_trial.ts";

const DAY = "2026-11-21" as CalendarDate;

for (const limit of [50, 100_000]) {
  test(`kills: after SIGKILL at any moment every restart is clean, nothing acknowledged is lost, and no unit is served beyond the limit: ${limit}`, async (t) => {
    const random = createRandom(SEED);
    const directory = await newDirectory();
    let [records, units] = [0, 0];
    for (let kills = 0; kills < runs(10); kills++) {
      const child = startStoreChild("write", directory, String(limit), String(records));
      for (let left = 1 + random.below(200); left > 0; left--) await child.nextMessage();
      await child.end();
      // Each line is acknowledged: those that were on their way count as well.
      const printed = child.out().split("\n").slice(0, -1);
      units += printed.filter((line) => line === "granted").length;
      const acknowledged = Math.max(records, ...printed.filter((line) => /^\d/.test(line)).map(Number));

      const store = await openAt(directory);
      const values = [...store.observations.records()].map(({ value }) => value);
      const used = await store.quota.used("alice" as AccountId, DAY);
      assert.deepEqual([store.damages, values], [[], values.map((_, i) => i + 1)]);
      assert.ok(values.length >= acknowledged, `${acknowledged} records acknowledged, ${values.length} are there`);
      assert.ok(units <= used && used <= limit, `${units} units granted, ${used} of ${limit} counted`);
      await store.close();
      records = values.length;
    }
    printCounts(t, { records, units });
  });
}
