import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { logSeed, seal } from "../../../adapters/stores/json_files/log/sealed_line.ts";
import {
  backupStore,
  type JsonFileStore,
  readJsonFiles,
  repairStore,
  restoreStore,
  verifyStore,
} from "../../../adapters/stores/json_files/mod.ts";
import type { AssetCode, CalendarDate } from "../../../core/branded_types.ts";
import { type ObservationKey, Unavailable } from "../../../core/ports.ts";
import {
  copyOf,
  FIRST_SEGMENT,
  faultyFileSystem,
  linesOf,
  NOW,
  newDirectory,
  openAt,
  systemError,
} from "../../support/json_files_fixtures.ts";
import { observed } from "../../support/store_suite.ts";

function keyAt(minute: number): ObservationKey {
  const { code, businessTime } = observed(minute, 1);
  return { code, businessTime };
}

function valuesOf({ observations }: Pick<JsonFileStore, "observations">): number[] {
  return [...observations.records()].map(({ value }) => value);
}

/** A store that was closed: records 1 to 5, of which 2 and 4 were removed, and 2 came again as 20. */
async function filled(): Promise<string> {
  const directory = await newDirectory();
  const store = await openAt(directory);
  await store.observations.append([1, 2, 3, 4, 5].map((minute) => observed(minute, minute)));
  await store.observations.remove([keyAt(4), keyAt(2)]);
  await store.observations.append([observed(2, 20)]);
  await store.close();
  return directory;
}

test("removal: it is one line of the log, which names the times", async () => {
  const directory = await filled();
  const removal = JSON.parse((await linesOf(join(directory, FIRST_SEGMENT)))[6]!) as Record<string, unknown>;
  const { s, c, rm } = removal;
  assert.deepEqual([s, c, rm], [6, "USD_RLS", [keyAt(2).businessTime, keyAt(4).businessTime]]);
});

test("removal: a reader without the lock, verify and a restored backup know it", async () => {
  const directory = await filled();
  let store = await openAt(directory);
  await store.observations.remove([keyAt(5)]);
  await store.close();
  assert.deepEqual(
    [...(await readJsonFiles(directory)).observations.records()].map(({ value }) => value),
    [1, 20, 3],
  );
  assert.equal((await verifyStore(directory)).state, 0);
  store = await openAt(directory);
  assert.deepEqual(valuesOf(store), [1, 20, 3]);
  const [place, target] = [join(await newDirectory(), "backup"), join(await newDirectory(), "data")];
  await backupStore(directory, place, { now: NOW });
  await store.observations.remove([keyAt(1)]);
  await store.close();
  assert.equal((await verifyStore(place)).state, 0);
  await restoreStore(place, target, { now: NOW, today: "2026-11-21" as CalendarDate, quota: "spent" });
  assert.deepEqual(
    [...(await readJsonFiles(target)).observations.records()].map(({ value }) => value),
    [1, 20, 3],
  );
});

test("removal: a repair of a bad end applies the removals in it, in their order", async () => {
  const directory = await newDirectory();
  const store = await openAt(directory);
  const other = { ...keyAt(9), code: "EUR_RLS" as AssetCode };
  await store.observations.append([observed(1, 1), observed(9, 9, other), observed(3, 3), observed(2, 2)]);
  await store.observations.remove([keyAt(1), other]);
  await store.observations.append([observed(5, 5)]);
  const crashed = await copyOf(directory);
  await store.close();
  // Zeros within the last lines of the first two groups, and a third that stops short: more than a crash leaves.
  const text = await readFile(join(crashed, FIRST_SEGMENT), "latin1");
  await writeFile(
    join(crashed, FIRST_SEGMENT),
    text.replace(/"v":"2"|"c":"EUR_RLS","rm"/g, (found) => "\0".repeat(found.length)).slice(0, -5),
    "latin1",
  );
  await repairStore(crashed, { now: NOW });
  const repaired = await openAt(crashed);
  assert.deepEqual([repaired.damages, valuesOf(repaired)], [[], [3, 9]]);
  await repaired.close();
});

test("removal: a line of it that is not as the program writes it is damage, and takes nothing out", async () => {
  const wrongTimes = ["[2,1]", "[1.5]", '["1"]', "1", "[1e17]"].map((times) => `"c":"USD_RLS","rm":${times}`);
  const wrong = [...wrongTimes, '"c":7,"rm":[1]', '"c":"","rm":[1]'];
  for (const members of wrong) {
    const directory = await filled();
    const path = join(directory, FIRST_SEGMENT);
    const { storeId } = JSON.parse((await linesOf(path))[0]!) as { storeId: string };
    await writeFile(
      path,
      `${await readFile(path, "utf8")}${seal(`{"s":8,"g":1,${members},"e":1`, logSeed(storeId, "obs"))}\n`,
    );
    const { state, files } = await verifyStore(directory);
    assert.deepEqual(
      [state, files.flatMap(({ bad }) => bad.map(({ reason }) => reason))],
      [2, ["not a record"]],
      members,
    );
    const store = await openAt(directory);
    assert.deepEqual(valuesOf(store), [1, 20, 3, 5]);
    await store.close();
  }
});

test("unchanged: a batch in which nothing changes, and a removal of nothing, write and sync nothing", async (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] }); // No heartbeat.
  const directory = await newDirectory();
  const calls: string[] = [];
  const fs = faultyFileSystem((call, path) => void calls.push(`${call} ${path.slice(directory.length)}`));
  const store = await openAt(directory, { fs });
  await store.observations.append([observed(1, 1), observed(2, 2)]);
  calls.length = 0;
  assert.deepEqual(await store.observations.append([observed(2, 2), observed(1, 1, { insertTime: NOW })]), {
    accepted: 0,
    replaced: 0,
    unchanged: 2,
  });
  assert.equal(await store.observations.remove([keyAt(7)]), 0);
  assert.deepEqual(calls, []);
  await store.observations.append([observed(2, 2), observed(3, 3)]);
  await store.close();
  await assert.rejects(store.observations.append([observed(1, 1)]), Unavailable, "a closed store acknowledges nothing");
  await assert.rejects(store.observations.remove([keyAt(7)]), Unavailable);
  assert.equal((await linesOf(join(directory, FIRST_SEGMENT))).length, 1 + 3, "only what is new was written");
});

test("unchanged: a record that is being written is not relied on: when its write fails, the one that comes again is there", async () => {
  const directory = await newDirectory();
  let failing = false;
  const fs = faultyFileSystem((call) => {
    if (failing && call === "write") throw systemError("ENOSPC");
  });
  const store = await openAt(directory, { fs });
  await store.observations.append([observed(1, 1)]);
  failing = true;
  const both = [store.observations.append([observed(2, 2)]), store.observations.append([observed(2, 2)])];
  const outcomes = await Promise.allSettled(both);
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ["rejected", "rejected"],
    "neither is acknowledged",
  );
  await store.close();
});
