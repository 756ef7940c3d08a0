import assert from "node:assert/strict";
import { readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { seal } from "../../../adapters/json_files/log/line.ts";
import { DirectoryInUse, SchemaTooNew, StoreError, openAccountStore, readAccountBook } from "../../../adapters/json_files/mod.ts";
import type { AccountId } from "../../../core/brand.ts";
import { EMPTY_BOOK } from "../../../core/mod.ts";
import { Unavailable } from "../../../core/ports.ts";
import { accountWithKey, observed } from "../../support/store_suite.ts";
import { FIRST_SEGMENT, NOW, contentOf, faultyFileSystem, newDirectory, openAt, systemError } from "../../support/store_suite_files.ts";

const [ALICE, BOB] = ["alice", "bob"] as [AccountId, AccountId];
const clock = () => NOW;

/** A closed store with an account and two observations. */
async function filled(): Promise<string> {
  const directory = await newDirectory();
  const store = await openAt(directory);
  await store.observations.append([observed(1, 1), observed(2, 2)]);
  await store.accounts.update([accountWithKey(ALICE)]);
  await store.close();
  return directory;
}

/** A file system that refuses whatever files of observations and counters are opened for. */
const onlyAccounts = faultyFileSystem((call, path) => {
  if (call === "open" && /\/(obs|quota)\//.test(path)) throw systemError("EACCES");
});

test("account store: no file of observations or counters is opened, to read the accounts or to change them", async () => {
  const directory = await filled();
  await assert.rejects(openAt(directory, { fs: onlyAccounts }), "the store as a whole needs them");
  assert.deepEqual((await readAccountBook(directory, onlyAccounts)).accounts.map(({ id }) => id), [ALICE]);
  const accounts = await openAccountStore(directory, { clock, fs: onlyAccounts });
  const changed = await accounts.update([accountWithKey(BOB)]);
  assert.deepEqual(await accounts.book(), changed);
  await accounts.close();
  assert.deepEqual(await readAccountBook(directory, onlyAccounts), changed);
  const store = await openAt(directory);
  assert.deepEqual(store.accounts.book(), changed);
  assert.equal([...store.observations.records()].length, 2);
  await store.close();
});

test("account store: observations that cannot be read are no hindrance, and stay as they are", async () => {
  const directory = await filled();
  const path = join(directory, FIRST_SEGMENT);
  const text = (await readFile(path, "utf8")).replace('"schema":1', '"schema":9');
  await writeFile(path, text);
  const accounts = await openAccountStore(directory, { clock });
  await accounts.update([{ op: "account.patch", id: ALICE, status: "DISABLED" }]);
  await accounts.close();
  assert.equal((await readAccountBook(directory)).accounts[0]?.status, "DISABLED");
  assert.equal(await readFile(path, "utf8"), text);
});

test("account store: a new directory becomes a store; accounts that cannot be read are refused by both", async () => {
  const directory = join(await newDirectory(), "new");
  await assert.rejects(readAccountBook(directory), { code: "ENOENT" });
  const accounts = await openAccountStore(directory, { clock });
  assert.deepEqual(await accounts.book(), EMPTY_BOOK);
  await accounts.update([accountWithKey(ALICE)]);
  await accounts.close();
  const path = join(directory, "accounts/accounts.json");
  const text = await readFile(path, "utf8");
  await writeFile(path, text.replace("alice", "alicf"));
  for (const open of [() => openAccountStore(directory, { clock }), () => readAccountBook(directory)]) {
    await assert.rejects(open, (error) => error instanceof StoreError && error.exitCode === 65 && /accounts\.json/.test(error.message));
  }
  // It was let go each time.
  await writeFile(path, text);
  await (await openAccountStore(directory, { clock })).close();
});

test("account store: is held by one only, and let go by close, which may be called again", async () => {
  const directory = await filled();
  const accounts = await openAccountStore(directory, { clock });
  await assert.rejects(openAt(directory), DirectoryInUse);
  await assert.rejects(openAccountStore(directory, { clock }), DirectoryInUse);
  await Promise.all([accounts.close(), accounts.close()]);
  await accounts.close();
  const store = await openAt(directory);
  await assert.rejects(openAccountStore(directory, { clock }), DirectoryInUse);
  await store.close();
});

test("account store: a change is in the book after the sync or not at all; after one that fails there is no other", async () => {
  const directory = await filled();
  let failing = false;
  const fs = faultyFileSystem((call) => {
    if (failing && /sync/i.test(call)) throw systemError("EIO");
  });
  const accounts = await openAccountStore(directory, { clock, fs });
  failing = true;
  await assert.rejects(accounts.update([accountWithKey(BOB)]), Unavailable);
  failing = false;
  await assert.rejects(accounts.update([accountWithKey(BOB)]), Unavailable);
  assert.deepEqual((await accounts.book()).accounts.map(({ id }) => id), [ALICE]);
  await accounts.close();
});

test("readAccountBook: takes no lock, changes nothing, and reads beside the process that holds the store", async () => {
  const directory = await filled();
  const before = [await contentOf(directory), await readdir(directory)];
  await readAccountBook(directory);
  assert.deepEqual([await contentOf(directory), await readdir(directory)], before);
  const store = await openAt(directory);
  const book = await store.accounts.update([accountWithKey(BOB)]);
  assert.deepEqual(await readAccountBook(directory), book);
  await store.close();
});

test("readAccountBook: a directory without a store and one of a later version are refused with their exit codes", async () => {
  const empty = await newDirectory();
  await assert.rejects(readAccountBook(empty), (error) => error instanceof StoreError && error.exitCode === 65);
  assert.deepEqual(await readdir(empty), []);
  const directory = await filled();
  const path = join(directory, "accounts/accounts.json");
  const document = JSON.stringify({ kind: "accounts", schema: 2 });
  await writeFile(path, `${seal(document.slice(0, -1), 0)}\n`);
  await assert.rejects(readAccountBook(directory), SchemaTooNew);
});
