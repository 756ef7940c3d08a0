import assert from "node:assert/strict";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { crc32 } from "node:zlib";
import type { JsonFileStore, StoreError } from "../../../adapters/stores/json_files/mod.ts";
import type { AccountId, CalendarDate } from "../../../core/branded_types.ts";
import { Unavailable } from "../../../core/ports.ts";
import { PLAN } from "../../support/imports_suite.ts";
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

interface LogLine {
  readonly s: number;
  readonly e?: 1;
  readonly businessTime: readonly number[];
  readonly value: readonly number[];
}

test("log: each line is plain JSON with a sequence number, the lock's generation and, last, a checksum", async () => {
  const directory = await newDirectory();
  const store = await openAt(directory);
  await store.observations.append([
    observed(1, 0.00000098),
    observed(2, 1_050_000, { provider: "بازار", qualityStatus: "PENDING" }),
  ]);
  await store.close();

  const lines = await linesOf(join(directory, FIRST_SEGMENT));
  const [header, first, second] = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  assert.deepEqual(Object.keys(header!), ["kind", "schema", "storeId", "segment", "first", "prev", "k"]);
  assert.deepEqual([header!["kind"], header!["schema"], header!["storeId"]], ["obs", 3, store.storeId]);
  const { k: _, ...members } = first!;
  const { businessTime, insertTime } = observed(1, 1);
  const origin = { source: "embedder", code: "USD_RLS" };
  const columns = { businessTime: [businessTime], value: [0.00000098], insertTime };
  assert.deepEqual(members, { s: 1, g: 1, type: "observations", ...origin, ...columns });
  assert.deepEqual([second!["s"], second!["type"], second!["provider"], second!["e"]], [2, "pending", "بازار", 1]);
  for (const line of lines) {
    const body = line.slice(0, line.lastIndexOf(',"k":'));
    const check = crc32(body, crc32(`${store.storeId}/obs`))
      .toString(16)
      .padStart(8, "0");
    assert.equal(line, `${body},"k":"${check}"}`);
  }
});

test("log: only the owner of the files can access them", async () => {
  const directory = join(await newDirectory(), "deep", "data");
  const store = await openAt(directory);
  await store.observations.append([observed(1, 1)]);
  await store.accounts.update([]);
  await store.close();
  for (const path of ["", "obs", "accounts", "quota", "quarantine"]) {
    assert.equal((await stat(join(directory, path))).mode & 0o777, 0o700, path);
  }
  for (const path of ["MANIFEST.json", FIRST_SEGMENT, "accounts/accounts.json"]) {
    assert.equal((await stat(join(directory, path))).mode & 0o777, 0o600, path);
  }
});

test("log: calls during a write are decided in order, each on the result of the calls before it, and share the next write and sync", async () => {
  const calls: string[] = [];
  let isHeld = true;
  const later: Promise<unknown>[] = [];
  const fs = faultyFileSystem((call, path) => {
    if (!path.includes("obs-")) return;
    calls.push(call);
    if (call !== "datasync" || !isHeld) return;
    isHeld = false;
    const { observations, imports } = store;
    for (const value of [1, 2, 2]) later.push(observations.append([observed(1, value)]));
    for (let id = 1; id <= 2; id++) later.push(imports.begin(PLAN).then((begun) => begun.id));
    later.push(imports.append(2, [observed(1, 3)], false).then(({ replaced }) => replaced));
  });
  const store = await openAt(await newDirectory(), { fs });
  calls.length = 0;
  const same = { accepted: 0, replaced: 0, unchanged: 1 };
  const added = { accepted: 1, replaced: 0, unchanged: 0 };
  assert.deepEqual(await store.observations.append([observed(1, 1)]), added);
  const expected = [same, { accepted: 0, replaced: 1, unchanged: 0 }, same, 1, 2, 1];
  assert.deepEqual(await Promise.all(later), expected);
  assert.deepEqual(calls, ["write", "datasync", "write", "datasync"]);
  await store.close();
});

test("log: a failed sync stops the store for good, and is not retried", async () => {
  const directory = await newDirectory();
  let [failing, syncs] = [false, 0];
  const fatal: StoreError[] = [];
  const fs = faultyFileSystem((call) => {
    if (!failing || !/sync/i.test(call)) return;
    syncs++;
    throw systemError("EIO");
  });
  const store = await openAt(directory, { fs, onFatal: (error) => fatal.push(error) });
  await store.observations.append([observed(1, 1)]);
  failing = true;
  await assert.rejects(store.observations.append([observed(2, 2)]), Unavailable);
  assert.equal(syncs, 1);
  failing = false;
  await refusesAll(store);
  const message = `The store has failed: ${systemError("EIO").message}`;
  const codes = fatal.map((error) => error.exitCode);
  assert.deepEqual([codes, store.condition().problem], [[70], { kind: "failed", message }]);
  await store.close();
  const again = await openAt(directory);
  assert.deepEqual([...again.observations.records()], [observed(1, 1)]);
  await again.close();
});

async function refusesAll({ observations, accounts, quota }: JsonFileStore): Promise<void> {
  await assert.rejects(observations.append([observed(3, 3)]), Unavailable);
  await assert.rejects(accounts.update([]), Unavailable);
  await assert.rejects(async () => quota.take("a" as AccountId, "2026-11-21" as CalendarDate, 5), Unavailable);
}

test("log: a batch is refused as a whole if it or one of its lines is too large", async () => {
  const directory = await newDirectory();
  const store = await openAt(directory);
  await assert.rejects(
    store.observations.append([observed(1, 1), observed(2, 2, { qualityMessage: "x".repeat(70_000) })]),
    RangeError,
  );
  const long = Array.from({ length: 9_000 }, (_, i) => observed(i, 1, { qualityMessage: `${i}`.padEnd(1_000) }));
  await assert.rejects(store.observations.append(long), RangeError);
  assert.equal((await linesOf(join(directory, FIRST_SEGMENT))).length, 1);
  await store.close();
});

test("log: after close() every call is refused, except close() itself", async () => {
  const store = await openAt(await newDirectory());
  const last = store.observations.append([observed(1, 1)]);
  await Promise.all([store.close(), store.close()]);
  assert.deepEqual(await last, { accepted: 1, replaced: 0, unchanged: 0 }, "earlier calls are answered");
  await refusesAll(store);
});

test("log: concurrent batches give the same lines as sequential ones, and no batch is split, even if a write fails", async (t) => {
  const batches = Array.from({ length: 96 }, (_, i) =>
    Array.from({ length: 700 }, (_, j) => observed(i * 700 + j, i + 1, { qualityMessage: `${j}`.padEnd(80) })),
  );
  const directory = await newDirectory();
  let writes = 0;
  const fs = faultyFileSystem((call, path) => {
    if (call === "write" && path.includes("obs-0") && ++writes === 3) throw systemError("ENOSPC");
  });
  const store = await openAt(directory, { fs });
  // After a failed write, the other writes would be refused for a while.
  let now = performance.now();
  t.mock.method(performance, "now", () => (now += 10_000));
  const outcomes = await Promise.allSettled(batches.map((batch) => store.observations.append(batch)));
  await store.close();
  const kept = batches.filter((_, i) => outcomes[i]!.status === "fulfilled");
  assert.ok(kept.length > 0 && kept.length < batches.length, `${kept.length}`);
  const lines = (await linesOf(join(directory, FIRST_SEGMENT))).slice(1).map((line) => JSON.parse(line) as LogLine);
  const values = kept.flat().map(({ value }) => value);
  assert.deepEqual([values], [lines.flatMap(({ value }) => value)]);
  for (const [i, { s, e, businessTime }] of lines.entries()) {
    assert.deepEqual([s, businessTime.length], [i + 1, 50]);
    if ((i + 1) % (700 / 50) !== 0) assert.equal(e, undefined, "a batch is never split");
  }
});

for (const failing of ["write", "datasync"] as const) {
  test(`log: after a ${failing} fails on a read-only file system, no restart is needed; a torn end is cut off before the next group`, async (t) => {
    let isReadOnly = false;
    const directory = await newDirectory();
    const fs = faultyFileSystem((call, path) => {
      const isFailing = ["truncate", "datasync", failing].includes(call);
      if (isReadOnly && isFailing && path.includes("obs")) throw systemError("EROFS");
    });
    const failures: unknown[] = [];
    const store = await openAt(directory, { fs, onFatal: (error) => failures.push(error) });
    t.after(() => store.close());
    let now = performance.now();
    t.mock.method(performance, "now", () => now);
    await store.observations.append([observed(1, 1)]);
    isReadOnly = true;
    for (let tries = 0; tries < 2; tries++, now += 5_001)
      await assert.rejects(store.observations.append([observed(2, 2)]), /accepts no more data.*EROFS/);
    assert.equal(store.condition().problem?.kind, "writes-failing");
    const after = await openAt(await copyOf(directory)); // The store that a start at this moment would find.
    assert.deepEqual([after.damages, [...after.observations.records()][0]?.value], [[], 1]);
    await after.close();
    isReadOnly = false;
    await store.observations.append([observed(3, 3)]);
    assert.deepEqual([store.condition().problem, failures], [undefined, []]);
    const lines = (await linesOf(join(directory, FIRST_SEGMENT))).slice(1);
    const numbers = Array.from(lines, (line) => (JSON.parse(line) as LogLine).value);
    assert.deepEqual(numbers, [[1], [3]]);
  });
}

test("log: a store reports failing writes from the first refused write until a write succeeds, and counts its syncs", async (t) => {
  let isFull = false;
  const fs = faultyFileSystem((call) => {
    if (call === "write" && isFull) throw systemError("ENOSPC");
  });
  const store = await openAt(await newDirectory(), { fs });
  let now = performance.now();
  t.mock.method(performance, "now", () => now);
  t.after(() => store.close());
  await store.observations.append([observed(1, 1)]);
  const { problem, syncs } = store.condition();
  assert.equal(problem, undefined);
  assert.ok(syncs >= 1, String(syncs));

  isFull = true;
  // The second call repeats the first, which was not stored, so both must fail.
  const both = [store.observations.append([observed(2, 1)]), store.observations.append([observed(2, 1)])];
  await Promise.all(both.map((one) => assert.rejects(one, /accepts no more data/)));
  const refused = store.condition().problem;
  const message = `The disk accepts no more data: ${systemError("ENOSPC").message}`;
  assert.deepEqual([refused?.kind, refused?.message], ["writes-failing", message]);
  await assert.rejects(store.observations.append([observed(2, 1)]), /at the moment/);
  assert.equal(store.condition().problem, refused, "a call that is refused without a write does not change the report");
  now += 5_001;
  await assert.rejects(store.observations.append([observed(2, 1)]), /accepts no more data/);
  assert.notEqual(store.condition().problem, refused);

  isFull = false;
  now += 5_001;
  await store.observations.append([observed(2, 1)]);
  assert.equal(store.condition().problem, undefined);
});

test("log: a batch without changes causes no write and no sync", async (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] }); // No heartbeat.
  const calls: string[] = [];
  const fs = faultyFileSystem((call) => void calls.push(call));
  const store = await openAt(await newDirectory(), { fs });
  await store.observations.append([observed(1, 1), observed(2, 2)]);
  calls.length = 0;
  const outcome = await store.observations.append([observed(2, 2), observed(1, 1, { insertTime: NOW })]);
  assert.deepEqual([outcome, calls], [{ accepted: 0, replaced: 0, unchanged: 2 }, []]);
  await store.close();
});
