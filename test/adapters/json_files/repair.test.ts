import assert from "node:assert/strict";
import { appendFile, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { logSeed, seal } from "../../../adapters/json_files/log/line.ts";
import { DirectoryInUse, SchemaTooNew, StoreError, readJsonFiles, repairStore, verifyStore } from "../../../adapters/json_files/mod.ts";
import type { JsonFileStore, Repair } from "../../../adapters/json_files/mod.ts";
import type { AccountId, CalendarDate } from "../../../core/brand.ts";
import { accountWithKey, observed } from "../../support/store_suite.ts";
import { FIRST_SEGMENT, NOW, contentOf, copyOf, faultyFileSystem, linesOf, newDirectory, openAt, systemError } from "../../support/store_suite_files.ts";

const [ALICE, BOB, CAROL] = ["alice", "bob", "carol"] as [AccountId, AccountId, AccountId];
const DAY = "2026-11-21" as CalendarDate;
const QUOTA_FILE = `quota/quota-${DAY}-00000001.ndjson`;
const ACCOUNTS_FILE = "accounts/accounts.json";
const LIMIT = 50;

/** What a crash leaves of a store: records 1 to 6 in groups of two, three accounts of 50 units, and 7 units that alice used. */
async function filled(segmentBytes = 1 << 20): Promise<string> {
  const directory = await newDirectory();
  const store = await openAt(directory, { segmentBytes });
  for (const first of [1, 3, 5]) await store.observations.append([observed(first, first), observed(first + 1, first + 1)]);
  for (const id of [ALICE, BOB, CAROL]) await store.access.update([accountWithKey(id)]);
  for (let i = 0; i < 7; i++) await store.quota.take(ALICE, DAY, LIMIT);
  const crashed = await copyOf(directory);
  await store.close();
  return crashed;
}

async function edit(directory: string, file: string, change: (text: string) => string): Promise<void> {
  const path = join(directory, file);
  await writeFile(path, change(await readFile(path, "latin1")), "latin1");
}

function repair(directory: string): Promise<readonly Repair[]> {
  return repairStore(directory, { now: NOW });
}

function valuesOf(store: JsonFileStore): number[] {
  return [...store.observations.records()].map(({ value }) => value);
}

/** All bytes that the quarantine keeps: of whole files, and of places in them. */
async function kept(directory: string): Promise<string> {
  const parts: string[] = [];
  for (const name of await readdir(join(directory, "quarantine"))) {
    const path = join(directory, "quarantine", name);
    const text = await readFile(path, "latin1");
    parts.push(text);
    if (!text.startsWith('{"kind":"quarantine"')) continue;
    for (const line of (await linesOf(path)).slice(1)) parts.push(Buffer.from((JSON.parse(line) as { b64: string }).b64, "base64").toString("latin1"));
  }
  return parts.join("\n");
}

/** Zeros within records 2 and 4, which end the first two groups, and a last one that stops short. */
function longTail(text: string): string {
  let bytes = text;
  for (const value of [2, 4]) {
    const at = bytes.indexOf(`"v":"${value}"`);
    bytes = bytes.slice(0, at) + "\0".repeat(5) + bytes.slice(at + 5);
  }
  return bytes.slice(0, -5);
}

test("repair: an end that the store refuses to cut is kept and cut off, and its good lines are served again", async () => {
  const directory = await filled();
  const old = await readJsonFiles(directory);
  await edit(directory, FIRST_SEGMENT, longTail);
  const bytes = await readFile(join(directory, FIRST_SEGMENT), "latin1");
  const end = bytes.indexOf('{"s":1');
  await assert.rejects(openAt(directory), /repair/);

  const [done, ...more] = await repair(directory);
  assert.deepEqual([done?.file, more], [FIRST_SEGMENT, []]);
  assert.match(done?.what ?? "", /3 good lines/);
  assert.ok((await kept(directory)).includes(bytes.slice(end)), "every byte is kept");
  assert.equal((await verifyStore(directory)).state, 0);
  const store = await openAt(directory);
  assert.deepEqual([valuesOf(store), store.damages], [[1, 3, 5], []]);
  // Numbers come again: without another epoch, so would versions, for other records.
  for (const minute of [7, 8, 9]) await store.observations.append([observed(minute, minute)]);
  assert.notEqual(await store.observations.version(), await old.observations.version());
  await store.close();
});

test("repair: counters that are refused are made anew, and nobody gets a unit of that day again", async () => {
  for (const segmentBytes of [1 << 20, 200]) {
    const directory = await filled(segmentBytes);
    const damaged = (await readdir(join(directory, "quota"))).sort().at(-1)!;
    await edit(directory, `quota/${damaged}`, (text) => text.replace(/"r":\d/, '"r":0'));
    const before = await Promise.all((await readdir(join(directory, "quota"))).map((name) => readFile(join(directory, "quota", name), "latin1")));
    await assert.rejects(openAt(directory), /repair/);
    assert.deepEqual((await repair(directory)).map(({ file }) => file), [QUOTA_FILE]);
    const found = await kept(directory);
    for (const bytes of before) assert.ok(found.includes(bytes), "every byte is kept");
    assert.deepEqual(await readdir(join(directory, "quota")), [QUOTA_FILE.slice("quota/".length)]);
    assert.equal((await verifyStore(directory)).state, 0);
    const store = await openAt(directory);
    for (const id of [ALICE, BOB, CAROL]) assert.deepEqual(await store.quota.take(id, DAY, LIMIT), { granted: false, used: LIMIT });
    assert.equal((await store.quota.take(ALICE, "2026-11-22" as CalendarDate, LIMIT)).granted, true);
    assert.deepEqual(valuesOf(store), [1, 2, 3, 4, 5, 6]);
    await store.close();
  }
});

test("repair: one repair is enough where records of zeros come before an end that is cut off, and no start cuts more", async () => {
  const directory = await filled();
  await edit(directory, FIRST_SEGMENT, (text) => {
    const lines = text.split("\n");
    // Record 2 ends the first of three groups.
    return lines.map((line, at) => (at === 2 ? "\0".repeat(line.length) : line)).join("\n").slice(0, -5);
  });
  assert.match((await repair(directory)).map(({ what }) => what).join(), /its end, which could not be read, was cut off/);
  assert.deepEqual(await repair(directory), []);
  for (let start = 0; start < 2; start++) {
    const store = await openAt(await copyOf(directory));
    assert.deepEqual([valuesOf(store), store.damages.length], [[1, 3, 4], 1], `start ${start}`);
    await store.close();
  }
});

test("repair: accounts that cannot be read are those before the last change again, and the report says so", async () => {
  for (const change of [(text: string) => text.replace("carol", "carla"), (text: string) => text.slice(0, 40), () => ""]) {
    const directory = await filled();
    await edit(directory, ACCOUNTS_FILE, change);
    const bytes = await readFile(join(directory, ACCOUNTS_FILE), "latin1");
    const [{ file, what } = { file: "", what: "" }] = await repair(directory);
    assert.equal(file, ACCOUNTS_FILE);
    assert.match(what, /look through the keys/);
    assert.ok((await kept(directory)).includes(bytes), "every byte is kept");
    assert.equal((await verifyStore(directory)).state, 0);
    const store = await openAt(directory);
    assert.deepEqual(store.accounts.book().accounts.map(({ id }) => id), [ALICE, BOB]);
    await store.access.update([accountWithKey(CAROL)]);
    await store.close();
    assert.equal((await readJsonFiles(directory)).book.accounts.length, 3);
  }
});

test("repair: accounts that are missing are those before the last change, or none where there is no other version", async () => {
  const directory = await filled();
  await rm(join(directory, ACCOUNTS_FILE));
  const [{ file, what } = { file: "", what: "" }, ...more] = await repair(directory);
  assert.deepEqual([file, more], [ACCOUNTS_FILE, []]);
  assert.match(what, /look through the keys/);
  const store = await openAt(directory);
  assert.deepEqual(store.accounts.book().accounts.map(({ id }) => id), [ALICE, BOB]);
  await store.close();

  await rm(join(directory, "accounts/accounts.json"));
  await assert.rejects(openAt(directory), /"accounts\.prev\.json", in its place; or restore a backup$/);
  await rm(join(directory, "accounts/accounts.prev.json"));
  await assert.rejects(openAt(directory), /is missing\. Nothing was changed\. Restore a backup; the repair command gives up all accounts and keys$/);
  assert.equal((await verifyStore(directory)).state, 3);
  assert.match((await repair(directory)).map((one) => one.what).join(), /no accounts and keys any more/);
  assert.equal((await verifyStore(directory)).state, 0);
  const empty = await openAt(directory);
  assert.deepEqual([empty.accounts.book().accounts, valuesOf(empty)], [[], [1, 2, 3, 4, 5, 6]]);
  await empty.close();
});

test("repair: accounts of which no version can be read are left as they are: nobody's key is guessed", async () => {
  const directory = await filled();
  await edit(directory, ACCOUNTS_FILE, () => "");
  await edit(directory, "accounts/accounts.prev.json", () => "");
  await assert.rejects(openAt(directory), /accounts\.json" is damaged.*Nothing was changed\. Restore a backup$/, "what does not help is not named");
  const before = await contentOf(directory);
  await assert.rejects(repair(directory), StoreError);
  assert.deepEqual(await contentOf(directory), before);
});

test("repair: a manifest that is lost or damaged is made anew, with another epoch", async () => {
  for (const damage of ["lost", "damaged"]) {
    const directory = await filled();
    const { storeId, observations } = await readJsonFiles(directory);
    const path = join(directory, "MANIFEST.json");
    if (damage === "lost") await rm(path);
    else await edit(directory, "MANIFEST.json", (text) => text.replace('"createdAt":', '"createdAt":1'));
    assert.deepEqual((await repair(directory)).map(({ file }) => file), ["MANIFEST.json"]);
    assert.equal((await verifyStore(directory)).state, 0);
    const after = await readJsonFiles(directory);
    assert.equal(after.storeId, storeId);
    assert.notEqual(await after.observations.version(), await observations.version());
    assert.equal((await kept(directory)).includes('"createdAt":1'), damage === "damaged");
  }
});

test("repair: a directory with no store in it stays without one", async () => {
  const directory = await newDirectory();
  await assert.rejects(repair(directory), /MANIFEST\.json" is missing/);
  assert.equal((await readdir(directory)).includes("MANIFEST.json"), false);
});

test("repair: torn ends are cut off, also of days that no start would read", async () => {
  const directory = await filled();
  const store = await openAt(directory);
  const old = "2026-11-01" as CalendarDate;
  await store.quota.take(ALICE, old, LIMIT);
  await store.close();
  await appendFile(join(directory, FIRST_SEGMENT), '{"s":7');
  await appendFile(join(directory, `quota/quota-${old}-00000001.ndjson`), '{"s":2');
  assert.equal((await verifyStore(directory)).state, 1);
  assert.equal((await repair(directory)).length, 2);
  assert.equal((await verifyStore(directory)).state, 0);
});

test("repair: bad lines that the store opens with stay where they are", async () => {
  const directory = await filled();
  await edit(directory, FIRST_SEGMENT, (text) => text.replace('"v":"3"', '"v":"7"'));
  const before = await readFile(join(directory, FIRST_SEGMENT), "latin1");
  assert.deepEqual(await repair(directory), []);
  assert.equal(await readFile(join(directory, FIRST_SEGMENT), "latin1"), before);
  assert.equal((await verifyStore(directory)).state, 2);
});

test("repair: where there is nothing to repair, nothing is changed", async () => {
  const directory = await filled();
  const before = await contentOf(directory);
  assert.deepEqual(await repair(directory), []);
  assert.deepEqual(await contentOf(directory), before);
});

test("repair: not beside a process that holds the store, nor on files of a later version: nothing is changed", async () => {
  const directory = await filled();
  const store = await openAt(directory);
  const before = await contentOf(directory);
  await assert.rejects(repair(directory), DirectoryInUse);
  assert.deepEqual(await contentOf(directory), before);
  await store.close();
  await edit(directory, FIRST_SEGMENT, (text) => {
    const [header = "", ...lines] = text.split("\n");
    const { storeId } = JSON.parse(header) as { storeId: string };
    const body = header.slice(0, header.lastIndexOf(',"k":')).replace(/"schema":\d/, '"schema":9');
    return [seal(body, logSeed(storeId, "obs")), ...lines].join("\n");
  });
  const later = await contentOf(directory);
  await assert.rejects(repair(directory), SchemaTooNew);
  assert.deepEqual(await contentOf(directory), later);
});

test("repair: stopped at any call, the store stays shut or gives no unit again, and the next repair finishes", async () => {
  const original = await filled(200);
  const removed: string[] = [];
  const damaged = (await readdir(join(original, "quota"))).sort().at(-1)!;
  await edit(original, `quota/${damaged}`, (text) => text.replace(/"r":\d/, '"r":0'));
  await edit(original, ACCOUNTS_FILE, (text) => text.replace("carol", "carla"));
  removed.push(await readFile(join(original, "quota", damaged), "latin1"), await readFile(join(original, ACCOUNTS_FILE), "latin1"));

  for (let nth = 1; ; nth += 3) {
    const directory = await copyOf(original);
    let calls = 0;
    // From the nth call on nothing works any more, as after a crash.
    const fs = faultyFileSystem((call) => {
      if (call !== "close" && ++calls >= nth) throw systemError("EIO");
    });
    const failed = await repairStore(directory, { now: NOW, fs }).then(() => false, () => true);
    const between = await openAt(await copyOf(directory)).catch(() => undefined);
    if (between) assert.equal((await between.quota.take(ALICE, DAY, LIMIT)).granted, false, `call ${nth}`);
    await between?.close();
    await repair(directory);
    const store = await openAt(directory);
    for (const id of [ALICE, BOB]) assert.equal((await store.quota.take(id, DAY, LIMIT)).granted, false, `call ${nth}`);
    assert.deepEqual(store.accounts.book().accounts.map(({ id }) => id), [ALICE, BOB], `call ${nth}`);
    await store.close();
    assert.equal((await verifyStore(directory)).state, 0, `call ${nth}`);
    const found = await kept(directory);
    for (const bytes of removed) assert.ok(found.includes(bytes), `call ${nth}`);
    if (!failed) break;
  }
});
