import assert from "node:assert/strict";
import { chmod, mkdir, readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import {
  connectOrOpen,
  DataDamaged,
  type JsonFileStore,
  readJsonFiles,
  SchemaTooNew,
  StoreError,
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
import { stride } from "../../support/suite_size.ts";

const DAY = "2026-11-21" as CalendarDate;
const QUOTA_FILE = `quota/quota-${DAY}-00000001.ndjson`;

/** A crashed store with a group for each list, a minute apart. Each value has its own asset and line. */
async function storeWith(...groups: readonly (readonly number[])[]): Promise<string> {
  const directory = await newDirectory();
  const store = await openAt(directory);
  let minute = 0;
  for (const group of groups)
    await store.observations.append(group.map((value) => observed(minute++, value, assetOf(value))));
  const crashed = await copyOf(directory);
  await store.close();
  return crashed;
}

function assetOf(value: number): { readonly code: AssetCode } {
  return { code: `A${value}_USD` as AssetCode };
}

function valuesOf(store: JsonFileStore): number[] {
  return [...store.observations.records()].map(({ value }) => value);
}

async function quarantined(
  directory: string,
  file = "obs-00000001.ndjson",
): Promise<{ offset: number; length: number; reason: string; bytes: string }[]> {
  const lines = await linesOf(join(directory, "quarantine", file));
  return lines.map((line) => {
    const { offset, length, reason, b64 } = JSON.parse(line) as {
      offset: number;
      length: number;
      reason: string;
      b64: string;
    };
    return { offset, length, reason, bytes: Buffer.from(b64, "base64").toString("latin1") };
  });
}

test("open: a last group cut at any byte goes to the quarantine as a whole, and the store goes on", async () => {
  const crashed = await storeWith([1, 2], [3, 4, 5]);
  const bytes = await readFile(join(crashed, FIRST_SEGMENT), "latin1");
  const lastGroup = bytes.indexOf('{"s":3');
  for (
    let length = lastGroup;
    length < bytes.length;
    length += length > lastGroup + 5 && length < bytes.length - 60 ? stride(60) : stride(12)
  ) {
    const directory = await copyOf(crashed);
    await truncate(join(directory, FIRST_SEGMENT), length);
    const store = await openAt(directory);
    assert.deepEqual(valuesOf(store), [1, 2], `cut at ${length}`);
    assert.deepEqual(store.damages, []);
    assert.deepEqual(
      store.torn.map((torn) => [torn.offset, torn.length]),
      length > lastGroup ? [[lastGroup, length - lastGroup]] : [],
    );
    if (length > lastGroup) assert.equal((await quarantined(directory)).at(-1)?.bytes, bytes.slice(lastGroup, length));
    await store.observations.append([observed(9, 9)]);
    await store.close();
    const again = await openAt(directory);
    assert.deepEqual([valuesOf(again), again.damages, again.torn], [[1, 2, 9], [], []]);
    await again.close();
  }
});

test("open: an unfinished file is made anew", async () => {
  for (const content of ["", '{"kind":"obs","sch', "\0".repeat(100)]) {
    const directory = await storeWith([1, 2]);
    await writeFile(join(directory, "obs/obs-00000002.ndjson"), content);
    const store = await openAt(directory);
    assert.deepEqual([valuesOf(store), store.damages, store.torn], [[1, 2], [], []]);
    await store.observations.append([observed(9, 9)]);
    await store.close();
    assert.deepEqual(await readdir(join(directory, "obs")), ["obs-00000001.ndjson"]);

    const empty = await newDirectory();
    await (await openAt(empty)).close();
    await writeFile(join(empty, FIRST_SEGMENT), content);
    const made = await openAt(empty);
    assert.deepEqual(await made.observations.append([observed(1, 1)]), { accepted: 1, replaced: 0, unchanged: 0 });
    await made.close();
    const again = await openAt(empty);
    assert.deepEqual(valuesOf(again), [1]);
    await again.close();
  }
});

test("open: a file of a later schema is refused with exit code 78, and nothing is changed", async () => {
  const documents = ["MANIFEST.json", "accounts/accounts.json", FIRST_SEGMENT, QUOTA_FILE];
  const directory = await storeWith([1]);
  const store = await openAt(directory);
  await store.quota.take("alice" as AccountId, DAY, 10);
  await store.accounts.update([]);
  await store.close();
  for (const file of documents) {
    const copy = await copyOf(directory);
    const logs = new Map([
      [FIRST_SEGMENT, "obs"],
      [QUOTA_FILE, `quota-${DAY}`],
    ]);
    await edit(copy, file, (text) => ofLaterVersion(text, logs.get(file)));
    const before = await contentOf(copy);
    await assert.rejects(
      openAt(copy),
      (error) => error instanceof SchemaTooNew && error.exitCode === 78 && /schema 9/.test(error.message),
      file,
    );
    assert.deepEqual(await contentOf(copy), before, file);
  }
});

test("open: missing accounts are damage, and are never replaced by empty ones", async () => {
  const plan = (name: string) => [{ op: "plan.patch", name, dailyUnits: 1, attributionRequired: false }] as const;
  for (const changes of [0, 1, 2]) {
    const directory = await storeWith([1]);
    const store = await openAt(directory);
    for (let i = 0; i < changes; i++) await store.access.update(plan(`P${i}`));
    await store.close();
    await rm(join(directory, "accounts/accounts.json"));
    if (changes === 0) assert.deepEqual(await readdir(join(directory, "accounts")), []);
    const before = await contentOf(directory);
    const refused = (error: unknown): boolean =>
      error instanceof DataDamaged && error.exitCode === 65 && /accounts\.json" is missing.*repair/.test(error.message);
    await assert.rejects(openAt(directory), refused);
    await assert.rejects(readJsonFiles(directory), refused);
    await assert.rejects(connectOrOpen(directory, { clock: () => NOW }), refused);
    assert.deepEqual(await contentOf(directory), before);
  }
});

test("open: refuses data without a manifest, and a directory that everyone may write to", async () => {
  const directory = await storeWith([1]);
  await rm(join(directory, "MANIFEST.json"));
  await assert.rejects(openAt(directory), DataDamaged);
  const open = await newDirectory();
  await chmod(open, 0o777);
  await assert.rejects(openAt(open), (error) => error instanceof StoreError && error.exitCode === 78);
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
  assert.deepEqual(
    left.sort(),
    ["accounts", ".", "mirror", "obs", "quarantine", "quota"].map((folder) => join(folder, "mine.tmp")).sort(),
  );
});

test("open: repeated, moved, missing and foreign lines are never served", async () => {
  const other = await linesOf(join(await storeWith([70, 71, 72, 73, 74]), FIRST_SEGMENT));
  const cases: readonly [string, (lines: string[]) => string[], number[], RegExp][] = [
    ["doubled", (l) => [...l.slice(0, 3), l[2]!, ...l.slice(3)], [1, 2, 3, 4, 5], /out of sequence: 2 after 2/],
    [
      "moved back",
      (l) => [l[0]!, l[1]!, l[3]!, l[2]!, l[4]!, l[5]!],
      [1, 3, 4, 5],
      /1 line missing before line 3; out of sequence: 2 after 3/,
    ],
    ["missing", (l) => [l[0]!, l[1]!, l[4]!, l[5]!], [1, 4, 5], /2 lines missing before line 4/],
    ["foreign", (l) => [l[0]!, l[1]!, l[2]!, other[3]!, l[4]!, l[5]!], [1, 2, 4, 5], /^wrong checksum$/],
    ["empty", (l) => [...l.slice(0, 3), "", ...l.slice(3)], [1, 2, 3, 4, 5], /^too short$/],
    ["overlong", (l) => [...l.slice(0, 3), "x".repeat(70_000), ...l.slice(3)], [1, 2, 3, 4, 5], /^too long$/],
    [
      "megabytes",
      (l) => [...l.slice(0, 3), "x".repeat(3_000_000), ...l.slice(3)],
      [1, 2, 3, 4, 5],
      /^not terminated; not terminated/,
    ],
  ];
  for (const [what, change, values, reasons] of cases) {
    const directory = await storeWith([1], [2], [3], [4], [5]);
    await edit(directory, FIRST_SEGMENT, (text) => `${change(text.split("\n").slice(0, -1)).join("\n")}\n`);
    const store = await openAt(directory);
    assert.deepEqual(valuesOf(store), values, what);
    assert.match(store.damages.map(({ reason }) => reason).join("; "), reasons, what);
    await store.close();
  }
});

test("open: a failed sync of the files found stops the store", async () => {
  const directory = await storeWith([1], [2]);
  for (const call of ["sync", "syncDirectory"] as const) {
    const fatal: StoreError[] = [];
    const fs = faultyFileSystem((name, path) => {
      if (name === call && path.includes("obs")) throw systemError("EIO");
    });
    await assert.rejects(openAt(await copyOf(directory), { fs, onFatal: (error) => fatal.push(error) }), Unavailable);
    assert.deepEqual(
      fatal.map(({ exitCode }) => exitCode),
      [70],
    );
  }
});
