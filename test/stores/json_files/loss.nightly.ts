// If data that the store once wrote is missing, every start and every verify reports damage.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { cp, readdir, rm, truncate } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { DataDamaged, type JsonFileStore, repairStore, verifyStore } from "../../../adapters/stores/json_files/mod.ts";
import type { AccountId, CalendarDate } from "../../../core/branded_types.ts";
import { Unavailable } from "../../../core/ports.ts";
import { copyOf, NOW, newDirectory, openAt } from "../../support/json_files_fixtures.ts";
import { accountWithKey, observed } from "../../support/store_suite.ts";

const ALICE = "alice" as AccountId;
const YESTERDAY = "2026-11-20" as CalendarDate;
const TODAY = "2026-11-21" as CalendarDate;
/** The counters of this day are not read at the start. */
const LONG_AGO = "2026-11-02" as CalendarDate;
const LIMIT = 40;
const RECORDS = 12;
const SMALL_FILES = { segmentBytes: 400 };

/** A store with several files of observations and three days of counters: after a clean stop, and after a crash. */
async function filled(): Promise<{ readonly stopped: string; readonly crashed: string }> {
  const stopped = await newDirectory();
  const store = await openAt(stopped, SMALL_FILES);
  await store.access.update([accountWithKey(ALICE)]);
  for (const day of [LONG_AGO, YESTERDAY, TODAY])
    for (let unit = 0; unit < 4; unit++) await store.quota.take(ALICE, day, LIMIT);
  for (let minute = 1; minute <= RECORDS; minute++) await store.observations.append([observed(minute, minute)]);
  const crashed = await copyOf(stopped);
  await store.close();
  return { stopped, crashed };
}

/** Demands that the store does not open or, if only counters of an old day are lost, that it refuses that day. */
async function demandRefused(directory: string, name: string, what: string): Promise<void> {
  const opened = await openAt(directory, SMALL_FILES).catch((error: unknown) => error);
  if (opened instanceof Error) {
    assert.ok(
      opened instanceof DataDamaged && opened.message.includes(name.slice(0, 16)),
      `${what}: ${opened.message}`,
    );
    return;
  }
  const store = opened as JsonFileStore;
  assert.ok(name.includes(LONG_AGO), `${what}: the store must not open`);
  await assert.rejects(async () => store.quota.take(ALICE, LONG_AGO, LIMIT), Unavailable, what);
  await store.close();
}

type Loss = readonly [what: string, act: (path: string) => Promise<unknown>];

/** Ways in which a file is lost or shortened. No crash can cause them, however the store was stopped. */
const LOSSES: readonly Loss[] = [
  ["deleted", (path) => rm(path)],
  ["emptied", (path) => truncate(path)],
  ["cut within its header", (path) => truncate(path, 50)],
];

function valuesOf({ observations }: JsonFileStore): number[] {
  return [...observations.records()].map(({ value }) => value);
}

/** The store opens and serves exactly the remaining records. It reports the loss, now and at every later start. */
async function demandReport(directory: string, what: string): Promise<void> {
  // The version of an undamaged store ends with the number of its last line, after a `.`.
  const versions = new Set(Array.from({ length: RECORDS + 1 }, (_, sequence) => String(sequence)));
  for (let start = 0; start < 2; start++) {
    assert.equal((await verifyStore(directory)).state, 2, `${what}: verify before start ${start}`);
    const store = await openAt(directory, SMALL_FILES);
    assert.ok(store.damages.length > 0, `${what}: start ${start}`);
    const values = valuesOf(store);
    for (const value of values) assert.ok(Number.isInteger(value), what);
    await store.observations.append([observed(100 + start, 1_000 + start)]);
    assert.deepEqual(valuesOf(store), [...values, 1_000 + start], what);
    const [, ...version] = (await store.observations.version()).split(".");
    assert.ok(!versions.has(version.join(".")), `${what}: version ${version.join(".")} is repeated`);
    versions.add(version.join("."));
    await store.close();
  }
}

/** For each file in a folder and each loss: a copy of the store with this loss, the file's name, and a description. */
async function* lossesIn(folder: string, losses: readonly Loss[]): AsyncGenerator<readonly [string, string, string]> {
  for (const [how, origin] of Object.entries(await filled())) {
    const names = (await readdir(join(origin, folder))).filter((name) => name.endsWith(".ndjson")).sort();
    assert.ok(names.length >= 3, names.join());
    for (const name of names) {
      for (const [what, act] of losses) {
        const directory = await copyOf(origin);
        await act(join(directory, folder, name));
        yield [directory, name, `${how}: ${name} ${what}`];
      }
    }
  }
}

test("loss: a deleted, emptied or cut file of observations is reported, and the rest is served", async () => {
  for await (const [directory, , what] of lossesIn("obs", LOSSES)) await demandReport(directory, what);
});

test("loss: if a day's counters are deleted, emptied, cut or replaced by those of another day, the store does not open, and no counter starts at zero", async () => {
  const swap: Loss = [
    "is another day's",
    (path) =>
      cp(
        path.replace(/\d{4}-\d\d-\d\d/, (day) => (day === TODAY ? YESTERDAY : TODAY)),
        path,
      ),
  ];
  for await (const [directory, name, what] of lossesIn("quota", [...LOSSES, swap])) {
    for (let start = 0; start < 2; start++) {
      await demandRefused(directory, name, what);
      assert.ok((await verifyStore(directory)).state >= 2, `${what}: verify`);
    }
    // A repair does not remove the file of another day, so this damage remains.
    if (what.endsWith(swap[0])) continue;
    assert.ok((await repairStore(directory, { now: NOW })).length > 0, what);
    const store = await openAt(directory, SMALL_FILES);
    const day = /\d{4}-\d\d-\d\d/.exec(name)![0] as CalendarDate;
    const taken = await store.quota.take(ALICE, day, LIMIT);
    assert.deepEqual(taken, { granted: false, used: 50 }, `${what}: no unit is granted a second time`);
    await store.close();
    assert.equal((await verifyStore(directory)).state, 0, `${what}: after the repair`);
  }
});

for (const name of ["obs", "quota", "accounts"]) {
  test(`loss: without ${name}/ the store is refused unchanged, even for a change of accounts; a repair makes an empty folder`, async () => {
    const { stopped, crashed } = await filled();
    for (const origin of [stopped, crashed]) {
      const directory = await copyOf(origin);
      await rm(join(directory, name), { recursive: true });
      const refusal = {
        name: "DataDamaged",
        exitCode: 65,
        message: new RegExp(
          `/${name}" is missing\\. Nothing was changed\\. Put the directory back or restore a backup; `,
        ),
      };
      await assert.rejects(openAt(directory, SMALL_FILES), refusal);
      assert.equal(existsSync(join(directory, name)), false);
      assert.equal((await verifyStore(directory)).state >= 2, true);
      await repairStore(directory, { now: NOW });
      await (await openAt(directory, SMALL_FILES)).close();
      assert.equal((await verifyStore(directory)).state, 0);
    }
  });
}
