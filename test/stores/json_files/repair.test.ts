import assert from "node:assert/strict";
import { appendFile, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { readContent } from "../../../adapters/stores/json_files/maintenance/read_content.ts";
import type { Loss } from "../../../adapters/stores/json_files/maintenance/repair.ts";
import {
  backupStore,
  DirectoryInUse,
  type JsonFileStore,
  type Repair,
  type RepairPlan,
  readJsonFiles,
  repairStore,
  SchemaTooNew,
  verifyStore,
} from "../../../adapters/stores/json_files/mod.ts";
import type { AccountId, AssetCode, CalendarDate } from "../../../core/branded_types.ts";
import { imported, many, undo } from "../../support/imports_suite.ts";
import {
  contentOf,
  copyOf,
  edit,
  FIRST_SEGMENT,
  faultyFileSystem,
  NOW,
  newDirectory,
  ofLaterVersion,
  openAt,
  systemError,
} from "../../support/json_files_fixtures.ts";
import { accountWithKey, observed } from "../../support/store_suite.ts";
import { stride } from "../../support/suite_size.ts";

const EUR = "EUR_RLS" as AssetCode;
const [ALICE, BOB, CAROL] = ["alice", "bob", "carol"] as [AccountId, AccountId, AccountId];
const DAY = "2026-11-21" as CalendarDate;
const QUOTA_FILE = `quota/quota-${DAY}-00000001.ndjson`;
const ACCOUNTS_FILE = "accounts/accounts.json";
const LIMIT = 50;

/** A crashed store with records 1 to 6 in groups of two lines, and three accounts with 50 units. Alice has used 7. */
async function filled(segmentBytes = 1 << 20): Promise<string> {
  const directory = await newDirectory();
  const store = await openAt(directory, { segmentBytes });
  for (const first of [1, 3, 5])
    await store.observations.append([observed(first, first), observed(first + 1, first + 1, { code: EUR })]);
  for (const id of [ALICE, BOB, CAROL]) await store.access.update([accountWithKey(id)]);
  for (let i = 0; i < 7; i++) await store.quota.take(ALICE, DAY, LIMIT);
  const crashed = await copyOf(directory);
  await store.close();
  return crashed;
}

async function repair(directory: string): Promise<readonly string[]> {
  return (await repairStore(directory, { now: NOW })).map(({ file }) => file);
}

function valuesOf({
  observations,
}: {
  readonly observations: Pick<JsonFileStore["observations"], "records">;
}): number[] {
  return [...observations.records()].map(({ value }) => value).sort((a, b) => a - b);
}

/** All bytes in the quarantine. */
async function kept(directory: string): Promise<string> {
  const names = await readdir(join(directory, "quarantine"));
  return (await Promise.all(names.map((name) => readFile(join(directory, "quarantine", name), "latin1")))).join("\n");
}

/** Checks that the store can be verified, backed up, copied and compacted without a report of damage. */
async function demandWhole(directory: string): Promise<void> {
  assert.equal((await verifyStore(directory)).state, 0);
  const backup = join(await newDirectory(), "backup");
  await backupStore(directory, backup, { now: NOW });
  assert.equal((await verifyStore(backup)).state, 0);
  await readContent(directory);
  const store = await openAt(directory);
  assert.deepEqual([store.damages, store.torn], [[], []]);
  await store.compact();
  await store.close();
}

/** Zeros within records 2 and 4, which end the first two groups, and a last record that is cut short. */
function longTail(text: string): string {
  return text.replace(/"value":\[[24]\]/g, (found) => "\0".repeat(5) + found.slice(5)).slice(0, -5);
}

test("repair: shows a damaged price with its asset and time, and drops it; all others stay, and the store is intact", async () => {
  const directory = await filled(200);
  const old = await readJsonFiles(directory);
  const file = "obs/obs-00000002.ndjson";
  await edit(directory, file, (text) => text.replace('"value":[3]', '"value":[7]'));
  const damaged = await readFile(join(directory, file), "latin1");
  const asked: RepairPlan[] = [];
  const confirmed = (answer: boolean): Promise<readonly Repair[]> =>
    repairStore(directory, { now: NOW, confirm: async (plan) => asked.push(plan) > 0 && answer });
  const before = await contentOf(directory);
  assert.deepEqual(await confirmed(false), []);
  assert.deepEqual(await contentOf(directory), before, "nothing is changed without a confirmation");
  const repairs = await confirmed(true);
  assert.deepEqual([repairs.length, repairs[0]?.file, asked[1]?.repairs], [1, file, repairs]);
  const [{ code, time, reason } = {}, ...more] = asked[1]!.lost;
  assert.deepEqual([code, time, reason, more], ["USD_RLS", observed(3, 3).businessTime, "wrong checksum", []]);
  assert.ok((await kept(directory)).includes(damaged), "every byte is kept");
  await demandWhole(directory);
  const store = await openAt(directory);
  assert.deepEqual(valuesOf(store), [1, 2, 4, 5, 6]);
  assert.deepEqual([store.accounts.book().keys.length, await store.quota.used(ALICE, DAY)], [3, 7]);
  // Sequence numbers are reused. Without a new epoch, the same version would stand for different records.
  const [epochNow, epochBefore] = [await store.observations.version(), await old.observations.version()].map(
    (version) => version.split(".")[0],
  );
  assert.notEqual(epochNow, epochBefore);
  await store.close();
});

test("repair: a damaged line loses only its own prices, which are reported with asset, times and number", async () => {
  const directory = await newDirectory();
  let store = await openAt(directory);
  await store.observations.append(many(120, 1));
  await store.close();
  await edit(directory, FIRST_SEGMENT, (text) => text.replace("[51,", "[91,"));
  const reported: unknown[] = [];
  const confirm = async ({ lost }: RepairPlan): Promise<boolean> => reported.push(...lost) > 0;
  await repairStore(directory, { now: NOW, confirm });
  const [{ offset, length, ...loss }] = reported as [Loss];
  const [{ code, businessTime: time }, { businessTime: lastTime }] = [observed(50, 1), observed(99, 1)];
  assert.deepEqual(loss, { code, time, lastTime, records: 50, file: FIRST_SEGMENT, reason: "wrong checksum" });
  store = await openAt(directory);
  const left = many(120, 1).map(({ value }) => value);
  assert.deepEqual(valuesOf(store), [...left.slice(0, 50), ...left.slice(100)]);
  await store.close();
});

test("repair: if an unreadable end is so long that the store refuses to cut it off, its intact lines are served again", async () => {
  const directory = await filled();
  await edit(directory, FIRST_SEGMENT, longTail);
  const bytes = await readFile(join(directory, FIRST_SEGMENT), "latin1");
  await assert.rejects(openAt(directory), /repair/);
  assert.deepEqual(await repair(directory), [FIRST_SEGMENT]);
  assert.ok((await kept(directory)).includes(bytes), "every byte is kept");
  await demandWhole(directory);
  assert.deepEqual(valuesOf(await readJsonFiles(directory)), [1, 3, 5]);
});

test("repair: a store that has lost a log file or the log folder works again", async () => {
  for (const lost of ["obs/obs-00000002.ndjson", "obs"]) {
    const directory = await filled(200);
    await rm(join(directory, lost), { recursive: true });
    assert.equal((await repair(directory)).length, 1, lost);
    await demandWhole(directory);
  }
});

test("repair: replaces counters that the store refuses, and grants no unit of their day a second time", async () => {
  for (const segmentBytes of [1 << 20, 200]) {
    const directory = await filled(segmentBytes);
    const names = (await readdir(join(directory, "quota"))).sort().map((name) => `quota/${name}`);
    await edit(directory, names.at(-1)!, (text) => text.replace(/"r":\d/, '"r":0'));
    const before = await Promise.all(names.map((name) => readFile(join(directory, name), "latin1")));
    await assert.rejects(openAt(directory), /repair/);
    assert.deepEqual(await repair(directory), [QUOTA_FILE]);
    const found = await kept(directory);
    for (const bytes of before) assert.ok(found.includes(bytes), "every byte is kept");
    await demandWhole(directory);
    const store = await openAt(directory);
    for (const id of [ALICE, BOB, CAROL])
      assert.deepEqual(await store.quota.take(id, DAY, LIMIT), { granted: false, used: LIMIT });
    assert.equal((await store.quota.take(ALICE, "2026-11-22" as CalendarDate, LIMIT)).granted, true);
    assert.deepEqual(valuesOf(store), [1, 2, 3, 4, 5, 6]);
    await store.close();
  }
});

test("repair: replaces damaged accounts by their previous version; if that is damaged, too, reports that keys are lost", async () => {
  const cases = [
    [false, /before the last change/, [ALICE, BOB]],
    [true, /make new ones/, []],
  ] as const;
  for (const [both, what, accounts] of cases) {
    const directory = await filled();
    for (const file of [ACCOUNTS_FILE, ...(both ? ["accounts/accounts.prev.json"] : [])])
      await edit(directory, file, (text) => text.replace("alice", "alicf"));
    await assert.rejects(openAt(directory), /repair command, which puts back the version before/);
    const [done, ...more] = await repairStore(directory, { now: NOW });
    assert.deepEqual([done?.file, more], [ACCOUNTS_FILE, []]);
    assert.match(done!.what, what);
    assert.ok((await kept(directory)).includes("alicf"), "every byte is kept");
    await demandWhole(directory);
    const { book } = await readJsonFiles(directory);
    const ids = Array.from(book.accounts, ({ id }) => id);
    assert.deepEqual(ids, accounts);
  }
});

test("repair: restores a damaged or missing manifest from the logs, but no store in an empty directory", async () => {
  for (const change of [(path: string) => writeFile(path, "{}"), (path: string) => rm(path)]) {
    const directory = await filled();
    await change(join(directory, "MANIFEST.json"));
    await assert.rejects(openAt(directory), { name: "DataDamaged", message: /repair/ });
    assert.deepEqual(await repair(directory), ["MANIFEST.json"]);
    await demandWhole(directory);
    assert.equal(valuesOf(await readJsonFiles(directory)).length, 6);
  }
  const empty = await newDirectory();
  await assert.rejects(repair(empty), /MANIFEST\.json" is missing/);
  assert.equal((await readdir(empty)).includes("MANIFEST.json"), false);
});

test("repair: if a damaged line had the beginning of an import, or prices that the import replaced, no undo of the import removes its prices", async () => {
  for (const [damaged, remembered] of [
    [/"type":"import","import":\{"id":2/g, [1]],
    [/"type":"observations","source":"embedder"/, [2, 1]],
  ] as const) {
    const directory = await newDirectory();
    const store = await openAt(directory);
    await store.observations.append([observed(1, 1)]);
    await imported(store.imports, [observed(2, 70)]);
    const id = await imported(store.imports, [observed(1, 71)]);
    await store.close();
    await edit(directory, FIRST_SEGMENT, (text) => text.replace(damaged, (found) => found.replace("type", "typo")));
    assert.equal((await verifyStore(directory)).state, 2);
    assert.equal((await repair(directory)).length, 1);
    await demandWhole(directory);
    const again = await openAt(directory);
    const numbers = (await again.imports.list()).map(({ imported: one }) => one.id);
    assert.deepEqual(numbers, remembered);
    if (numbers.includes(id)) assert.equal((await undo(again.imports, id)).replacedSince, 1);
    assert.deepEqual(valuesOf(again), [70, 71]);
    await again.close();
  }
});

test("repair: changes nothing without damage, and leaves a torn end to the next start", async () => {
  const directory = await filled();
  await appendFile(join(directory, FIRST_SEGMENT), '{"s":7');
  const before = await contentOf(directory);
  assert.deepEqual(await repair(directory), []);
  assert.deepEqual(await contentOf(directory), before);
});

test("repair: is refused while a process owns the store, and for files of a later version, and changes nothing", async () => {
  const directory = await filled();
  const store = await openAt(directory);
  const refused = async (error: typeof DirectoryInUse | typeof SchemaTooNew): Promise<void> => {
    const before = await contentOf(directory);
    await assert.rejects(repair(directory), error);
    assert.deepEqual(await contentOf(directory), before);
  };
  await refused(DirectoryInUse);
  await store.close();
  await edit(directory, FIRST_SEGMENT, (text) => ofLaterVersion(text, "obs"));
  await refused(SchemaTooNew);
});

test("repair: if it is interrupted at any call, the store does not open, or grants no unit a second time, and the next repair finishes", async () => {
  const original = await filled(200);
  const damaged = (await readdir(join(original, "quota"))).sort().at(-1)!;
  await edit(original, `quota/${damaged}`, (text) => text.replace(/"r":\d/, '"r":0'));
  await edit(original, ACCOUNTS_FILE, (text) => text.replace("carol", "carla"));
  await edit(original, FIRST_SEGMENT, (text) => text.replace('"value":[1]', '"value":[7]'));
  const removed = await Promise.all(
    [`quota/${damaged}`, ACCOUNTS_FILE, FIRST_SEGMENT].map((file) => readFile(join(original, file), "latin1")),
  );

  // Stops the repair at some of the first hundred calls, and at each later call, when it is nearly done.
  for (let nth = 1; ; nth += nth < 100 ? stride(17) : 1) {
    const directory = await copyOf(original);
    let calls = 0;
    // From the nth call on, every call fails, as after a crash.
    const fs = faultyFileSystem((call) => {
      if (call !== "close" && ++calls >= nth) throw systemError("EIO");
    });
    let failed = false;
    await repairStore(directory, { now: NOW, fs }).catch(() => (failed = true));
    const between = await openAt(await copyOf(directory)).catch(() => undefined);
    if (between) assert.equal((await between.quota.take(ALICE, DAY, LIMIT)).granted, false, `call ${nth}`);
    await between?.close();
    await repair(directory);
    const store = await openAt(directory);
    for (const id of [ALICE, BOB]) assert.equal((await store.quota.take(id, DAY, LIMIT)).granted, false, `call ${nth}`);
    assert.deepEqual(valuesOf(store), [2, 3, 4, 5, 6], `call ${nth}`);
    assert.equal(store.accounts.book().accounts.length, 2, `call ${nth}`);
    await store.close();
    assert.equal((await verifyStore(directory)).state, 0, `call ${nth}`);
    const found = await kept(directory);
    for (const bytes of removed) assert.ok(found.includes(bytes), `call ${nth}`);
    if (!failed) break;
  }
});
