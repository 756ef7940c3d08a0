// Every file of a store deleted, emptied, swapped for another store's and cut, one after the other: verify,
// the next open and the exit code say so, or the case is listed below with the reason why it harms nothing.
import assert from "node:assert/strict";
import { copyFile, readdir, rm, stat, truncate } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { StoreError, verifyStore } from "../../../adapters/json_files/mod.ts";
import type { JsonFileStore } from "../../../adapters/json_files/mod.ts";
import type { AccountId, CalendarDate } from "../../../core/brand.ts";
import { program } from "../../support/cli_program.ts";
import { accountWithKey, observed } from "../../support/store_suite.ts";
import { contentOf, copyOf, newDirectory, openAt } from "../../support/store_suite_files.ts";

const ALICE = "alice" as AccountId;
const DAY = "2026-11-21" as CalendarDate;

/** A closed store with files of every kind: four of observations, one of counters, accounts and those before, a lock. */
async function filled(): Promise<string> {
  const directory = await newDirectory();
  for (let session = 0; session < 2; session++) {
    const store = await openAt(directory, { segmentBytes: 200 });
    for (let minute = 0; minute < 2; minute++) await store.observations.append([observed(2 * session + minute, 1 + minute)]);
    await store.access.update([session === 0 ? accountWithKey(ALICE) : { op: "account.patch", id: ALICE, status: "RESTRICTED" }]);
    for (let i = 0; i < 3; i++) await store.quota.take(ALICE, DAY, 50);
    await store.close();
  }
  return directory;
}

const [store, other] = [await filled(), await filled()];

type Act = (path: string, swap: string) => Promise<unknown>;

const ACTS: Readonly<Record<string, Act>> = {
  deleted: (path) => rm(path),
  emptied: (path) => truncate(path, 0),
  swapped: (path, swap) => copyFile(swap, path),
  "cut by a byte": async (path) => truncate(path, (await stat(path)).size - 1),
  "cut in half": async (path) => truncate(path, (await stat(path)).size >> 1),
};

const ONLY_LINE_FEED = "the object and its checksum are whole: only the line feed behind them is gone";
const LOCK = "a copy has no lock file either: generations go on from what the logs say";

/** Why a case is told by nobody, by what was done to which file. */
const HARMLESS: Readonly<Record<string, string>> = {
  "MANIFEST.json cut by a byte": ONLY_LINE_FEED,
  "accounts/accounts.json cut by a byte": ONLY_LINE_FEED,
  ...Object.fromEntries(Object.keys(ACTS).map((act) => [`accounts/accounts.prev.json ${act}`, "only a repair of accounts.json reads it, and the next change makes it anew"])),
  "lock.00000002 deleted": LOCK,
  "lock.00000002 cut by a byte": ONLY_LINE_FEED,
  "lock.00000002 swapped": "it says that nobody holds the store, and its generation is in its name",
  "lock.00000001 deleted": LOCK,
  ...Object.fromEntries(Object.keys(ACTS).map((act) => [`lock.00000001 ${act}`, "only the last lock file counts"])),
};

/** All that a store serves. */
async function served(opened: JsonFileStore): Promise<unknown> {
  return [[...opened.observations.records()], opened.accounts.book(), await opened.quota.used(ALICE, DAY)];
}

async function verified(directory: string): Promise<number> {
  const { state } = await verifyStore(directory);
  assert.equal((await program(["verify", "--data", directory])).code, state);
  return state;
}

const whole = await openAt(await copyOf(store));
const expected = await served(whole);
await whole.close();

async function filesOf(directory: string): Promise<string[]> {
  const locks = (await readdir(directory)).filter((name) => name.startsWith("lock."));
  return [...Object.keys(await contentOf(directory)).map((path) => path.slice(1)), ...locks].sort();
}

for (const file of await filesOf(store)) {
  for (const [act, change] of Object.entries(ACTS)) {
    const name = `${file} ${act}`;
    const harmless = HARMLESS[name];
    test(`tampering: ${name}: ${harmless ? `nothing is lost, as ${harmless}` : "told by verify, the exit code and the next open"}`, async () => {
      const directory = await copyOf(store);
      await change(join(directory, file), join(other, file));
      const before = await contentOf(directory);
      const state = await verified(directory);
      assert.deepEqual(await contentOf(directory), before, "verify changes nothing");
      const isServedWhole = harmless !== undefined;
      assert.equal(state === 0, harmless !== undefined, `state ${state}`);
      await demandOpen(directory, file, isServedWhole);
    });
  }
}

/** A tampered store opens with all that it had, or says what is damaged. */
async function demandOpen(directory: string, file: string, isServedWhole: boolean): Promise<void> {
  const opened = await openAt(directory).catch((error: unknown) => error);
  if (isServedWhole) {
    assert.ok(!(opened instanceof Error), String(opened));
    assert.deepEqual(await served(opened as JsonFileStore), expected);
    return (opened as JsonFileStore).close();
  }
  if (opened instanceof StoreError) {
    assert.equal(opened.exitCode, 65);
    return assert.match(opened.message, /(?:repair|[Rr]estore|Remove it|Move it)/, "says what mends it");
  }
  assert.ok(!(opened instanceof Error), String(opened));
  const { damages, torn, close } = opened as JsonFileStore;
  await close();
  assert.ok(damages.length + torn.length > 0, "the open says nothing");
  assert.ok(damages.length === 0 || file.startsWith("obs/"), "only prices are served with damage");
}
