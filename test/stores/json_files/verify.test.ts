import assert from "node:assert/strict";
import { appendFile, cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { logSeed } from "../../../adapters/stores/json_files/log/sealed_line.ts";
import { type FileReport, verifyStore } from "../../../adapters/stores/json_files/mod.ts";
import type { AccountId, AssetCode, CalendarDate } from "../../../core/branded_types.ts";
import { many } from "../../support/imports_suite.ts";
import {
  contentOf,
  copyOf,
  edit,
  FIRST_SEGMENT,
  newDirectory,
  ofLaterVersion,
  openAt,
  resealed,
} from "../../support/json_files_fixtures.ts";
import { accountWithKey, observed } from "../../support/store_suite.ts";

const ALICE = "alice" as AccountId;
const DAY = "2026-11-21" as CalendarDate;
const QUOTA_FILE = `quota/quota-${DAY}-00000001.ndjson`;
const ACCOUNTS_FILE = "accounts/accounts.json";

/** A crashed store: an account, three used units, six records in groups of one or two lines. Files have this size. */
async function make(segmentBytes = 1 << 20): Promise<string> {
  const directory = await newDirectory();
  const store = await openAt(directory, { segmentBytes });
  for (const minutes of [[1], [2, 3], [4], [5, 6]])
    await store.observations.append(
      minutes.map((minute) => observed(minute, minute, { code: `A${minute}_USD` as AssetCode })),
    );
  for (let i = 0; i < 3; i++) await store.quota.take(ALICE, DAY, 10);
  await store.access.update([accountWithKey(ALICE)]);
  const crashed = await copyOf(directory);
  await store.close();
  return crashed;
}

const [whole, split] = [await make(), await make(200)];

function summary({ file, lines, first, last, bad, torn, unreadable }: FileReport): unknown[] {
  return [file, lines, first, last, bad.length, torn !== null, unreadable !== null];
}

test("verify: reports every file of a good store with its lines, bytes and sequence", async () => {
  const { state, files } = await verifyStore(split);
  assert.equal(state, 0);
  assert.deepEqual(files.map(summary), [
    ["MANIFEST.json", 0, null, null, 0, false, false],
    [ACCOUNTS_FILE, 0, null, null, 0, false, false],
    [FIRST_SEGMENT, 1, 1, 1, 0, false, false],
    ["obs/obs-00000002.ndjson", 2, 2, 3, 0, false, false],
    ["obs/obs-00000003.ndjson", 1, 4, 4, 0, false, false],
    ["obs/obs-00000004.ndjson", 2, 5, 6, 0, false, false],
    [QUOTA_FILE, 2, 1, 2, 0, false, false],
    [`quota/quota-${DAY}-00000002.ndjson`, 1, 3, 3, 0, false, false],
  ]);
  for (const { file, bytes } of files) assert.equal(bytes, (await readFile(join(split, file))).length);
});

test("verify: a new store is intact, and a directory without a store is reported", async () => {
  const directory = await newDirectory();
  assert.equal((await verifyStore(directory)).state, 3);
  await (await openAt(directory)).close();
  const { state, files } = await verifyStore(directory);
  assert.deepEqual([state, files.map(({ file }) => file)], [0, ["MANIFEST.json", ACCOUNTS_FILE, FIRST_SEGMENT]]);
});

/** Zeros within the third and the fourth group, so that more than one write at the end is unreadable. */
function longTail(text: string): string {
  return text.replace(/(\{"s":[45].{4}).{8}/g, (_, begin: string) => begin + "\0".repeat(8)).slice(0, -5);
}

/** Kinds of damage. `change` makes a file's new text; if `undefined`, the file of another store takes its place. */
const cases: readonly (readonly [
  what: string,
  state: number,
  file: string,
  reason: RegExp,
  change: ((text: string) => string) | undefined,
])[] = [
  ["a torn end", 1, FIRST_SEGMENT, /torn write/, (text) => `${text}{"s":7,"g":1,"c":"US`],
  ["a group cut short", 1, FIRST_SEGMENT, /torn write/, (text) => text.slice(0, -5)],
  ["a file just begun", 1, "obs/obs-00000002.ndjson", /torn write/, () => '{"kind":"obs","sch'],
  ["counters with an incomplete last line", 1, QUOTA_FILE, /torn write/, (text) => `${text}{"s":4,"g":1,"t"`],
  ["a changed digit", 2, FIRST_SEGMENT, /wrong checksum/, (text) => text.replace("[3]", "[7]")],
  ["a changed digit and a torn end", 2, FIRST_SEGMENT, /checksum/, (text) => text.replace("[3]", "[7]").slice(0, -5)],
  ["a line lost", 2, FIRST_SEGMENT, /1 line missing before line 3/, (text) => text.replace(/\{"s":2.*\n/, "")],
  ["a line doubled", 2, FIRST_SEGMENT, /out of sequence: 4 after 4/, (text) => text.replace(/\{"s":4.*\n/, "$&$&")],
  ["more than one unreadable write at the end", 2, FIRST_SEGMENT, /torn write/, longTail],
  ["a changed counter", 2, QUOTA_FILE, /wrong checksum/, (text) => text.replace('"r":2', '"r":1')],
  ["a changed header", 2, FIRST_SEGMENT, /header: wrong/, (text) => text.replace('"segment":1', '"segment":2')],
  ["changed accounts", 3, ACCOUNTS_FILE, /is damaged: wrong checksum/, (text) => text.replace("alice", "alicf")],
  ["empty accounts", 3, ACCOUNTS_FILE, /is damaged: too short/, () => ""],
  ["a changed manifest", 3, "MANIFEST.json", /is damaged/, (text) => text.replace('"epoch":"', '"epoch":"x')],
  ["a file of another store", 3, "obs/obs", /belongs to the store/, undefined],
  ["counters of another store", 3, `quota/quota-${DAY}`, /belongs to the store/, undefined],
  ["accounts of another store", 3, ACCOUNTS_FILE, /belongs to the store/, undefined],
  ["a file of a later version", 3, "obs/obs", /has schema 9/, (text) => ofLaterVersion(text, "obs")],
];
const other = await make();
for (const [what, state, file, reason, change] of cases) {
  test(`verify: ${what}: state ${state}, no file is changed, and the store opens or refuses to open accordingly`, async () => {
    const directory = await copyOf(whole);
    const path = join(directory, file.includes(".") ? file : `${file}-00000001.ndjson`);
    const text = await readFile(path, "latin1").catch(() => "");
    if (change) await writeFile(path, change(text), "latin1");
    else await cp(path.replace(directory, other), path);
    const before = await contentOf(directory);
    const report = await verifyStore(directory);
    assert.deepEqual(await contentOf(directory), before);
    assert.equal(report.state, state);
    const found = report.files.filter(({ bad, torn, unreadable }) => bad.length > 0 || torn || unreadable !== null);
    const names = found.map((one) => one.file);
    assert.deepEqual(names, [file]);
    const [{ bad, torn, unreadable } = {} as FileReport] = found;
    assert.match([...bad, ...(torn ? [torn] : [])].map((one) => one.reason).join("; ") + (unreadable ?? ""), reason);
    const is = [torn !== null && bad.length === 0, bad.length > 0, unreadable !== null];
    assert.deepEqual(is, [state === 1, state === 2, state === 3]);

    const opening = openAt(await copyOf(directory)).then(
      async (store) => {
        await store.close();
        return store.damages.length > 0 ? 2 : 1;
      },
      () => 3,
    );
    // Damaged counters and long unreadable ends are refused until a person decides.
    assert.equal(await opening, state === 2 && /counter|more than/.test(what) ? 3 : state);
  });
}

test("verify: damage is reported with its line number as in an editor, even far into a file", async () => {
  const directory = await newDirectory();
  const store = await openAt(directory);
  const records = Array.from({ length: 2_000 }, (_, i) => observed(i, i + 1, { qualityMessage: `${i}`.padEnd(1_000) }));
  await store.observations.append(records);
  await store.close();
  await edit(directory, FIRST_SEGMENT, (text) => {
    const lines = text.split("\n");
    for (const number of [1, 2, 400, 501])
      lines[number - 1] = lines[number - 1]!.replace('"s":', '"S":').replace('"kind"', '"Kind"');
    return lines.join("\n");
  });
  const { files } = await verifyStore(directory);
  const { bytes, bad } = files.find(({ file }) => file === FIRST_SEGMENT)!;
  assert.ok(bytes > 3 << 19, "the file is larger than one read");
  const lines = bad.map(({ line }) => line);
  assert.deepEqual(lines, [1, 2, 400, 501]);
});

test("verify: a line with a lower generation than an earlier line is damage, even in the next file", async () => {
  const directory = await copyOf(split);
  // A valid line, except that an earlier owner of the directory wrote it after a later owner.
  const full = await openAt(directory);
  await full.observations.append(many(100, 1)); // Lines as long as this need no compaction.
  await full.close();
  const again = await openAt(directory, { segmentBytes: 200 });
  await again.observations.append([observed(7, 7)]);
  await again.observations.append([observed(8, 8)]);
  await again.close();
  assert.equal((await verifyStore(directory)).state, 0);
  await edit(directory, "obs/obs-00000006.ndjson", (text) => {
    const [header = "", line = ""] = text.split("\n");
    const { storeId } = JSON.parse(header) as { storeId: string };
    const changed = resealed(line, logSeed(storeId, "obs"), (body) => body.replace('"g":3', '"g":2'));
    assert.notEqual(changed, line);
    return `${header}\n${changed}\n`;
  });
  const { state, files } = await verifyStore(directory);
  assert.equal(state, 2);
  const sixth = files.find(({ file }) => file.endsWith("00000006.ndjson"));
  assert.deepEqual([sixth?.bad.map(({ reason }) => reason)], [["has generation 2 after 3"]]);
});

test("verify: while the owner runs, a write in progress does not count as torn, and damage is found", async () => {
  const directory = await newDirectory();
  const store = await openAt(directory, { segmentBytes: 200 });
  await store.observations.append([observed(1, 1)]);
  await store.observations.append([observed(2, 2)]);
  await store.quota.take(ALICE, DAY, 10);
  // The file as another process sees it during a write.
  await appendFile(join(directory, "obs/obs-00000002.ndjson"), '{"s":3,"g":1,"c":"US');
  await appendFile(join(directory, QUOTA_FILE), '{"s":2,"g":1,"t"');
  await writeFile(join(directory, "obs/obs-00000003.ndjson"), '{"kind":');
  assert.equal((await verifyStore(directory)).state, 0);
  assert.equal(
    (await verifyStore(await copyOf(directory))).state,
    1,
    "once no process writes to the store, an incomplete last line counts as damage",
  );
  await edit(directory, FIRST_SEGMENT, (text) => text.replace('"value":[1]', '"value":[7]'));
  assert.equal((await verifyStore(directory)).state, 2);
  await store.close();
});
