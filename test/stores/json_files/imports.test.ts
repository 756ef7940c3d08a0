import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { connectOrOpen, type JsonFileStore } from "../../../adapters/stores/json_files/mod.ts";
import { TURN_CHANGES } from "../../../adapters/stores/price_state/in_turns.ts";
import {
  type Import,
  type ImportAccess,
  type ImportSummary,
  NO_PROCESS,
  NOTHING_DONE,
} from "../../../adapters/stores/shared/imports.ts";
import type { UtcMillis } from "../../../core/branded_types.ts";
import { type ImportsStore, imported, importsSuite, many, PLAN, recordsOf, undo } from "../../support/imports_suite.ts";
import {
  copyOf,
  edit,
  FIRST_SEGMENT,
  faultyFileSystem,
  linesOf,
  NOW,
  newDirectory,
  openAt,
  systemError,
} from "../../support/json_files_fixtures.ts";
import { createMemoryPrices } from "../../support/memory_prices.ts";
import { observed } from "../../support/store_suite.ts";

const PENDING = { qualityStatus: "PENDING", qualityMessage: "toman?" } as const;
const REJECTED = { qualityStatus: "REJECTED", qualityMessage: "wrong" } as const;
const { code: USD } = observed(1, 1);
const ALL = {
  code: USD,
  from: observed(0, 1).businessTime,
  to: observed(9_999, 1).businessTime,
  provider: null,
  pending: true,
};

importsSuite("json_files", async () => {
  const directory = await newDirectory();
  let store = await openAt(directory);
  const peers: { close(): Promise<void> }[] = [];
  const asSuite = ({ observations, access }: JsonFileStore): ImportsStore => ({
    observations,
    imports: access.imports,
  });
  return {
    store: asSuite(store),
    async reopen() {
      await store.access.compact();
      await store.close();
      store = await openAt(directory);
      return asSuite(store);
    },
    async peer() {
      const access = await connectOrOpen(directory, { clock: () => NOW });
      peers.push(access);
      return access.imports;
    },
    async close() {
      for (const peer of peers) await peer.close();
      await store.close();
    },
  };
});

async function numbersIn(imports: ImportAccess): Promise<readonly number[]> {
  return (await imports.list()).map(({ imported: { id } }) => id);
}

test("imports: each of 100 imports needs three synced writes and no reads, whether it adds or replaces records", async () => {
  const calls = { write: 0, datasync: 0, read: 0, open: 0 };
  const fs = faultyFileSystem((call) => {
    if (call in calls) calls[call as keyof typeof calls]++;
  });
  const store = await openAt(await newDirectory(), { fs });
  await imported(store.imports, many(20, 1));
  const before = { ...calls };
  for (let n = 0; n < 100; n++) await imported(store.imports, n % 2 === 0 ? many(20, 2 + n) : [observed(100 + n, 1)]);
  const { write, datasync, read, open } = calls;
  assert.deepEqual([write - before.write, datasync - before.datasync], [300, 300]);
  assert.deepEqual([read, open], [before.read, before.open]);
  await store.close();
});

test("imports: an interrupted undo continues when requested again", async () => {
  const directory = await newDirectory();
  let writesLeft = Infinity;
  const fs = faultyFileSystem((call, path) => {
    if (call === "write" && path.endsWith("obs-00000001.ndjson") && --writesLeft < 0) throw systemError("ENOSPC");
  });
  const store = await openAt(directory, { fs });
  await store.observations.append(many(3_000, 1));
  const before = await recordsOf(store);
  const id = await imported(store.access.imports, many(6_000, 100));
  writesLeft = 2; // One write for the start of the undo, and one for its first turn.
  await assert.rejects(undo(store.access.imports, id), /accepts no more data/);
  assert.notDeepEqual(await recordsOf(store), before);
  await store.close();

  const again = await openAt(directory);
  assert.deepEqual(await undo(again.access.imports, id), {
    restored: 3_000 - TURN_CHANGES,
    removed: 3_000,
    replacedSince: 0,
    unknown: 0,
  });
  assert.deepEqual(await recordsOf(again), before);
  await again.close();
});

test("imports: while an undo reads the log, nothing can be added to the import, and records stored meanwhile stay", async () => {
  let meanwhile: (() => Promise<unknown>) | undefined;
  let happened: Promise<unknown> | undefined;
  const fs = faultyFileSystem((call, path) => {
    if (call !== "close" || !path.endsWith("obs-00000001.ndjson")) return;
    happened ??= meanwhile?.();
  });
  const store = await openAt(await newDirectory(), { fs });
  const { imports } = store;
  await store.observations.append([observed(1, 1), observed(2, 2), observed(3, 3)]);
  const { id } = await imports.begin(PLAN);
  await imports.append(id, [observed(1, 10), observed(3, 30)], false);
  meanwhile = () =>
    Promise.all([
      assert.rejects(imports.append(id, [observed(2, 20)], false), /import 1 because it is undone/),
      store.observations.append([observed(3, 31)]),
    ]);
  assert.deepEqual(await undo(imports, id), { restored: 1, removed: 0, replacedSince: null, unknown: 0 });
  assert.ok(happened, "it has happened");
  await happened;
  assert.deepEqual(await recordsOf(store), [observed(1, 1), observed(2, 2), observed(3, 31)]);
  await store.close();
});

test("imports: of several pending values for the same time, the last is accepted, even if the decision needs several writes", async () => {
  const store = await openAt(await newDirectory());
  const pending = many(2_500, 1).map((one) => ({ ...one, ...PENDING }));
  for (const [source, later] of [
    ["b", 0],
    ["a", 1],
  ] as const)
    await store.observations.append(
      pending
        .map((one) => ({ ...one, value: one.value + later / 2, insertTime: (NOW + later) as UtcMillis }))
        .slice(1 - later),
      source,
    );
  const { id } = await store.imports.begin(PLAN);
  await store.imports.decide(id, ALL, { qualityStatus: "ACCEPTED", qualityMessage: "" });
  const values = (await recordsOf(store)).map(({ value }) => value - 0.5);
  assert.deepEqual(
    values,
    Array.from(pending, ({ value }) => value),
  );
  await store.close();
});

test("imports: a decision about a value does not change pending values of the same source from another provider", async () => {
  const store = await openAt(await newDirectory());
  const other = observed(1, 5, { ...PENDING, provider: "b" });
  await store.observations.append([observed(1, 1, { provider: "a" })]);
  await store.observations.append([other]);
  const { id } = await store.imports.begin(PLAN);
  await store.imports.decide(id, { ...ALL, provider: "a", pending: false }, REJECTED);
  assert.deepEqual((await recordsOf(store)).map(({ value, qualityStatus }) => [value, qualityStatus]).sort(), [
    [1, "REJECTED"],
    [5, "PENDING"],
  ]);
  await store.close();
});

test("imports: with a damaged line, undo restores the records it finds, and removes none, because it cannot tell which were new", async () => {
  const directory = await newDirectory();
  const store = await openAt(directory);
  await store.observations.append(many(50, 1));
  await store.observations.append(many(60, 1).slice(50));
  const id = await imported(store.access.imports, many(70, 100));
  await store.close();
  // The damaged line has records before the import, or the beginning of the import and its first records.
  for (const [line, restored, unknown] of [
    [1, 10, 60],
    [4, 10, 10],
    [3, 60, 10],
  ] as const) {
    const copy = await copyOf(directory);
    await edit(copy, FIRST_SEGMENT, (text) => {
      const lines = text.split("\n");
      lines[line] = lines[line]!.replace('"type"', '"typo"');
      return lines.join("\n");
    });
    const opened = await openAt(copy);
    const undone = await undo(opened.access.imports, id);
    assert.deepEqual([undone.removed, undone.restored, undone.unknown], [0, restored, unknown], `line ${line}`);
    await opened.close();
  }
});

test("imports: if the beginning of an import is lost, but not its records, its number is not reused", async () => {
  const directory = await newDirectory();
  const store = await openAt(directory);
  await imported(store.access.imports, [observed(1, 1)], { finished: false });
  await store.close();
  const lines = await linesOf(join(directory, FIRST_SEGMENT));
  assert.match(lines[1]!, /"type":"import"/);
  await edit(directory, FIRST_SEGMENT, (text) => text.replace('"type":"import"', '"type":"imporT"'));
  const opened = await openAt(directory);
  assert.deepEqual(await numbersIn(opened.access.imports), []);
  await assert.rejects(opened.access.imports.undo(1), { name: "RangeError", message: "There is no import 1" });
  assert.equal((await opened.access.imports.begin(PLAN)).id, 2);
  await opened.close();
});

test("imports: the oldest imports are forgotten, sooner if they replaced very many records; pushed imports are counted separately", async () => {
  const remembered = async (count: number, changed: (id: number) => Partial<Import>): Promise<readonly number[]> => {
    const entries = Array.from({ length: count }, (_, i) => {
      const imported: Import = { ...PLAN, id: i + 1, time: NOW, summary: null, undone: null, ...changed(i + 1) };
      return { type: "import", imported } as const;
    });
    return (await numbersIn(createMemoryPrices(() => NOW, entries).imports)).toReversed();
  };
  const upTo = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i);
  assert.deepEqual(await remembered(1_003, () => ({})), upTo(4, 1_003));
  assert.deepEqual(await remembered(1_010, (id) => (id > 3 ? {} : { by: NO_PROCESS })), [1, 2, 3, ...upTo(11, 1_010)]);
  const rest = { refused: 0, providers: [], complete: true };
  const summary: ImportSummary = { ...NOTHING_DONE, ...rest, replaced: 900_000 };
  assert.deepEqual(await remembered(5, () => ({ summary })), [3, 4, 5]);
});
