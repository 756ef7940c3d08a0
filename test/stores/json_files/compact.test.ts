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
  readJsonFiles,
  restoreStore,
  verifyStore,
} from "../../../adapters/stores/json_files/mod.ts";
import type { AssetCode, CalendarDate } from "../../../core/branded_types.ts";
import type { Observation } from "../../../core/market/observation.ts";
import { type ObservationKey, Unavailable } from "../../../core/ports.ts";
import { imported, PLAN, undo } from "../../support/imports_suite.ts";
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
import { runs } from "../../support/suite_size.ts";

const OTHER = "BTC_USD" as AssetCode;
const DAY = "2026-11-21" as CalendarDate;
const small = { segmentBytes: 4_000 };
/** Larger than any of these logs, so that none is compacted automatically. */
const large = { segmentBytes: 1 << 26 };

function keyAt(minute: number): ObservationKey {
  const { code, businessTime } = observed(minute, 1);
  return { code, businessTime };
}

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

/** Records of all kinds in several files. Most were replaced five times, and some were removed. */
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
    let store = await openAt(directory, { ...large, ...options });
    await fill(store);
    const before = recordsOf(store);
    const size = await sizeOfLog(directory);
    const version = store.observations.version();
    const { records, bytes, freed } = await store.compact();
    assert.deepEqual([records, bytes + freed, bytes], [before.length, size, await sizeOfLog(directory)]);
    assert.ok(bytes < size / 2, `${bytes} of ${size}`);
    assert.deepEqual(recordsOf(store), before);
    assert.equal(store.observations.version(), version, "no record has changed");
    await store.observations.append([observed(61, 61)]);
    await store.close();
    store = await openAt(directory, options);
    assert.deepEqual([recordsOf(store).length, store.damages, store.torn], [before.length + 1, [], []]);
    assert.deepEqual(
      recordsOf(store).filter(({ value }) => value !== 61),
      before,
    );
    assert.deepEqual((await verifyStore(directory)).state, 0);
    const reader = await readJsonFiles(directory);
    assert.deepEqual(recordsOf(reader), recordsOf(store));
    await store.close();
  }
});

test("compact: leaves an unchanged log alone, and compacting twice gives the same log as compacting once", async () => {
  const directory = await newDirectory();
  const store = await openAt(directory, large);
  await store.observations.append([observed(1, 1), observed(2, 2)]);
  await store.compact();
  const names = await logNames(directory);
  assert.equal((await store.compact()).freed, 0);
  assert.deepEqual(await logNames(directory), names);
  await fill(store);
  const { bytes } = await store.compact();
  assert.deepEqual(await store.compact(), { records: recordsOf(store).length, bytes, freed: 0 });
  await store.observations.append([observed(1, 77)]);
  await store.compact();
  assert.deepEqual(
    (await logNames(directory)).map((name) => name.slice(0, 4)),
    ["base", "obs-"],
  );
  await store.close();
});

test("compact: sorts records that came one by one in any order, and puts several in one line", async () => {
  for (const orderOf of [(i: number) => 299 - i, (i: number) => (i * 7) % 300]) {
    const directory = await newDirectory();
    const store = await openAt(directory, large);
    await Promise.all(Array.from({ length: 300 }, (_, i) => store.observations.append([observed(orderOf(i), 1)])));
    await store.compact();
    await store.close();
    const [, ...lines] = await linesOf(join(directory, "obs/base-00000002.ndjson"));
    assert.deepEqual(
      lines.map((line) => (JSON.parse(line) as { businessTime: number[] }).businessTime),
      Array.from({ length: 6 }, (_, line) => Array.from({ length: 50 }, (_, i) => keyAt(line * 50 + i).businessTime)),
    );
  }
});

function slowWrites(): FileSystem {
  const fs = faultyFileSystem(() => {});
  return {
    ...fs,
    async open(path, how) {
      const file = await fs.open(path, how);
      if (!path.includes("/base-")) return file;
      return {
        ...file,
        write: (bytes) =>
          new Promise((resolve, reject) => setTimeout(() => file.write(bytes).then(resolve, reject), 3)),
      };
    },
  };
}

test("compact: a backup, verify and a reader at the same time see the records of one moment", async () => {
  const directory = await newDirectory();
  const store = await openAt(directory, { ...large, fs: slowWrites() });
  for (const change of [0, 1])
    await store.observations.append(
      Array.from({ length: 2_000 }, (_, minute) => observed(minute, minute + 1 + change)),
    );
  for (let round = 0; round < runs(2); round++) {
    await store.observations.append([observed(1, 70_000 + round)]);
    const place = join(await newDirectory(), "backup");
    const [, , report, read] = await Promise.all([
      store.compact(),
      backupStore(directory, place, { now: NOW }),
      verifyStore(directory),
      readJsonFiles(directory),
    ]);
    assert.deepEqual([report.state, (await verifyStore(place)).state], [0, 0]);
    const target = join(await newDirectory(), "data");
    await restoreStore(place, target, { now: NOW, today: DAY, quota: "spent" });
    for (const found of [read, await readJsonFiles(target)]) assert.deepEqual(recordsOf(found), recordsOf(store));
  }
  await store.close();
});

test("compact: a backup starts over if its files are removed while it reads them", async () => {
  const directory = await newDirectory();
  const store = await openAt(directory, large);
  await fill(store);
  let compacted = 0;
  // After the files are listed, and before the first of them is read.
  const fs: FileSystem = {
    ...nodeFileSystem,
    async open(path, how) {
      if (path.includes("obs-00000001") && how === "read" && ++compacted === 1) await store.compact();
      return nodeFileSystem.open(path, how);
    },
  };
  const place = join(await newDirectory(), "backup");
  await backupStore(directory, place, { now: NOW, fs });
  assert.equal(compacted, 1, "the old file was opened once");
  assert.equal((await verifyStore(place)).state, 0);
  await store.close();
});

test("compact: other processes request it on the owner's socket, and two requests at once share one run", async () => {
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

test("compact: at the start, a log is compacted if more than an eighth is superseded, but not a small log", async () => {
  for (const [options, isCompacted] of [
    [{ segmentBytes: 20_000 }, true],
    [{ segmentBytes: 1 << 20 }, false],
  ] as const) {
    const directory = await newDirectory();
    let store = await openAt(directory, large);
    await fill(store);
    await store.close();
    const before = recordsOf(store);
    store = await openAt(directory, options);
    await store.close(); // Waits for it.
    assert.equal(
      (await logNames(directory)).some((name) => name.startsWith("base")),
      isCompacted,
    );
    store = await openAt(directory, large);
    assert.deepEqual(recordsOf(store), before);
    await store.close();
  }
});

test("compact: at the start, a log with fewer than eight records a line is compacted", async () => {
  for (const [recordsALine, isCompacted] of [
    [7, true],
    [8, false],
  ] as const) {
    const directory = await newDirectory();
    let store = await openAt(directory, large);
    for (let line = 0; line < 40; line++) {
      const minutes = Array.from({ length: recordsALine }, (_, i) => line * recordsALine + i);
      await store.observations.append(minutes.map((minute) => observed(minute, 1)));
    }
    await store.close();
    store = await openAt(directory, small);
    await store.close();
    assert.equal((await logNames(directory)).includes("base-00000002.ndjson"), isCompacted, `${recordsALine} a line`);
  }
});

test("compact: reports a disk without enough space before anything is written", async () => {
  const directory = await newDirectory();
  let free = 1_000;
  const fs: FileSystem = { ...faultyFileSystem(() => {}), freeBytes: async () => free };
  const store = await openAt(directory, { ...large, fs });
  await fill(store);
  const names = await logNames(directory);
  await assert.rejects(
    store.compact(),
    (error) => error instanceof Unavailable && /the disk has 1000 free bytes/.test(error.message),
  );
  assert.deepEqual(await logNames(directory), names);
  free = 1 << 20;
  assert.equal((await store.compact()).freed > 0, true);
  await store.close();
});

test("compact: if the next file could not be begun, no line is added to the old one", async () => {
  const directory = await newDirectory();
  let isFailing = false;
  const fs = faultyFileSystem((call, path) => {
    if (isFailing && call === "rename" && path.includes("MANIFEST")) throw systemError("ENOSPC");
  });
  let store = await openAt(directory, { ...large, fs });
  await fill(store);
  isFailing = true;
  await assert.rejects(store.compact(), Unavailable);
  isFailing = false;
  const lines = (await linesOf(join(directory, FIRST_SEGMENT))).length;
  await store.observations.append([observed(80, 80)]);
  assert.equal((await linesOf(join(directory, FIRST_SEGMENT))).length, lines);
  const crashed = await copyOf(directory);
  await store.close();
  store = await openAt(crashed, large);
  assert.deepEqual([store.damages, recordsOf(store).some(({ value }) => value === 80)], [[], true]);
  await store.close();
});

test("compact: records stored meanwhile are kept, even after a restart, and undo restores the records an import replaced", async () => {
  const directory = await newDirectory();
  // Every write waits for a turn of the event loop, so that many changes happen during one compaction.
  const fs = slowWrites();
  let store = await openAt(directory, { ...large, fs });
  for (const change of [0, 1])
    await store.observations.append(
      Array.from({ length: 5_000 }, (_, minute) => observed(minute, minute + 1 + change)),
    );
  await store.observations.append([observed(1, 5, { code: OTHER })]);
  const before = Array.from({ length: 100 }, (_, minute) => observed(10_000 + minute, 1));
  await store.observations.append(before);
  const { id } = await store.imports.begin(PLAN);
  let running = true;
  const compacting = store.compact().finally(() => (running = false));
  let changes = 0;
  for (let minute = 0; running; minute = (minute + 611) % 5_000) {
    await Promise.all([
      store.observations.append([
        observed(minute, 100_000 + minute),
        observed(minute + 1, 3, { qualityStatus: "PENDING" }),
      ]),
      store.observations.append([observed(-minute - 1, 4), observed(minute, 6, { code: OTHER })]),
      store.imports.append(id, [observed(10_000 + (changes % 100), 2)], false),
    ]);
    changes++;
  }
  await compacting;
  assert.ok(changes > 2, `${changes}`);
  const expected = recordsOf(store);
  await store.close();
  store = await openAt(directory, large);
  assert.deepEqual([store.damages, byKey(recordsOf(store))], [[], byKey(expected)]);
  assert.equal((await undo(store.imports, id)).restored, Math.min(changes, 100));
  const after = recordsOf(store).filter(({ businessTime }) => businessTime >= before[0]!.businessTime);
  assert.deepEqual(after, before);
  await store.close();
});

function byKey(records: readonly Observation[]): readonly Observation[] {
  return [...records].sort((a, b) => {
    if (a.code === b.code) return a.businessTime - b.businessTime;
    return a.code < b.code ? -1 : 1;
  });
}
