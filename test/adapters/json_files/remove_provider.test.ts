import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { openJsonFiles } from "../../../adapters/json_files/mod.ts";
import { systemClock } from "../../../adapters/system.ts";
import { ASSETS } from "../../../core/mod.ts";
import type { Observation, UtcMillis } from "../../../core/mod.ts";

const { code } = ASSETS[0]!;

function record(at: number, provider: string | null): Observation {
  const businessTime = (1_700_000_000_000 + at * 60_000) as UtcMillis;
  return { code, value: at + 1, businessTime, sourceTime: null, insertTime: businessTime, provider, qualityStatus: at % 3 === 0 ? "PENDING" : "ACCEPTED", qualityMessage: "" };
}

test("removal of a provider: takes all its records, whatever their status, and no record that replaces one meanwhile", async (t) => {
  const directory = mkdtempSync(join(tmpdir(), "mazaneh-provider-"));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  const store = await openJsonFiles(directory, { clock: systemClock });
  const records = Array.from({ length: 7_000 }, (_, at) => record(at, at === 5 ? null : "SAMPLE"));
  for (let start = 0; start < records.length; start += 2_000) await store.observations.append(records.slice(start, start + 2_000));
  const removing = store.access.removeProvider("SAMPLE");
  const own = record(6_999, "desk");
  await store.observations.append([own]);
  assert.equal(await removing, 6_998);
  assert.equal(await store.access.removeProvider("SAMPLE"), 0);
  await store.close();

  const again = await openJsonFiles(directory, { clock: systemClock });
  assert.deepEqual([...again.observations.records()].map(({ value, provider }) => [value, provider]), [[6, null], [7_000, "desk"]]);
  await again.close();
});
