import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { appendFile, readFile, readdir, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { backupStore, nodeFileSystem, readJsonFiles, restoreStore, verifyStore } from "../../../adapters/json_files/mod.ts";
import type { FileSystem, JsonFileStore, ReadStore } from "../../../adapters/json_files/mod.ts";
import type { AssetCode, CalendarDate } from "../../../core/brand.ts";
import type { Observation } from "../../../core/market/observation.ts";
import { stride } from "../../support/size.ts";
import { observed } from "../../support/store_suite.ts";
import { NOW, copyOf, faultyFileSystem, newDirectory, openAt, systemError } from "../../support/store_suite_files.ts";

const CHECKPOINT = "obs/obs.snapshot";
const OTHER = "BTC_USD" as AssetCode;
const fast = { fastStart: true, segmentBytes: 1_500 };

/** Records of all kinds, in several files of the log: late, corrected, withheld, with remarks and without. */
const RECORDS: readonly Observation[] = [
  ...Array.from({ length: 30 }, (_, i) => observed(i, 1_000 + i / 8, { provider: i % 3 === 0 ? null : `provider ${i % 3}` })),
  observed(7, 5, { qualityStatus: "PENDING", qualityMessage: "بررسی" }),
  observed(8, 5, { qualityStatus: "REJECTED", qualityMessage: 'so "wrong"' }),
  observed(-3, 0.00000098, { sourceTime: observed(-4, 1).businessTime }),
  observed(9, 77, { qualityMessage: "corrected" }),
  ...Array.from({ length: 20 }, (_, i) => observed(i * 3, 60_000 + i, { code: OTHER, sourceTime: observed(i, 1).businessTime })),
];

async function filled(): Promise<string> {
  const directory = await newDirectory();
  const store = await openAt(directory, fast);
  for (const record of RECORDS) await store.observations.append([record]);
  await store.close();
  return directory;
}

/** All that a reader can see. */
async function shownBy(store: Pick<JsonFileStore, "observations" | "damages" | "torn"> | ReadStore): Promise<unknown> {
  const { observations, damages, torn } = store;
  const codes = [observed(0, 1).code, OTHER];
  return [
    [...observations.records()].sort((a, b) => (a.code + a.qualityStatus < b.code + b.qualityStatus ? -1 : 1)),
    ...[(await observations.latest(codes)).value, (await observations.coverage(codes)).value, observations.version(), codes.map((code) => observations.version([code]))],
    ...[damages, torn],
  ];
}

/** Whether a store opened with the checkpoint shows the same as one opened without; and that both do after one record more. */
async function demandSame(directory: string): Promise<void> {
  const copy = await copyOf(directory);
  await rm(join(copy, CHECKPOINT), { force: true });
  await demandSameRead(directory, copy);
  const [one, other] = [await openAt(directory, fast), await openAt(copy, { segmentBytes: 1_500 })];
  assert.deepEqual(await shownBy(one), await shownBy(other));
  for (const store of [one, other]) await store.observations.append([observed(500, 500), observed(2, 4)]);
  assert.deepEqual(await shownBy(one), await shownBy(other));
  await demandSameRead(directory, copy);
  await other.close();
  await one.close();
}

/** Whether both stores show the same when they are read without a lock, one of them from its checkpoint. */
async function demandSameRead(directory: string, copy: string): Promise<void> {
  const read = await readJsonFiles(directory, nodeFileSystem, { fastStart: true });
  assert.deepEqual(await shownBy(read), await shownBy(await readJsonFiles(copy)));
}

/** Opens a store, or does what is given, and tells how many bytes of the log's lines were read for it. */
async function bytesReadOf(directory: string, act = async (fs: FileSystem) => (await openAt(directory, { ...fast, fs })).close()): Promise<number> {
  let bytes = 0;
  const fs = faultyFileSystem(() => {});
  const counting: typeof fs = {
    ...fs,
    async open(path, how) {
      const file = await fs.open(path, how);
      if (!path.endsWith(".ndjson")) return file;
      return {
        ...file,
        async read(into, position) {
          const count = await file.read(into, position);
          bytes += count;
          return count;
        },
      };
    },
  };
  await act(counting);
  return bytes;
}

test("fast start: a store shows the same with it as without, and goes on as well", async () => {
  const directory = await filled();
  assert.equal((await readdir(join(directory, "obs"))).length > 3, true);
  await demandSame(directory);
  await demandSame(directory);
  assert.equal((await verifyStore(directory)).state, 0);
});

test("fast start: only what came after is read; what came without it is", async () => {
  const directory = await filled();
  const little = await bytesReadOf(directory);
  assert.ok(little < 1_500, `${little} bytes`);
  const read = await bytesReadOf(directory, async (fs) => void (await readJsonFiles(directory, fs, { fastStart: true })));
  assert.ok(read < 1_500, `${read} bytes without a lock`);
  const plain = await openAt(directory, { segmentBytes: 1_500 });
  for (let i = 0; i < 20; i++) await plain.observations.append([observed(600 + i, i + 1)]);
  await plain.close();
  assert.equal((await bytesReadOf(directory)) > little, true);
  await demandSame(directory);
});

test("fast start: a compacted store shows the same with it as without", async () => {
  const directory = await filled();
  const store = await openAt(directory, fast);
  await store.compact();
  await store.observations.append([observed(700, 700)]);
  await store.close();
  assert.equal((await readdir(join(directory, "obs"))).some((name) => name.startsWith("base-")), true);
  await demandSame(directory);
});

test("fast start: there is no checkpoint unless it is asked for", async () => {
  const directory = await newDirectory();
  const store = await openAt(directory);
  await store.observations.append([observed(1, 1)]);
  await store.close();
  assert.equal(existsSync(join(directory, CHECKPOINT)), false);
});

test("fast start: a checkpoint with any byte changed, cut off or added is as good as none", async () => {
  const directory = await filled();
  const good = await readFile(join(directory, CHECKPOINT));
  for (let at = 0; at < good.length; at += at < 40 || at > good.length - 20 ? stride(9) : stride(1_601)) {
    const bad = Buffer.from(good);
    bad[at]! ^= 1 << (at % 8);
    await writeFile(join(directory, CHECKPOINT), bad);
    const store = await openAt(directory, fast);
    assert.equal([...store.observations.records()].length, 51, `byte ${at}`);
    assert.equal(store.observations.version(), `${String(store.observations.version()).split(".")[0]}.${RECORDS.length}`);
    await store.close();
    // It is made anew.
    assert.deepEqual(await readFile(join(directory, CHECKPOINT)), good);
  }
  for (const bad of [Buffer.alloc(0), good.subarray(0, 12), good.subarray(0, -1), Buffer.concat([good, Buffer.alloc(1)]), Buffer.alloc(good.length)]) {
    await writeFile(join(directory, CHECKPOINT), bad);
    await demandSame(await copyOf(directory));
  }
});

test("fast start: a log that is not the one it was made of is read whole", async () => {
  const log = (directory: string, number: number): string => join(directory, `obs/obs-0000000${number}.ndjson`);
  const lastOf = async (directory: string): Promise<string> => join(directory, "obs", (await readdir(join(directory, "obs"))).filter((name) => name.endsWith("ndjson")).sort().at(-1)!);
  const changes: ((directory: string) => Promise<void>)[] = [
    async (directory) => truncate(log(directory, 1), 700),
    async (directory) => appendFile(log(directory, 1), "x"),
    async (directory) => rm(log(directory, 2)),
    async (directory) => rm(await lastOf(directory)),
    async (directory) => {
      const path = await lastOf(directory);
      const text = await readFile(path, "utf8");
      await truncate(path, text.lastIndexOf("\n", text.length - 2) + 1);
    },
    async (directory) => {
      const path = await lastOf(directory);
      const bytes = await readFile(path);
      bytes[bytes.length - 5]! ^= 1;
      await writeFile(path, bytes);
    },
    async (directory) => {
      const path = await lastOf(directory);
      await writeFile(path, (await readFile(path, "utf8")).replace('"kind"', '"kinD"'));
    },
  ];
  for (const change of changes) {
    const directory = await filled();
    await change(directory);
    const copy = await copyOf(directory);
    await rm(join(copy, CHECKPOINT));
    const outcome = async (place: string, options: typeof fast | object): Promise<unknown> => {
      try {
        const store = await openAt(place, options);
        const shown = await shownBy(store);
        await store.close();
        return shown;
      } catch (error) {
        return (error as { exitCode?: number }).exitCode;
      }
    };
    assert.deepEqual(await outcome(directory, fast), await outcome(copy, {}), change.toString());
  }
});

test("fast start: of a log with damage none is made", async () => {
  const directory = await filled();
  await rm(join(directory, CHECKPOINT));
  const path = join(directory, "obs/obs-00000001.ndjson");
  const text = await readFile(path, "utf8");
  await writeFile(path, text.replace('"v":"1001"', '"v":"1007"'));
  for (let i = 0; i < 2; i++) {
    const store = await openAt(directory, fast);
    assert.equal(store.damages.length, 1);
    await store.close();
    assert.equal(existsSync(join(directory, CHECKPOINT)), false);
  }
});

test("fast start: damage in lines that it stands for is not served, and verify finds it", async () => {
  const directory = await filled();
  const path = join(directory, "obs/obs-00000001.ndjson");
  const text = await readFile(path, "utf8");
  await writeFile(path, text.replace('"v":"1001"', '"v":"1007"'));
  const store = await openAt(directory, fast);
  assert.equal([...store.observations.records()].every(({ value }) => value !== 1_007), true);
  assert.equal([...store.observations.records()].length, 51);
  await store.close();
  assert.equal((await verifyStore(directory)).state, 2);
});

test("fast start: it is no part of a backup, and a restored store is read whole", async () => {
  const directory = await filled();
  const store = await openAt(directory, fast);
  const [backup, restored] = [join(await newDirectory(), "backup"), join(await newDirectory(), "store")];
  await backupStore(directory, backup, { now: NOW });
  await store.close();
  assert.equal((await readdir(join(backup, "obs"))).includes("obs.snapshot"), false);
  await restoreStore(backup, restored, { now: NOW, today: "2026-11-21" as CalendarDate, quota: "spent" });
  assert.equal((await readdir(join(restored, "obs"))).includes("obs.snapshot"), false);

  // Put there by hand, it does not fit: the store is another one now.
  await writeFile(join(restored, CHECKPOINT), await readFile(join(directory, CHECKPOINT)));
  assert.equal((await bytesReadOf(restored)) > 5_000, true);
  await demandSame(restored);
});

test("fast start: a checkpoint that cannot be written keeps nothing from closing, and leaves nothing behind", async () => {
  const directory = await filled();
  const before = await readFile(join(directory, CHECKPOINT));
  for (const call of ["write", "sync", "rename", "open"]) {
    let failing = false;
    const fs = faultyFileSystem((name, path) => {
      if (failing && name === call && path.includes("snapshot")) throw systemError("ENOSPC");
    });
    const store = await openAt(directory, { ...fast, fs });
    await store.observations.append([observed(900, 1)]);
    failing = true;
    await store.close();
    assert.deepEqual(await readFile(join(directory, CHECKPOINT)), before, call);
    assert.deepEqual((await readdir(join(directory, "obs"))).filter((name) => name.endsWith(".tmp")), []);
    await demandSame(await copyOf(directory));
  }
});
