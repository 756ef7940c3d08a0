import assert from "node:assert/strict";
import { chmod, mkdir, readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import {
  connectOrOpen,
  type JsonFileStore,
  readJsonFiles,
  type StoreError,
} from "../../../adapters/stores/json_files/mod.ts";
import type { AccountId, AssetCode, CalendarDate } from "../../../core/branded_types.ts";
import { Unavailable } from "../../../core/ports.ts";
import {
  contentOf,
  copyOf,
  edit,
  FIRST_SEGMENT,
  faultyFileSystem,
  linesOf,
  NOW,
  newDirectory,
  ofLaterVersion,
  openAt,
  systemError,
} from "../../support/json_files_fixtures.ts";
import { observed } from "../../support/store_suite.ts";

const DAY = "2026-11-21" as CalendarDate;
const QUOTA_FILE = `quota/quota-${DAY}-00000001.ndjson`;

/** A crashed store. Each list was appended as one group of lines; each value has its own minute, asset and line. */
async function storeWith(...groups: readonly (readonly number[])[]): Promise<string> {
  const directory = await newDirectory();
  const store = await openAt(directory);
  let minute = 0;
  for (const group of groups)
    await store.observations.append(
      group.map((value) => observed(minute++, value, { code: `A${value}_USD` as AssetCode })),
    );
  const crashed = await copyOf(directory);
  await store.close();
  return crashed;
}

function valuesOf(store: JsonFileStore): number[] {
  return [...store.observations.records()].map(({ value }) => value);
}

test("open: a last group that was cut short is moved to the quarantine as a whole, and the store works without it", async () => {
  const crashed = await storeWith([1, 2], [3, 4, 5]);
  const bytes = await readFile(join(crashed, FIRST_SEGMENT), "latin1");
  const offset = bytes.indexOf('{"s":3');
  for (const length of [offset + 1, bytes.indexOf('{"s":4'), bytes.length - 1]) {
    const directory = await copyOf(crashed);
    await truncate(join(directory, FIRST_SEGMENT), length);
    const store = await openAt(directory);
    assert.deepEqual([valuesOf(store), store.damages], [[1, 2], []], `cut at ${length}`);
    const places = store.torn.map((torn) => [torn.offset, torn.length]);
    assert.deepEqual(places, [[offset, length - offset]]);
    const [kept] = await linesOf(join(directory, "quarantine/obs-00000001.ndjson"));
    const { b64 } = JSON.parse(kept!) as { readonly b64: string };
    assert.equal(Buffer.from(b64, "base64").toString("latin1"), bytes.slice(offset, length));
    await store.observations.append([observed(9, 9)]);
    await store.close();
    const again = await openAt(directory);
    assert.deepEqual([valuesOf(again), again.damages, again.torn], [[1, 2, 9], [], []]);
    await again.close();
  }
});

test("open: an unfinished file is created again", async () => {
  for (const content of ["", '{"kind":"obs","sch', "\0".repeat(100)]) {
    for (const [file, values] of [
      ["obs/obs-00000002.ndjson", [1, 2]],
      [FIRST_SEGMENT, []],
    ] as const) {
      const directory = await storeWith(values);
      await writeFile(join(directory, file), content);
      const store = await openAt(directory);
      assert.deepEqual([valuesOf(store), store.torn], [values, []]);
      await store.observations.append([observed(9, 9)]);
      await store.close();
      assert.deepEqual(await readdir(join(directory, "obs")), ["obs-00000001.ndjson"]);
      const again = await openAt(directory);
      assert.deepEqual(valuesOf(again), [...values, 9]);
      await again.close();
    }
  }
});

test("open: a file of a later schema is refused with exit code 78, and nothing is changed", async () => {
  const directory = await storeWith([1]);
  const store = await openAt(directory);
  await store.quota.take("alice" as AccountId, DAY, 10);
  await store.accounts.update([]);
  await store.close();
  for (const [file, log] of [
    ["MANIFEST.json"],
    ["accounts/accounts.json"],
    [FIRST_SEGMENT, "obs"],
    [QUOTA_FILE, `quota-${DAY}`],
  ] as const) {
    const copy = await copyOf(directory);
    await edit(copy, file, (text) => ofLaterVersion(text, log));
    const before = await contentOf(copy);
    await assert.rejects(openAt(copy), { name: "SchemaTooNew", exitCode: 78, message: /schema 9/ }, file);
    assert.deepEqual(await contentOf(copy), before, file);
  }
});

test("open: missing accounts are damage, and are never replaced by empty ones", async () => {
  for (const changes of [0, 1, 2]) {
    const directory = await storeWith([1]);
    const store = await openAt(directory);
    for (let i = 0; i < changes; i++) await store.access.update([]);
    await store.close();
    await rm(join(directory, "accounts/accounts.json"));
    const before = await contentOf(directory);
    const refused = { name: "DataDamaged", exitCode: 65, message: /accounts\.json" is missing.*repair/ };
    await assert.rejects(openAt(directory), refused);
    await assert.rejects(readJsonFiles(directory), refused);
    await assert.rejects(connectOrOpen(directory, { clock: () => NOW }), refused);
    assert.deepEqual(await contentOf(directory), before);
  }
});

test("open: refuses a directory that everyone may write to", async () => {
  const open = await newDirectory();
  await chmod(open, 0o777);
  await assert.rejects(openAt(open), { name: "StoreError", exitCode: 78 });
});

test("open: removes temporary files of interrupted replacements in every folder, and no other files", async () => {
  const directory = await storeWith([1]);
  for (const folder of [".", "obs", "accounts", "quota", "quarantine", "mirror"]) {
    await mkdir(join(directory, folder), { recursive: true });
    await writeFile(join(directory, folder, "some.json.0123456789abcdef.tmp"), "half");
    await writeFile(join(directory, folder, "mine.tmp"), "mine");
  }
  await (await openAt(directory)).close();
  const left = (await readdir(directory, { recursive: true })).filter((name) => name.endsWith(".tmp"));
  const folders = ["accounts", ".", "mirror", "obs", "quarantine", "quota"];
  assert.deepEqual(left.sort(), folders.map((folder) => join(folder, "mine.tmp")).sort());
});

test("open: lines that are moved, empty, or longer than any valid line are not served", async () => {
  const long = "x".repeat(70_000);
  const cases: readonly [string, (lines: string[]) => string[], number[], RegExp][] = [
    ["moved", ([a, b, c, ...l]) => [a!, c!, b!, ...l], [2, 3], /^1 line missing before line 2; out of sequence: 1/],
    ["empty", ([a, b, ...l]) => [a!, b!, "", ...l], [1, 2, 3], /^too short$/],
    ["overlong", ([a, b, ...l]) => [a!, b!, long, ...l], [1, 2, 3], /^too long$/],
    ["megabytes", ([a, b, ...l]) => [a!, b!, long.repeat(40), ...l], [1, 2, 3], /^not terminated; not terminated/],
  ];
  for (const [what, change, values, reasons] of cases) {
    const directory = await storeWith([1], [2], [3]);
    await edit(directory, FIRST_SEGMENT, (text) => change(text.split("\n")).join("\n"));
    const store = await openAt(directory);
    assert.deepEqual(valuesOf(store), values, what);
    assert.match(store.damages.map(({ reason }) => reason).join("; "), reasons, what);
    await store.close();
  }
});

test("open: a failed sync of the existing files stops the store", async () => {
  const directory = await storeWith([1], [2]);
  for (const call of ["sync", "syncDirectory"] as const) {
    const fatal: StoreError[] = [];
    const fs = faultyFileSystem((name, path) => {
      if (name === call && path.includes("obs")) throw systemError("EIO");
    });
    await assert.rejects(openAt(await copyOf(directory), { fs, onFatal: (error) => fatal.push(error) }), Unavailable);
    const exitCodes = fatal.map(({ exitCode }) => exitCode);
    assert.deepEqual(exitCodes, [70]);
  }
});
