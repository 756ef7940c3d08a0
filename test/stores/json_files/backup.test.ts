import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { test } from "node:test";
import { nodeFileSystem } from "../../../adapters/stores/json_files/file_system.ts";
import { lastBackupOf } from "../../../adapters/stores/json_files/last_backup.ts";
import {
  backupStore,
  type FileSystem,
  type JsonFileStore,
  RESTORED_QUOTA,
  type RestoreOptions,
  readJsonFiles,
  readUsage,
  restoreStore,
  verifyStore,
} from "../../../adapters/stores/json_files/mod.ts";
import type { AccountId, CalendarDate, KeyId, UtcMillis } from "../../../core/branded_types.ts";
import { PLAN } from "../../support/imports_suite.ts";
import {
  contentOf,
  copyOf,
  edit,
  FIRST_SEGMENT,
  faultyFileSystem,
  NOW,
  newDirectory,
  openAt,
  systemError,
} from "../../support/json_files_fixtures.ts";
import { accountWithKey, observed } from "../../support/store_suite.ts";
import { stride } from "../../support/suite_size.ts";

const [ALICE, BOB, CAROL] = ["alice", "bob", "carol"] as [AccountId, AccountId, AccountId];
const KEY = "key-alice" as KeyId;
const DAY = "2026-11-21" as CalendarDate;
const DEFAULTS: RestoreOptions = { now: NOW, today: DAY, quota: "spent" };

/** A store with a record, two accounts with 50 units, an account without a limit, and 7 units used by alice. */
async function filled(): Promise<{ directory: string; store: JsonFileStore }> {
  const directory = await newDirectory();
  const store = await openAt(directory);
  await store.observations.append([observed(0, 1)]);
  await store.access.update([
    { op: "plan.patch", name: "FREE", dailyUnits: null, attributionRequired: false },
    ...[ALICE, BOB].map((id) => accountWithKey(id)),
    accountWithKey(CAROL, "FREE"),
  ]);
  for (let i = 0; i < 7; i++) await store.quota.take(ALICE, DAY, 50, KEY);
  return { directory, store };
}

/** A path for a directory that does not exist yet. */
async function place(): Promise<string> {
  return join(await newDirectory(), "new");
}

async function backedUp(directory: string): Promise<string> {
  const target = await place();
  await backupStore(directory, target, { now: NOW });
  return target;
}

/** A backup of `filled`, whose store is closed. */
async function filledBackup(): Promise<string> {
  const { directory, store } = await filled();
  await store.close();
  return backedUp(directory);
}

async function restored(backup: string, options: Partial<RestoreOptions> = {}): Promise<string> {
  const target = await place();
  await restoreStore(backup, target, { ...DEFAULTS, ...options });
  return target;
}

/** Returns how many of its 50 units an account still gets. */
async function served(directory: string, account: AccountId, day = DAY): Promise<number> {
  const store = await openAt(directory);
  let count = 0;
  while ((await store.quota.take(account, day, 50)).granted) count++;
  await store.close();
  return count;
}

for (const name of ["backup", "restore"]) {
  const isBackup = name === "backup";
  test(`${name}: whichever call fails, the result is complete or absent, and nothing else is left behind`, async () => {
    const { directory, store } = await filled();
    const backup = await backedUp(directory);
    let failed = 0;
    for (let nth = 1; ; nth += stride(5)) {
      const target = await place();
      let [calls, inPart] = [0, false];
      const fs = faultyFileSystem((call) => {
        inPart ||= existsSync(target) && !existsSync(join(target, isBackup ? "BACKUP.json" : "MANIFEST.json"));
        if (call !== "close" && ++calls === nth) throw systemError("EIO");
      });
      const running: Promise<unknown> = isBackup
        ? backupStore(directory, target, { now: NOW, fs })
        : restoreStore(backup, target, { ...DEFAULTS, fs });
      await running.catch(() => failed++);
      assert.equal(inPart, false, `call ${nth}`);
      const names = await readdir(dirname(target));
      assert.ok(names.length <= 1 && names.every((found) => found === "new"), `call ${nth}: ${names.join()}`);
      if (names.length === 1) assert.equal(await served(isBackup ? await restored(target) : target, ALICE), 0);
      if (calls < nth) break;
    }
    assert.ok(failed > 30 / stride(5), `${failed} calls`);
    await store.close();
  });
}

test("restore and verify: detect a changed, cut or missing file of the backup before anything is written", async () => {
  const backup = await filledBackup();
  const files = Object.keys(await contentOf(backup));
  assert.equal(files.length, 6, files.join());
  const changes: readonly ((path: string) => Promise<unknown>)[] = [
    async (path) => {
      const bytes = await readFile(path);
      bytes[bytes.length >> 1]! ^= 1;
      await writeFile(path, bytes);
    },
    (path) => truncate(path, 20),
    (path) => rm(path),
    (path) => rm(path).then(() => execFileSync("mkfifo", [path])),
  ];
  for (const file of files) {
    for (const [at, change] of changes.entries()) {
      if (at === 0 && file.endsWith(FIRST_SEGMENT)) continue; // This file is empty: all records are in the base.
      const copy = await copyOf(backup);
      await change(join(copy, file));
      const target = await place();
      await assert.rejects(restoreStore(copy, target, DEFAULTS), { exitCode: 65 }, `${file}, change ${at}`);
      assert.deepEqual(await readdir(dirname(target)), [], `${file}, change ${at}`);
      assert.ok((await verifyStore(copy)).state >= 2, `${file}, change ${at}`);
    }
  }
});

test("backup: the store notes the last complete backup; if this note cannot be written, the backup is still made", async () => {
  const { directory, store } = await filled();
  await store.close();
  assert.equal(await lastBackupOf(directory), undefined);
  await backupStore(directory, await place(), { now: NOW });
  assert.equal(await lastBackupOf(directory), NOW);
  const fs = faultyFileSystem((call, path) => {
    if (call === "open" && path.includes("last-backup") && path.endsWith(".tmp")) throw systemError("EACCES");
  });
  const unwritable = await place();
  await backupStore(directory, unwritable, { now: (NOW + 1) as UtcMillis, fs });
  assert.equal((await verifyStore(unwritable)).state, 0);
  await edit(directory, FIRST_SEGMENT, (text) => text.replace('"value":[1]', '"value":[7]'));
  assert.equal((await backupStore(directory, await place(), { now: (NOW + 2) as UtcMillis })).damages, 1);
  assert.equal(await lastBackupOf(directory), NOW);
  await writeFile(join(directory, "last-backup.json"), "damaged");
  assert.equal(await lastBackupOf(directory), undefined);
});

/** A damaged line in each kind of file, and what is left of the store `filled`: the records, and the units of alice. */
for (const [file, from, to, records, units] of [
  [FIRST_SEGMENT, '"value":[1]', '"value":[7]', 1, 43], // a log
  ["obs/base-00000002.ndjson", '"value":[1]', '"value":[7]', 1, 43], // a log base, written by a compaction
  ["obs/obs-00000002.ndjson", '"value":[9]', '"value":[7]', 2, 43], // a log behind a base
  [`quota/quota-${DAY}-00000001.ndjson`, '"r":3', '"r":2', 2, 0],
  [FIRST_SEGMENT, '"type":"import"', '"type":"imporT"', 2, 43],
  [FIRST_SEGMENT, '"value":[3]', '"value":[4]', 2, 43], // a record that an import has replaced
] as const) {
  test(`backup: with damage in ${file} (${from}), the backup has the rest and the damaged file; both backup and restore report the loss`, async () => {
    const { directory, store } = await filled();
    const { id } = await store.imports.begin(PLAN);
    await store.observations.append([observed(1, 3)]);
    await store.imports.append(id, [observed(1, 2)], false);
    if (/00000002|base/.test(file)) await store.compact();
    if (file.startsWith("obs/obs-00000002")) await store.observations.append([observed(2, 9)]);
    await store.close();
    await edit(directory, file, (text) => text.replace(from, to));
    const target = await place();
    const made = await backupStore(directory, target, { now: NOW });
    assert.deepEqual([made.damages, made.damagedFiles, made.records], [1, [file], records]);
    const kept = await readFile(join(target, "quarantine", file.replace("/", ".")), "utf8");
    assert.equal(kept, await readFile(join(directory, file), "utf8"));
    const { state, files } = await verifyStore(target);
    assert.deepEqual([state, files.filter(({ bad }) => bad.length > 0).map((one) => one.file)], [2, ["BACKUP.json"]]);
    const copy = await place();
    const { backup } = await restoreStore(target, copy, { ...DEFAULTS, quota: "as-backed-up" });
    assert.deepEqual([backup.damages, backup.damagedFiles], [1, [file]]);
    assert.equal((await verifyStore(copy)).state, 0);
    assert.equal(await served(copy, ALICE), units);
  });
}

test("backup: is refused if the accounts or the manifest are damaged, as a start of the server would be", async () => {
  for (const file of ["accounts/accounts.json", "MANIFEST.json"]) {
    const { directory, store } = await filled();
    await store.close();
    await edit(directory, file, (text) => text.replace('"kind"', '"kinD"'));
    const target = await place();
    await assert.rejects(backupStore(directory, target, { now: NOW }), { exitCode: 65, message: /repair command/ });
    assert.deepEqual(await readdir(dirname(target)), []);
  }
});

test("backup: opening a backup as a store fails and changes nothing, even without BACKUP.json", async () => {
  const backup = await filledBackup();
  const refusal = { exitCode: 65, message: /it is a backup/ };
  for (let tries = 0; tries < 2; tries++) {
    const before = await contentOf(backup);
    await assert.rejects(openAt(backup), refusal);
    assert.deepEqual(await contentOf(backup), before);
    await rm(join(backup, "BACKUP.json"), { force: true });
  }
  await assert.rejects(readJsonFiles(backup), refusal);
  assert.equal((await verifyStore(backup)).state, 3);
});

test("backup and restore: need an empty or missing target directory whose parent exists", async () => {
  const { directory, store } = await filled();
  const backup = await backedUp(directory);
  await store.close();
  const empty = await newDirectory();
  await restoreStore(backup, empty, DEFAULTS);
  assert.equal((await verifyStore(empty)).state, 0);
  const full = await newDirectory();
  await mkdir(join(full, "mine"));
  for (const target of [full, join(full, "no", "such")]) {
    await assert.rejects(restoreStore(backup, target, DEFAULTS), { exitCode: 64 });
    await assert.rejects(backupStore(directory, target, { now: NOW }), { exitCode: 64 });
  }
  assert.deepEqual(await readdir(full), ["mine"]);
  await assert.rejects(restoreStore(join(full, "mine"), await place(), DEFAULTS), /is not a backup/);
});

test("backup: removes the files of an unfinished backup to the same target; if that backup still runs, it fails", async () => {
  const { directory, store } = await filled();
  const target = await place();
  const others = `${basename(target)}2.0123456789abcdef.tmp`;
  await mkdir(join(dirname(target), others));
  const fs: FileSystem = {
    ...nodeFileSystem,
    async rename(from, to) {
      if (to === target) await backupStore(directory, target, { now: NOW });
      await nodeFileSystem.rename(from, to);
    },
  };
  await assert.rejects(backupStore(directory, target, { now: NOW, fs }), { code: "ENOENT" });
  assert.equal((await verifyStore(target)).state, 0);
  assert.deepEqual(await readdir(dirname(target)), [basename(target), others]);
  await store.close();
});

test("restore: the original store and its restored copies never give the same version to different states", async () => {
  const { directory, store } = await filled();
  const backup = await backedUp(directory);
  const versions = new Set<string>();
  async function append(value: number, { observations }: JsonFileStore): Promise<void> {
    versions.add(await observations.version());
    await observations.append([observed(1, value)]);
    versions.add(await observations.version());
  }
  await append(2, store);
  await store.close();
  for (let round = 0; round < 2; round++) {
    const copy = await openAt(await restored(backup));
    await append(3, copy);
    await copy.close();
  }
  assert.equal(versions.size, 6);
});

test("a copy without lock files, and a restored store, read back everything that they write, even if the original has started many times", async () => {
  const { directory, store } = await filled();
  await store.close();
  for (let starts = 0; starts < 3; starts++) {
    const again = await openAt(directory);
    await again.observations.append([observed(starts + 1, starts + 2)]);
    await again.quota.take(ALICE, DAY, 50);
    await again.close();
  }
  const backup = await backedUp(directory);
  const copy = await copyOf(directory);
  for (const name of await readdir(copy)) if (name.startsWith("lock.")) await rm(join(copy, name));
  for (const place of [copy, await restored(backup, { quota: "as-backed-up" })]) {
    for (let starts = 0; starts < 2; starts++) {
      const again = await openAt(place);
      assert.deepEqual([again.damages, [...again.observations.records()].length], [[], 4 + starts]);
      assert.equal(await again.quota.used(ALICE, DAY), 10 + starts);
      await again.observations.append([observed(10 + starts, 9)]);
      await again.quota.take(ALICE, DAY, 50);
      await again.close();
    }
    assert.equal((await verifyStore(place)).state, 0);
  }
});

test("restore: units used after the backup are not granted a second time, unless this is requested", async () => {
  const { directory, store } = await filled();
  const backup = await backedUp(directory);
  for (let i = 0; i < 20; i++) await store.quota.take(ALICE, DAY, 50);
  await store.close();
  const expected = { spent: [0, 50], "all-spent": [0, 0], "as-backed-up": [43, 50] } as const;
  for (const quota of RESTORED_QUOTA) {
    const copy = await restored(backup, { quota });
    assert.deepEqual(
      (await readUsage(copy)).flatMap(({ accounts }) => accounts.find(({ account }) => account === ALICE)?.keys),
      [KEY],
      "the copy knows which keys were used",
    );
    assert.deepEqual([await served(copy, ALICE), await served(copy, BOB)], expected[quota], quota);
    assert.equal(await served(copy, ALICE, "2026-11-22" as CalendarDate), 50, "the next day has all its units");
    assert.equal((await verifyStore(copy)).state, 0);
  }
});

test("restore: no units are left for the current day, and past days stay as they were", async () => {
  const { directory, store } = await filled();
  const backup = await backedUp(directory);
  await store.close();
  const cases = [
    ["2026-11-20", 0],
    ["2026-11-21", 0],
    ["2026-11-22", 43],
  ] as const;
  for (const [today, units] of cases) {
    const options = { today: today as CalendarDate, now: Date.parse(`${today}T12:00:00Z`) as UtcMillis };
    assert.equal(await served(await restored(backup, options), ALICE), units, today);
  }
  const old = await restored(backup, { today: "2026-11-25" as CalendarDate, quota: "all-spent" });
  assert.deepEqual([await served(old, BOB, "2026-11-25" as CalendarDate), await served(old, BOB)], [0, 50]);
});

test("restore: a past day has exactly the units that were served on it, even if the original server keeps serving", async () => {
  const { directory, store } = await filled();
  const next = "2026-11-22" as CalendarDate;
  for (let unit = 0; unit < 2_047; unit++) await store.quota.take(ALICE, DAY, 100_000, KEY);
  await store.quota.take(ALICE, next, 50, KEY);
  const before = await readUsage(directory);
  const copy = await restored(await backedUp(directory), { today: next });
  await store.close();
  const [today, ...finished] = await readUsage(copy);
  assert.deepEqual(finished, before.slice(1));
  const ofAlice = { account: ALICE, units: 1, keys: [KEY], plan: { name: "FREE_STARTER", dailyUnits: 50 } };
  assert.deepEqual([before[0]?.accounts, before[1]?.accounts[0]?.units], [[ofAlice], 2_054]);
  assert.deepEqual(today?.accounts, [{ ...ofAlice, withheld: 49 }]);
  const again = await openAt(copy);
  assert.deepEqual(await again.quota.take(ALICE, next, 50, KEY), { granted: false, used: 50 });
  for (const left of [49, 49]) assert.equal(await again.quota.giveBack(ALICE, next), left, "withheld units stay");
  assert.deepEqual(await again.quota.take(ALICE, next, 60, KEY), { granted: true, used: 50 });
  await again.close();
  assert.deepEqual((await readUsage(copy))[0]?.accounts, [{ ...ofAlice, withheld: 49 }]);
});

test("restore: used units above a lowered limit of the plan are kept", async () => {
  const { directory, store } = await filled();
  await store.access.update([{ op: "plan.patch", name: "FREE_STARTER", dailyUnits: 5 }]);
  const copy = await openAt(await restored(await backedUp(directory)));
  assert.deepEqual([await copy.quota.used(ALICE, DAY), await copy.quota.used(CAROL, DAY)], [7, 0]);
  await copy.close();
  await store.close();
});
