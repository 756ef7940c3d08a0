// Applies the rule for feeds to eight years of true records: once day by day, and once month by month from the newest.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createFeedRule } from "../../../adapters/intake/levels/feed_rule.ts";
import { createMemoryStore } from "../../../adapters/stores/memory_store.ts";
import { isPending } from "../../../core/internal.ts";
import type { Observation } from "../../../core/mod.ts";
import { at, DAY, observation } from "../../support/generators.ts";
import { FOLDER, readArchive } from "./archives.ts";

const [SINCE, NOW] = [Date.UTC(2018, 0, 1), Date.UTC(2026, 10, 1)];

/** The true values of each archive that become pending, because they are next to faults of its source. */
const PENDING: Readonly<Record<string, readonly [stream: readonly string[], backfill: readonly string[]]>> = {
  "rial-daily-bonbast": [[], []],
  "rial-daily-tgju": [
    ["AMD_RLS 2021-05-23", "KWD_RLS 2019-01-07", "PKR_RLS 2023-09-26", "PKR_RLS 2023-09-29"],
    ["AMD_RLS 2021-05-22", "KWD_RLS 2019-01-06", "PKR_RLS 2023-09-25", "PKR_RLS 2023-09-28"],
  ],
  "ounce-daily-tgju": [[], []],
  "crypto-daily-tgju": [[], []],
};

/** The records since 2018 in batches, each with the records of one day, or of one month and asset. */
function batchesOf(name: string, isStream: boolean): readonly (readonly Observation[])[] {
  const batches = new Map<string, Observation[]>();
  for (const [code, { times, values }] of readArchive(name)) {
    for (const [row, time] of times.entries()) {
      // On some days, the archive's Iraqi dinar is a thousand times too high.
      if (time < SINCE || (code === "IQD_RLS" && values[row]! > 10_000)) continue;
      const key = isStream ? String(time).padStart(14) : `${new Date(time).toISOString().slice(0, 7)} ${code}`;
      const insertTime = at(isStream ? time + DAY / 24 : NOW);
      const one = observation({ code, value: values[row]!, businessTime: at(time), insertTime });
      (batches.get(key) ?? batches.set(key, []).get(key)!).push(one);
    }
  }
  const sorted = [...batches].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, batch]) => batch);
  return isStream ? sorted : sorted.toReversed();
}

for (const [name, expected] of Object.entries(PENDING)) {
  for (const [i, way] of ["as a stream", "by month, newest first"].entries()) {
    const skip = FOLDER === undefined && "MAZANEH_TEST_DATA is not a folder with archives";
    test(`feed rule: the archive ${name}, sent ${way}: true values are accepted`, { skip }, async () => {
      const { observations } = createMemoryStore();
      const rule = createFeedRule({ store: observations });
      const pending: string[] = [];
      for (const batch of batchesOf(name, i === 0)) {
        const judged = await rule(batch, "mirror");
        observations.append(judged, "mirror");
        const held = judged.filter((one) => isPending(one) && !one.qualityMessage.startsWith("confirm: "));
        pending.push(...held.map((one) => `${one.code} ${new Date(one.businessTime).toISOString().slice(0, 10)}`));
      }
      assert.deepEqual(pending.sort(), expected[i]);
    });
  }
}
