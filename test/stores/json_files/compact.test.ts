import assert from "node:assert/strict";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import {
  backupStore,
  connectToStore,
  type FileSystem,
  type JsonFileStore,
  nodeFileSystem,
  type RepairPlan,
  readJsonFiles,
  repairStore,
  verifyStore,
} from "../../../adapters/stores/json_files/mod.ts";
import { NO_PROCESS } from "../../../adapters/stores/shared/imports.ts";
import type { AssetCode } from "../../../core/branded_types.ts";
import type { Observation } from "../../../core/market/observation.ts";
import { imported, undo } from "../../support/imports_suite.ts";
import { edit, faultyFileSystem, linesOf, NOW, newDirectory, openAt } from "../../support/json_files_fixtures.ts";
import { observed } from "../../support/store_suite.ts";

const OTHER = "BTC_USD" as AssetCode;
const small = { segmentBytes: 4_000 };
/** Larger than any of these logs, so that none is compacted automatically. */
const large = { segmentBytes: 1 << 26 };

function recordsOf({
  observations,
}: {
  readonly observations: Pick<JsonFileStore["observations"], "records">;
}): readonly Observation[] {
  return [...observations.records()];
}

async function logNames(directory: string): Promise<string[]> {
  return (await readdir(join(directory, "obs"))).sort();
}

async function sizeOfLog(directory: string): Promise<number> {
  const sizes = (await logNames(directory)).map(async (name) => (await stat(join(directory, "obs", name))).size);
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

/** Stores records of all kinds in several files, most of them replaced five times, and some removed. */
async function fill(store: JsonFileStore): Promise<void> {
  for (let round = 1; round <= 5; round++) {
    const insertTime = (NOW + round) as typeof NOW;
    await store.observations.append(
      Array.from({ length: 40 }, (_, minute) =>
        observed(minute, minute + round / 8, { insertTime, provider: `p${minute % 3}` }),
      ),
    );
    await store.observations.append([
      observed(50, round, { code: OTHER, qualityStatus: "PENDING", qualityMessage: `round ${round} «بررسی»` }),
    ]);
  }
  await store.observations.append([
    observed(3, 9, { qualityStatus: "REJECTED", sourceTime: NOW }),
    observed(60, 0.1 + 0.2),
  ]);
  await undo(store.imports, await imported(store.imports, [observed(7, 700), observed(70, 700)]));
}

test("compact: keeps every record with its insert time and order, and removes superseded lines from the disk", async () => {
  for (const options of [small, large]) {
    const directory = await newDirectory();
    const store = await openAt(directory, { ...large, ...options });
    await fill(store);
    const before = recordsOf(store);
    const size = await sizeOfLog(directory);
    const version = store.observations.version();
    const { records, bytes, freed } = await store.compact();
    assert.deepEqual([records, bytes + freed, bytes], [before.length, size, await sizeOfLog(directory)]);
    assert.ok(bytes < size / 2, `${bytes} of ${size}`);
    assert.equal(store.observations.version(), version, "no record has changed");
    await store.close();
    for (const found of [store, await readJsonFiles(directory)]) assert.deepEqual(recordsOf(found), before);
    assert.equal((await verifyStore(directory)).state, 0);
  }
});

test("compact: keeps what feeds have replaced today, once, because new values are compared with it", async () => {
  const directory = await newDirectory();
  const yesterday = (NOW - 9e7) as typeof NOW;
  const first = [1, 2, 3].map((minute) => observed(minute, minute, { insertTime: yesterday }));
  const day = { code: first[0]!.code, from: first[1]!.businessTime, to: observed(3, 1).businessTime };
  const plan = { type: "import", subjects: [], by: NO_PROCESS, source: "key:a" } as const;
  for (let round = 0; round < 3; round++) {
    const store = await openAt(directory, large);
    if (round === 0) await store.observations.append(first, "mirror");
    await store.observations.append([observed(2, 9 + round, { insertTime: NOW })], "mirror");
    await store.imports.append((await store.imports.begin(plan)).id, [observed(3, 9)], false, NOW);
    const [found] = store.observations.references([day], (NOW - 9) as typeof NOW, null);
    assert.deepEqual([found!.same?.value, found!.last?.value], [2, 9 + round]);
    await store.compact();
    await store.close();
    const base = (await linesOf(join(directory, `obs/base-0000000${round + 2}.ndjson`))).join("\n");
    assert.equal(base.match(/"at":\[\d+\]/g)?.length, 2, "one record of each feed");
  }
  await edit(directory, "obs/base-00000004.ndjson", (text) => text.replace('"at":', '"by":'));
  const confirm = async ({ lost }: RepairPlan) => lost.every(({ records }) => records === undefined);
  assert.equal((await repairStore(directory, { now: NOW, confirm })).length > 0, true, "no stored record is lost");
});

test("compact: leaves an unchanged log alone, and compacting twice gives the same log as compacting once", async () => {
  const directory = await newDirectory();
  const store = await openAt(directory, large);
  for (let round = 0; round < 2; round++) {
    await fill(store);
    const { records, bytes } = await store.compact();
    const names = await logNames(directory);
    assert.deepEqual(await store.compact(), { records, bytes, freed: 0 });
    assert.deepEqual(await logNames(directory), names);
    const kinds = names.map((name) => name.slice(0, 4));
    assert.deepEqual(kinds, ["base", "obs-"]);
  }
  await store.close();
});

test("compact: sorts records that were appended one by one in any order, and writes many of them into each line", async () => {
  for (const orderOf of [(i: number) => 299 - i, (i: number) => (i * 7) % 300]) {
    const directory = await newDirectory();
    const store = await openAt(directory, large);
    await Promise.all(Array.from({ length: 300 }, (_, i) => store.observations.append([observed(orderOf(i), 1)])));
    await store.compact();
    await store.close();
    const [, ...lines] = await linesOf(join(directory, "obs/base-00000002.ndjson"));
    assert.deepEqual(
      lines.map((line) => (JSON.parse(line) as { businessTime: number[] }).businessTime),
      Array.from({ length: 6 }, (_, line) =>
        Array.from({ length: 50 }, (_, i) => observed(line * 50 + i, 1).businessTime),
      ),
    );
  }
});

test("compact: a backup, verify and a reader start over if a compaction removes the files that they read", async () => {
  const directory = await newDirectory();
  const store = await openAt(directory, large);
  let compacted = 0;
  /** A file system on which a compaction happens after the files are listed, and before the oldest one is read. */
  async function compactingOnce(): Promise<FileSystem> {
    await fill(store);
    const [oldest] = (await logNames(directory)).filter((name) => name.startsWith("obs"));
    let opened = 0;
    return {
      ...nodeFileSystem,
      async open(path, how) {
        if (path.endsWith(oldest!) && how === "read" && ++opened === 1) {
          await store.compact();
          compacted++;
        }
        return nodeFileSystem.open(path, how);
      },
    };
  }
  const place = join(await newDirectory(), "backup");
  await backupStore(directory, place, { now: NOW, fs: await compactingOnce() });
  assert.equal((await verifyStore(place)).state, 0);
  assert.equal((await verifyStore(directory, await compactingOnce())).state, 0);
  assert.deepEqual(recordsOf(await readJsonFiles(directory, await compactingOnce())), recordsOf(store));
  assert.equal(compacted, 3);
  await store.close();
});

test("compact: other processes request a compaction on the owner's socket, and simultaneous requests share one run", async () => {
  const directory = await newDirectory();
  const store = await openAt(directory, large);
  await fill(store);
  const client = (await connectToStore(directory))!;
  const [asked, one, other] = await Promise.all([client.compact(), store.compact(), store.compact()]);
  assert.equal(one, other);
  assert.ok(
    asked.records === recordsOf(store).length && one.freed > 0,
    `${asked.records} records, ${one.freed} bytes freed`,
  );
  await client.close();
  await store.close();
});

/** Stores 40 lines of `recordsALine` records each. */
async function fillLines(store: JsonFileStore, recordsALine: number): Promise<void> {
  for (let line = 0; line < 40; line++) {
    const minutes = Array.from({ length: recordsALine }, (_, i) => line * recordsALine + i);
    await store.observations.append(minutes.map((minute) => observed(minute, 1)));
  }
}

test("compact: at the start, a log is compacted if more than an eighth of it is superseded or its lines are short, unless the log is small", async () => {
  for (const [write, segmentBytes, isCompacted] of [
    [fill, 20_000, true],
    [fill, 1 << 20, false],
    [(store: JsonFileStore) => fillLines(store, 7), 4_000, true],
    [(store: JsonFileStore) => fillLines(store, 8), 4_000, false],
  ] as const) {
    const directory = await newDirectory();
    let store = await openAt(directory, large);
    await write(store);
    await store.close();
    const before = recordsOf(store);
    store = await openAt(directory, { segmentBytes });
    await store.close(); // Waits for the compaction.
    assert.equal((await logNames(directory)).includes("base-00000002.ndjson"), isCompacted, `${segmentBytes}`);
    assert.deepEqual(recordsOf(await readJsonFiles(directory)), before);
  }
});

test("compact: reports a disk without enough space before anything is written", async () => {
  const directory = await newDirectory();
  let free = 1_000;
  const fs: FileSystem = { ...faultyFileSystem(() => {}), freeBytes: async () => free };
  const store = await openAt(directory, { ...large, fs });
  await fill(store);
  const names = await logNames(directory);
  await assert.rejects(store.compact(), { name: "Unavailable", message: /the disk has 1000 free bytes/ });
  assert.deepEqual(await logNames(directory), names);
  free = 1 << 20;
  assert.equal((await store.compact()).freed > 0, true);
  await store.close();
});
