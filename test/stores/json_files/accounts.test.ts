import assert from "node:assert/strict";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { sessionWith } from "../../../adapters/stores/json_files/connect_or_open.ts";
import { seal } from "../../../adapters/stores/json_files/log/sealed_line.ts";
import { readAccountBook, SchemaTooNew } from "../../../adapters/stores/json_files/mod.ts";
import type { AccountId } from "../../../core/branded_types.ts";
import {
  contentOf,
  faultyFileSystem,
  NOW,
  newDirectory,
  openAt,
  systemError,
} from "../../support/json_files_fixtures.ts";
import { accountWithKey, observed } from "../../support/store_suite.ts";

const [ALICE, BOB] = ["alice", "bob"] as [AccountId, AccountId];

/** A closed store with an account and two observations. */
async function filled(): Promise<string> {
  const directory = await newDirectory();
  const store = await openAt(directory);
  await store.observations.append([observed(1, 1), observed(2, 2)]);
  await store.accounts.update([accountWithKey(ALICE)]);
  await store.close();
  return directory;
}

test("readAccountBook: needs no lock, changes nothing, and reads while another process owns the store", async () => {
  const directory = await filled();
  const before = [await contentOf(directory), await readdir(directory)];
  await readAccountBook(directory);
  assert.deepEqual([await contentOf(directory), await readdir(directory)], before);
  const store = await openAt(directory);
  const book = await store.accounts.update([accountWithKey(BOB)]);
  assert.deepEqual(await readAccountBook(directory), book);
  await store.close();
});

test("readAccountBook: refuses a directory without a store, or with a store of a later version, each with its exit code", async () => {
  const empty = await newDirectory();
  await assert.rejects(readAccountBook(empty), { name: "StoreError", exitCode: 65 });
  assert.deepEqual(await readdir(empty), []);
  const directory = await filled();
  const path = join(directory, "accounts/accounts.json");
  const document = JSON.stringify({ kind: "accounts", schema: 2 });
  await writeFile(path, `${seal(document.slice(0, -1), 0)}\n`);
  await assert.rejects(readAccountBook(directory), SchemaTooNew);
});

test("accounts: a command that only reads and changes accounts does not open the files of prices", async () => {
  const directory = await filled();
  const fs = faultyFileSystem((_, path) => {
    if (/obs-\d/.test(path)) throw systemError("EIO");
  });
  const session = sessionWith(directory, { clock: () => NOW, fs });
  const before = await session.book();
  const book = await session.update([accountWithKey(BOB)]);
  assert.deepEqual([before.accounts.length, book.accounts.length], [1, 2]);
  await session.close();
  assert.deepEqual(await readAccountBook(directory), book);
});
