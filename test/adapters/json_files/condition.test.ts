import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { TestContext } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { nodeFileSystem, openJsonFiles } from "../../../adapters/json_files/mod.ts";
import type { FileSystem } from "../../../adapters/json_files/mod.ts";
import { systemClock } from "../../../adapters/system.ts";
import type { AccountId, AssetCode, CalendarDate, Observation, UtcMillis } from "../../../core/mod.ts";

const FULL = Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });

/** A file system whose writes to logs fail while `isFull`. */
function fillable(): { fs: FileSystem; state: { isFull: boolean; syncFails: boolean } } {
  const state = { isFull: false, syncFails: false };
  const fs: FileSystem = {
    ...nodeFileSystem,
    async open(path, mode) {
      const file = await nodeFileSystem.open(path, mode);
      const refuse = async (): Promise<never> => Promise.reject(FULL);
      return new Proxy(file, {
        get(target, name: keyof typeof file) {
          if (name === "write" && state.isFull) return refuse;
          if (name === "datasync" && state.syncFails) return refuse;
          const value = target[name];
          return typeof value === "function" ? value.bind(target) : value;
        },
      });
    },
  };
  return { fs, state };
}

async function directoryOf(t: TestContext): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "mazaneh-condition-"));
  t.after(() => rm(path, { recursive: true, force: true }));
  return path;
}

function record(minute: number): Observation {
  const businessTime = Date.UTC(2026, 0, 1, 0, minute) as UtcMillis;
  const rest = { sourceTime: null, insertTime: businessTime, provider: null, qualityStatus: "ACCEPTED", qualityMessage: "" } as const;
  return { code: "USD_RLS" as AssetCode, value: 1, businessTime, ...rest };
}

test("a store says that writes fail from the first refused one until one succeeds, and counts its syncs", async (t) => {
  const { fs, state } = fillable();
  let now = 1_000;
  t.mock.method(performance, "now", () => now);
  const store = await openJsonFiles(await directoryOf(t), { clock: systemClock, fs });
  t.after(() => store.close());
  await store.observations.append([record(1)]);
  const { problem, syncs } = store.condition();
  assert.equal(problem, undefined);
  assert.ok(syncs >= 1, String(syncs));

  state.isFull = true;
  await assert.rejects(store.observations.append([record(2)]), /takes no more data/);
  const refused = store.condition().problem;
  assert.deepEqual([refused?.kind, refused?.message], ["writes-failing", `The disk takes no more data: ${FULL.message}`]);
  await assert.rejects(store.observations.append([record(2)]), /just now/);
  assert.equal(store.condition().problem, refused, "what was not tried is no news");
  now += 5_001;
  await assert.rejects(store.observations.append([record(2)]), /takes no more data/);
  assert.notEqual(store.condition().problem, refused);

  state.isFull = false;
  now += 5_001;
  await store.observations.append([record(2)]);
  assert.equal(store.condition().problem, undefined);
});

test("a day of counters that is closed says no more that its writes fail", async (t) => {
  const { fs, state } = fillable();
  let now = 1_000;
  t.mock.method(performance, "now", () => now);
  const store = await openJsonFiles(await directoryOf(t), { clock: systemClock, fs });
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
  for (let tries = 0; tries < 100 && store.condition().problem; tries++) await delay(10);
  assert.equal(store.condition().problem, undefined);
});

test("a store whose sync has failed says that it has failed, for good", async (t) => {
  const { fs, state } = fillable();
  const store = await openJsonFiles(await directoryOf(t), { clock: systemClock, fs });
  t.after(() => store.close());
  await store.observations.append([record(1)]);
  state.syncFails = true;
  await assert.rejects(store.observations.append([record(2)]));
  state.syncFails = false;
  await assert.rejects(store.observations.append([record(2)]));
  const { problem } = store.condition();
  assert.deepEqual([problem?.kind, problem?.message], ["failed", `The store has failed: ${FULL.message}`]);
});
