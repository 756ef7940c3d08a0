import assert from "node:assert/strict";
import { readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { createHealth } from "../../../adapters/stores/json_files/errors.ts";
import { forgetOldImports } from "../../../adapters/stores/json_files/imports/forget_old_imports.ts";
import { listImports, newImport, writeImport } from "../../../adapters/stores/json_files/imports/import_files.ts";
import {
  backupStore,
  connectOrOpen,
  type JsonFileStore,
  nodeFileSystem,
  restoreStore,
  verifyStore,
} from "../../../adapters/stores/json_files/mod.ts";
import { type ImportSummary, NO_PROCESS } from "../../../adapters/stores/shared/imports.ts";
import type { CalendarDate } from "../../../core/mod.ts";
import { type ImportsStore, imported, importsSuite, many, PLAN, recordsOf, undo } from "../../support/imports_suite.ts";
import { copyOf, faultyFileSystem, NOW, newDirectory, openAt, systemError } from "../../support/json_files_fixtures.ts";
import { observed } from "../../support/store_suite.ts";

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

test("imports: an import of records that are all there writes no undo records and no records", async () => {
  const directory = await newDirectory();
  const store = await openAt(directory);
  const { imports } = store.access;
  await imported(imports, many(2_000, 1));
  const size = async (): Promise<number> => (await readFile(join(directory, "obs/obs-00000001.ndjson"))).length;
  const before = [await size(), store.observations.version()];
  await imported(imports, many(2_000, 1));
  assert.deepEqual([await size(), store.observations.version()], before);
  assert.deepEqual((await readdir(join(directory, "imports"))).sort(), ["import-1.json", "import-2.json"]);
  assert.equal((await readFile(join(directory, "imports/import-2.json"))).length < 700, true);
  await store.close();
});

test("imports: after a crash at any moment the import is listed as unfinished, and undo brings back what was there", async () => {
  const directory = await newDirectory();
  const store = await openAt(directory);
  const { imports } = store.access;
  await store.observations.append(many(3_000, 1));
  const before = await recordsOf(store);
  const { id } = await imports.begin(PLAN);
  const crashed = [await copyOf(directory)];
  for (let at = 0; at < 6_000; at += 2_000) {
    await imports.append(id, many(6_000, 100).slice(at, at + 2_000), false);
    crashed.push(await copyOf(directory));
  }
  await store.close();
  for (const [batches, copy] of crashed.entries()) {
    const opened = await openAt(copy);
    const [entry] = await opened.access.imports.list();
    assert.deepEqual([entry?.id, entry?.imported?.summary, entry?.stored], [id, null, batches * 2_000]);
    const { restored, removed } = await undo(opened.access.imports, id);
    assert.deepEqual([restored, removed], [Math.min(3_000, batches * 2_000), Math.max(0, batches * 2_000 - 3_000)]);
    assert.deepEqual(await recordsOf(opened), before);
    await assert.rejects(opened.access.imports.append(id, [observed(1, 5)], false), /import 1 as it is undone/);
    await opened.close();
  }
});

test("imports: undo that was interrupted goes on when it is asked for again", async () => {
  const directory = await newDirectory();
  let [appends, isBroken] = [0, false];
  const fs = faultyFileSystem((call, path) => {
    if (isBroken && call === "write" && path.endsWith("obs-00000001.ndjson") && ++appends > 1)
      throw systemError("ENOSPC");
  });
  const store = await openAt(directory, { fs });
  await store.observations.append(many(3_000, 1));
  const before = await recordsOf(store);
  for (const part of [0, 1, 2])
    await store.access.imports.append(
      (await store.access.imports.begin(PLAN)).id,
      many(6_000, 100).slice(part * 2_000, part * 2_000 + 2_000),
      false,
    );
  isBroken = true;
  await store.access.imports.undo(1);
  await assert.rejects(store.access.imports.undo(2), /takes no more data/);
  await store.close();

  const again = await openAt(directory);
  for (const id of [1, 2, 3]) await again.access.imports.undo(id);
  assert.deepEqual(await recordsOf(again), before);
  await again.close();
});

// The last call on the undo records before the records themselves are changed.
for (const [racing, last] of [
  ["decide", "datasync"],
  ["undo", "close"],
] as const) {
  test(`imports: a value that is still being written when its time comes to ${racing} is not lost`, async () => {
    let isRacing = false;
    let newer: Promise<unknown> | undefined;
    const fs = faultyFileSystem((call, path) => {
      if (isRacing && call === last && path.includes("import-1-"))
        newer ??= store.observations.append([observed(1, 2)]);
    });
    const store = await openAt(await newDirectory(), { fs });
    const { imports } = store.access;
    await store.observations.append([observed(1, 1, { qualityStatus: "PENDING" })]);
    const { id } = await imports.begin(PLAN);
    const pending = {
      code: observed(1, 1).code,
      from: observed(0, 1).businessTime,
      to: observed(9, 1).businessTime,
      provider: null,
      pending: true,
    };
    const decide = () => imports.decide(id, pending, { qualityStatus: "REJECTED", qualityMessage: "wrong" });
    if (racing === "undo") await decide();
    isRacing = true;
    await (racing === "undo" ? undo(imports, id) : decide());
    assert.deepEqual(await newer, { accepted: 0, replaced: 1, unchanged: 0 });
    assert.deepEqual(await recordsOf(store), [observed(1, 2)]);
    await store.close();
  });
}

test("imports: where the undo records cannot be written, nothing is replaced", async () => {
  let isFull = false;
  const fs = faultyFileSystem((call, path) => {
    if (isFull && call === "write" && path.includes("import-1-")) throw systemError("ENOSPC");
  });
  const store = await openAt(await newDirectory(), { fs });
  const { imports } = store.access;
  await store.observations.append([observed(1, 1)]);
  const { id } = await imports.begin(PLAN);
  isFull = true;
  await assert.rejects(imports.append(id, [observed(1, 2), observed(2, 2)], false), { name: "Unavailable" });
  assert.deepEqual(await recordsOf(store), [observed(1, 1)]);
  isFull = false;
  await store.close();
});

test("imports: where undo records are damaged or missing, undo restores the others and removes nothing, as it cannot tell what was new", async () => {
  const directory = await newDirectory();
  const store = await openAt(directory);
  await store.observations.append(many(4, 1));
  const id = await imported(store.access.imports, many(6, 100));
  await store.close();
  const undoFile = "imports/import-1-00000001.ndjson";
  const harm: readonly (readonly [name: string, restored: number, harm: (copy: string) => Promise<void>])[] = [
    [
      "a changed line",
      3,
      async (copy) =>
        writeFile(join(copy, undoFile), (await readFile(join(copy, undoFile), "utf8")).replace('"v":"2"', '"v":"7"')),
    ],
    [
      "a lost end",
      1,
      async (copy) => truncate(join(copy, undoFile), (await readFile(join(copy, undoFile))).length - 200),
    ],
    ["no file", 0, async (copy) => rm(join(copy, undoFile))],
  ];
  for (const [name, restored, damage] of harm) {
    const copy = await copyOf(directory);
    await damage(copy);
    const opened = await openAt(copy);
    const undone = await undo(opened.access.imports, id);
    assert.deepEqual([undone.removed, undone.restored, undone.unknown], [0, restored, 6 - restored], name);
    await opened.close();
  }
});

test("imports: a damaged file of an import keeps no store from opening, and is listed as damaged", async () => {
  const directory = await newDirectory();
  const store = await openAt(directory);
  await imported(store.access.imports, [observed(1, 1)]);
  await imported(store.access.imports, [observed(2, 1)]);
  await store.close();
  await writeFile(join(directory, "imports/import-2.json"), "{");
  const opened = await openAt(directory);
  const [damaged, whole] = await opened.access.imports.list();
  assert.deepEqual([damaged?.imported, whole?.imported?.subjects], [null, ["prices.csv"]]);
  assert.match(damaged?.damage ?? "", /import-2\.json" is damaged/);
  await assert.rejects(opened.access.imports.undo(2), /is damaged/);
  await assert.rejects(opened.access.imports.undo(7), { name: "RangeError", message: "There is no import 7" });
  assert.equal((await opened.access.imports.begin(PLAN)).id, 3);
  await opened.close();
});

test("imports: another process imports, lists and undoes through the owning process, and finishes through the next one", async () => {
  const directory = await newDirectory();
  let server = await openAt(directory);
  const access = await connectOrOpen(directory, { clock: () => NOW });
  const { imports } = access;
  await server.observations.append([observed(1, 1)]);
  const { id, time } = await imports.begin(PLAN);
  const outcome = await imports.append(id, [observed(1, 5), observed(2, 2)], false);
  const largest = { code: "USD_RLS", businessTime: observed(1, 1).businessTime, from: 1, to: 5 };
  assert.deepEqual(outcome, { accepted: 1, replaced: 1, unchanged: 0, kept: 0, repeated: 0, largest });
  await server.close();
  server = await openAt(directory);
  const summary: ImportSummary = { ...outcome, refused: 2, providers: ["a"], complete: true };
  await imports.finish(id, summary);
  await imports.finish(id, summary);
  const [entry] = await imports.list();
  assert.deepEqual(entry, { id, damage: null, stored: null, imported: { id, ...PLAN, time, summary, undone: null } });
  assert.deepEqual((await imports.around([observed(2, 2)]))[0]?.at?.value, 2);
  assert.deepEqual(await undo(imports, id), { restored: 1, removed: 1, replacedSince: 0, unknown: 0 });
  assert.deepEqual(await recordsOf(server), [observed(1, 1)]);
  await assert.rejects(imports.undo(9), RangeError);
  await access.close();
  await server.close();
});

test("imports: the oldest ones are forgotten, their own file before their undo records", async () => {
  const directory = join(await newDirectory(), "imports");
  await nodeFileSystem.makeDirectory(directory);
  for (let id = 1; id <= 1_003; id++) await writeFile(join(directory, `import-${id}.json`), "{}");
  for (const id of [2, 4, 900]) await writeFile(join(directory, `import-${id}-00000001.ndjson`), "");
  await writeFile(join(directory, "import-2000-00000001.ndjson"), "");
  const removed: string[] = [];
  const fs = faultyFileSystem(
    (call, path) => void (call === "remove" && removed.push(path.slice(directory.length + 1))),
  );
  await forgetOldImports({ fs, health: createHealth(() => {}), directory, storeId: "any" }, new Set([1]), new Map());
  assert.deepEqual(removed, [
    "import-3.json",
    "import-2.json",
    "import-2-00000001.ndjson",
    "import-2000-00000001.ndjson",
  ]);
});

test("imports: what is pushed does not push out what was imported", async () => {
  const directory = join(await newDirectory(), "imports");
  await nodeFileSystem.makeDirectory(directory);
  const folder = { fs: nodeFileSystem, health: createHealth(() => {}), directory, storeId: "store" };
  for (let id = 1; id <= 999; id++) await writeFile(join(directory, `import-${id}.json`), "{}");
  for (let id = 1_000; id <= 1_003; id++)
    await writeImport(folder, newImport("store", id, NOW, { ...PLAN, by: NO_PROCESS }));
  await forgetOldImports(folder, new Set(), new Map());
  assert.equal((await listImports(nodeFileSystem, directory)).length, 1_003);
});

test("imports: a backup, also one of a running import, is sound, and what it holds is undone in the restored store", async () => {
  const directory = await newDirectory();
  const store = await openAt(directory);
  const { imports } = store.access;
  await store.observations.append(many(4, 1));
  const before = await recordsOf(store);
  await imported(imports, many(3, 50));
  const { id } = await imports.begin(PLAN);
  await imports.append(id, many(6, 100), false);
  const backup = join(await newDirectory(), "backup");
  await backupStore(directory, backup, { now: NOW });
  assert.deepEqual((await verifyStore(directory)).state, 0, "while it is held");
  await imports.append(id, many(9, 200), false);
  await store.close();
  assert.deepEqual((await verifyStore(backup)).state, 0);
  assert.equal(
    (await verifyStore(backup)).files.some(
      ({ file, lines }) => file === "imports/import-2-00000001.ndjson" && lines === 4,
    ),
    true,
  );

  const target = join(await newDirectory(), "restored");
  await restoreStore(backup, target, { now: NOW, today: "2026-11-21" as CalendarDate, quota: "spent" });
  const restored = await openAt(target);
  for (const undone of [2, 1]) await restored.access.imports.undo(undone);
  assert.deepEqual(await recordsOf(restored), before);
  await restored.close();
});
