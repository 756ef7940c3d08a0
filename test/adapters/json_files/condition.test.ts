import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonFileStore } from "../../../adapters/json_files/mod.ts";
import type { AccountId, CalendarDate } from "../../../core/mod.ts";
import { observed } from "../../support/store_suite.ts";
import { faultyFileSystem, newDirectory, openAt, systemError } from "../../support/store_suite_files.ts";
import { until } from "../../support/until.ts";

/** A store whose writes fail while `isFull`. */
async function fillable(): Promise<{ store: JsonFileStore; state: { isFull: boolean } }> {
  const state = { isFull: false };
  const fs = faultyFileSystem((call) => {
    if (call === "write" && state.isFull) throw systemError("ENOSPC");
  });
  return { store: await openAt(await newDirectory(), { fs }), state };
}

test("a store says that writes fail from the first refused one until one succeeds, and counts its syncs", async (t) => {
  const { store, state } = await fillable();
  let now = performance.now();
  t.mock.method(performance, "now", () => now);
  t.after(() => store.close());
  await store.observations.append([observed(1, 1)]);
  const { problem, syncs } = store.condition();
  assert.equal(problem, undefined);
  assert.ok(syncs >= 1, String(syncs));

  state.isFull = true;
  await assert.rejects(store.observations.append([observed(2, 1)]), /takes no more data/);
  const refused = store.condition().problem;
  assert.deepEqual([refused?.kind, refused?.message], ["writes-failing", `The disk takes no more data: ${systemError("ENOSPC").message}`]);
  await assert.rejects(store.observations.append([observed(2, 1)]), /just now/);
  assert.equal(store.condition().problem, refused, "what was not tried is no news");
  now += 5_001;
  await assert.rejects(store.observations.append([observed(2, 1)]), /takes no more data/);
  assert.notEqual(store.condition().problem, refused);

  state.isFull = false;
  now += 5_001;
  await store.observations.append([observed(2, 1)]);
  assert.equal(store.condition().problem, undefined);
});

test("a day of counters that is closed says no more that its writes fail", async (t) => {
  const { store, state } = await fillable();
  let now = performance.now();
  t.mock.method(performance, "now", () => now);
  t.after(() => store.close());
  const alice = "alice" as AccountId;
  const take = async (day: string): Promise<unknown> => store.quota.take(alice, day as CalendarDate, 10);
  await take("2026-01-01");
  state.isFull = true;
  await assert.rejects(take("2026-01-01"), /takes no more data/);
  assert.equal(store.condition().problem?.kind, "writes-failing");
  state.isFull = false;
  now += 5_001;
  for (const day of ["2026-01-02", "2026-01-03"]) await take(day);
  assert.equal(store.condition().problem?.kind, "writes-failing", "nothing was written to the first day since");
  await take("2026-01-04");
  // The oldest of four days is closed in the background.
  t.mock.restoreAll();
  await until("a day that is closed", () => store.condition().problem === undefined);
});
