import assert from "node:assert/strict";
import { readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { readUsage, repairStore, verifyStore } from "../../../adapters/stores/json_files/mod.ts";
import type { AccountId, CalendarDate, KeyId } from "../../../core/branded_types.ts";
import { Unavailable } from "../../../core/ports.ts";
import { dateOfDayNumber, dayNumber } from "../../../core/time/dates.ts";
import {
  copyOf,
  faultyFileSystem,
  linesOf,
  NOW,
  newDirectory,
  openAt,
  systemError,
} from "../../support/json_files_fixtures.ts";
import { accountWithKey } from "../../support/store_suite.ts";
import { until } from "../../support/wait_until.ts";

const ALICE = "alice" as AccountId;
const DAY = "2026-11-21" as CalendarDate;

test("quota: a crash loses at most half a percent of the limit, and no units if the limit is below 400; all units of a reservation share a sync", async () => {
  for (const [limit, taken, lost, mostSyncs] of [
    [50, 7, 0, 8],
    [399, 100, 0, 101],
    [2_000, 301, 10, 60],
    [100_000, 1_001, 500, 20],
    [10_000_000, 10_001, 5_000, 20],
    [Infinity, 20_000, 5_000, 20],
  ] as const) {
    let syncs = 0;
    const fs = faultyFileSystem((call, path) => void (call === "datasync" && path.includes("quota-") && syncs++));
    const directory = await newDirectory();
    const store = await openAt(directory, { fs });
    for (let unit = 1; unit <= taken; unit++)
      assert.deepEqual(await store.quota.take(ALICE, DAY, limit), { granted: true, used: unit });
    assert.ok(syncs <= mostSyncs, `limit ${limit}: ${syncs} syncs`);
    const crashed = await openAt(await copyOf(directory));
    const used = await crashed.quota.used(ALICE, DAY);
    assert.ok(used >= taken && used <= taken + lost, `limit ${limit}: ${used} units counted, ${taken} taken`);
    assert.deepEqual(await crashed.quota.take(ALICE, DAY, taken), { granted: false, used });
    await crashed.close();
    await store.close();
  }
});

test("quota: within a reservation, the result is returned at once, without a promise", async () => {
  const directory = await newDirectory();
  const store = await openAt(directory);
  for (let i = 0; i < 3; i++) await store.quota.take(ALICE, DAY, 10_000); // The third unit reserves a block.
  assert.deepEqual(store.quota.take(ALICE, DAY, 10_000), { granted: true, used: 4 });
  await store.quota.take("bob" as AccountId, DAY, 1);
  assert.deepEqual(store.quota.take("bob" as AccountId, DAY, 1), { granted: false, used: 1 });
  await store.close();
});

test("quota: all calls that wait for an account share one line of the log; so do units that failed requests give back, which a crash then does not cost", async () => {
  const directory = await newDirectory();
  const store = await openAt(directory);
  await store.quota.used(ALICE, DAY);
  await Promise.all(Array.from({ length: 50 }, async () => store.quota.take(ALICE, DAY, 50)));
  for (let unit = 0; unit < 49; unit++) await store.quota.giveBack(ALICE, DAY);
  const crashed = async (): Promise<unknown> => (await readUsage(await copyOf(directory)))[0]?.accounts[0]?.units;
  await until("the log has the lower count", async () => (await crashed()) === 1);
  await store.close();
  assert.equal((await linesOf(join(directory, `quota/quota-${DAY}-00000001.ndjson`))).length, 3);
});

test("quota: with a full disk, requests for units are neither granted nor denied, but fail with Unavailable; once there is space, they succeed", async () => {
  let full = false;
  const fs = faultyFileSystem((call, path) => {
    if (full && call === "write" && path.includes("quota")) throw systemError("ENOSPC");
  });
  const store = await openAt(await newDirectory(), { fs });
  const nextDay = "2026-11-22" as CalendarDate;
  await store.quota.take(ALICE, DAY, 50);
  full = true;
  for (const day of [DAY, nextDay]) await assert.rejects(async () => store.quota.take(ALICE, day, 50), Unavailable);
  assert.equal(await store.quota.used(ALICE, DAY), 1);
  full = false;
  assert.deepEqual(await store.quota.take(ALICE, nextDay, 50), { granted: true, used: 1 });
  await store.close();
});

test("quota: a day with a damaged file is never served as a new day", async () => {
  const directory = await newDirectory();
  await (await openAt(directory)).close();
  // This day is not read at the start.
  await writeFile(join(directory, "quota/quota-2026-12-31-00000001.ndjson"), `${"nonsense ".repeat(200)}\n`);
  const store = await openAt(directory);
  for (let i = 0; i < 2; i++)
    await assert.rejects(async () => store.quota.take(ALICE, "2026-12-31" as CalendarDate, 50), Unavailable);
  await store.close();
});

test("quota: if the store cannot open because of one day's counters, no file of another day stays open", async () => {
  const directory = await newDirectory();
  const store = await openAt(directory);
  for (const day of ["2026-11-20" as CalendarDate, DAY]) await store.quota.take(ALICE, day, 50);
  await store.close();
  await rm(join(directory, `quota/quota-${DAY}-00000001.ndjson`));
  let open = 0;
  const fs = faultyFileSystem((call, path) => {
    if (!path.includes("quota-")) return;
    if (call === "open") open++;
    if (call === "close") open--;
  });
  await assert.rejects(openAt(directory, { fs }), { name: "DataDamaged" });
  assert.equal(open, 0, "no file of counters stays open");
});

test("quota: after the clock has jumped ahead and back, the counters of the day are still found; 400 day files are kept", async () => {
  const directory = await newDirectory();
  const store = await openAt(directory);
  const day = (n: number): CalendarDate => dateOfDayNumber(dayNumber(DAY) + n);
  await Promise.all(Array.from({ length: 3 }, async () => store.quota.take(ALICE, DAY, 3)));
  for (let ahead = 1; ahead <= 405; ahead++) {
    await store.quota.take(ALICE, day(ahead), 1_000);
    if (ahead === 100) assert.deepEqual(await store.quota.take(ALICE, DAY, 3), { granted: false, used: 3 });
  }
  assert.equal((await readdir(join(directory, "quota"))).length, 400);
  assert.equal(await store.quota.giveBack(ALICE, day(40)), 0, "a unit can be returned to a day that is not open");
  await Promise.all(Array.from({ length: 200 }, (_, i) => store.quota.take(ALICE, day(20 + (i % 10)), 1_000)));
  for (let ahead = 20; ahead < 30; ahead++) assert.equal(await store.quota.used(ALICE, day(ahead)), 21);
  await store.close();
});

test("quota: no unit is lost after a clean stop, even if the next start or its first requests end in a crash", async () => {
  for (const limit of [50, 2_000, 100_000, Infinity]) {
    const directory = await newDirectory();
    const store = await openAt(directory);
    for (let i = 0; i < 25; i++) await store.quota.take(ALICE, DAY, limit);
    await store.quota.giveBack(ALICE, DAY);
    await store.close();
    for (const taken of [0, 1, 2, 5]) {
      const next = await copyOf(directory);
      const again = await openAt(next);
      for (let i = 0; i < taken; i++) await again.quota.take(ALICE, DAY, limit);
      assert.equal(await again.quota.used(ALICE, DAY), 24 + taken);
      const [day] = await readUsage(await copyOf(next), { open: [] });
      const gone = day!.accounts[0]!.units - 24 - taken;
      assert.ok(gone >= 0 && gone <= Math.max(0, taken - 1), `limit ${limit}: ${gone} units lost, ${taken} taken`);
      await again.close();
    }
  }
});

test("quota: each key is noted once a day, if possible in a line that is written for units anyway", async () => {
  const [first, second] = ["AAAAAAAA", "BBBBBBBB"] as KeyId[];
  // At most a header, a line for each unit or block of units, one for the second key, and one for the used units.
  for (const [limit, most] of [
    [50, 9],
    [10_000, 6],
  ] as const) {
    const directory = await newDirectory();
    const store = await openAt(directory);
    for (const key of [first, first, second, first, undefined, second]) await store.quota.take(ALICE, DAY, limit, key);
    await until("the keys are written, and no caller waits for that", async () => {
      const [day] = await readUsage(await copyOf(directory));
      return isDeepStrictEqual(day?.accounts[0]?.keys, [first, second]);
    });
    await store.close();
    const [closed] = await readUsage(directory);
    assert.deepEqual(closed, { day: DAY, accounts: [{ account: ALICE, units: 6, keys: [first, second] }] });
    const lines = async (): Promise<string[]> => linesOf(join(directory, `quota/quota-${DAY}-00000001.ndjson`));
    assert.ok((await lines()).length <= most, `limit ${limit}: ${(await lines()).length} lines`);
    const again = await openAt(directory);
    await again.quota.take(ALICE, DAY, limit, first);
    await again.close();
    assert.equal((await lines()).filter((line) => line.includes('"keys"')).length, 2);
    assert.equal((await verifyStore(directory)).state, 0);
  }
});

test("quota: the counters of a day note an account's plan and limit, and note them again only after a change", async () => {
  const directory = await newDirectory();
  const store = await openAt(directory);
  const key = "key-alice" as KeyId;
  await store.access.update([accountWithKey(ALICE)]);
  for (let unit = 0; unit < 3; unit++) await store.quota.take(ALICE, DAY, 50, key);
  await store.access.update([{ op: "plan.patch", name: "FREE_STARTER", dailyUnits: 90 }]);
  for (let unit = 0; unit < 3; unit++) await store.quota.take(ALICE, DAY, 90, key);
  const usage = [{ account: ALICE, units: 6, keys: [key], plan: { name: "FREE_STARTER", dailyUnits: 90 } }];
  for (const place of [directory, await copyOf(directory)])
    assert.deepEqual((await readUsage(place))[0]?.accounts, usage);
  await store.close();
  const lines = await linesOf(join(directory, `quota/quota-${DAY}-00000001.ndjson`));
  assert.equal(lines.filter((line) => line.includes('"plan"')).length, 2);
});

test("quota: units are granted even if a full disk prevents the store from noting the key", async () => {
  let [full, refused] = [false, 0];
  const fs = faultyFileSystem((call, path) => {
    if (!full || call !== "write" || !path.includes("quota-")) return;
    refused++;
    throw systemError("ENOSPC");
  });
  const directory = await newDirectory();
  const store = await openAt(directory, { fs });
  const [first, second] = ["AAAAAAAA", "BBBBBBBB"] as KeyId[];
  for (let i = 0; i < 5; i++) await store.quota.take(ALICE, DAY, 10_000, first); // The fifth unit reserves a block.
  full = true;
  assert.deepEqual(await store.quota.take(ALICE, DAY, 10_000, second), { granted: true, used: 6 });
  await until("the write was refused", () => refused > 0);
  assert.deepEqual(await store.quota.take(ALICE, DAY, 10_000, second), { granted: true, used: 7 });
  assert.deepEqual((await readUsage(directory))[0]?.accounts, [{ account: ALICE, units: 7, keys: [first, second] }]);
  full = false;
  await store.close();
});

test("quota: a line has at most a hundred keys, and a repair loses only the keys of damaged lines", async () => {
  const directory = await newDirectory();
  const keys = Array.from({ length: 2_500 }, (_, at) => String(at).padStart(8, "K") as KeyId);
  const store = await openAt(directory);
  await store.access.update([accountWithKey(ALICE)]);
  await Promise.all(keys.map((key) => store.quota.take(ALICE, DAY, 1_000_000, key)));
  await store.close();
  const keysOf = async (): Promise<readonly KeyId[]> =>
    (await readUsage(directory)).flatMap(({ accounts }) => accounts.flatMap((one) => one.keys)).sort();
  assert.deepEqual(await keysOf(), keys.toSorted());
  const path = join(directory, `quota/quota-${DAY}-00000001.ndjson`);
  const lines = await linesOf(path);
  for (const line of lines) assert.ok(line.length < 2_000, `${line.length}`);
  // Damages the last line; all other lines stay.
  const damaged = lines.map((line, at) => `${at === lines.length - 1 ? line.replace('"a":', '"b":') : line}\n`);
  await writeFile(path, damaged.join(""));
  await assert.rejects(openAt(directory), { name: "DataDamaged" });
  assert.equal((await readUsage(directory))[0]?.damaged, true);
  await repairStore(directory, { now: NOW });
  assert.equal((await keysOf()).length >= keys.length - 100, true);
  await (await openAt(directory)).close();
});

test("usage: a running store reports used units, not reserved ones; the file of a closed day has the used units", async () => {
  const directory = await newDirectory();
  const [before, ...recent] = [9, 3, 2, 1].map((back) => dateOfDayNumber(dayNumber(DAY) - back));
  const store = await openAt(directory);
  for (let unit = 0; unit < 3; unit++) await store.quota.take(ALICE, before!, 100_000);
  for (const day of recent) await store.quota.take(ALICE, day, 100_000);
  for (let unit = 0; unit < 9; unit++) await store.quota.take(ALICE, DAY, 100_000);
  for (let unit = 0; unit < 8; unit++) await store.quota.giveBack(ALICE, DAY);
  const unitsIn = async (place: string, from?: CalendarDate): Promise<unknown> =>
    (await readUsage(place, { from })).map(({ day, accounts }) => [day, accounts[0]?.units]);
  const days = [DAY, ...recent.toReversed()].map((day) => [day, 1]);
  assert.deepEqual(await unitsIn(directory), [...days, [before, 3]]);
  assert.deepEqual(await unitsIn(directory, recent.at(-1)), days.slice(0, 2));
  // For open days, the files have only reserved units.
  const crashed = (await readUsage(await copyOf(directory))).map(({ accounts }) => accounts[0]?.units);
  assert.ok(crashed[0]! >= 8, "units that were given back within the last second may still be reserved");
  assert.equal(crashed.at(-1), 3);
  await store.close();
  assert.deepEqual(await unitsIn(directory), [...days, [before, 3]]);
});
