import assert from "node:assert/strict";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { createConnection } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { connectOrOpen, readJsonFiles } from "../../../adapters/json_files/mod.ts";
import type { KeyEntry } from "../../../core/accounts/accounts.ts";
import type { AccountId, CalendarDate, KeyId } from "../../../core/brand.ts";
import { Unavailable } from "../../../core/ports.ts";
import { accountWithKey, observed } from "../../support/store_suite.ts";
import { NOW, newDirectory, openAt, startChild } from "../../support/store_suite_files.ts";

const ALICE = "alice" as AccountId;
const KEY = "key00001" as KeyId;
const ENTRY: KeyEntry = { id: KEY, accountId: ALICE, digest: "0".repeat(64), createdAt: NOW, expiresAt: null, revokedAt: null, note: "" };
const clock = () => NOW;

test("control: a key revoked by another process is refused by the serving one at once", async () => {
  const directory = await newDirectory();
  const store = await openAt(directory);
  await store.access.update([{ op: "key.create", entry: ENTRY }]);
  assert.equal((await store.accounts.find(KEY))?.key.revokedAt, null);
  const child = startChild("revoke", directory, KEY);
  assert.equal(await child.told(), "revoked");
  assert.equal((await store.accounts.find(KEY))?.key.revokedAt, NOW);
  await store.close();
});

test("control: every act works alike on a free directory and on one that is held", async () => {
  for (const held of [false, true]) {
    const directory = await newDirectory();
    const server = held ? await openAt(directory) : undefined;
    const access = await connectOrOpen(directory, { clock });

    assert.deepEqual(await access.append([observed(1, 1), observed(2, 0.1 + 0.2, { provider: "بازار" })]), { accepted: 2, replaced: 0 });
    assert.deepEqual(await access.append([observed(2, 3)]), { accepted: 0, replaced: 1 });
    await access.update([
      { op: "plan.patch", name: "PRO", dailyUnits: 1_000, attributionRequired: false },
      { op: "key.create", entry: ENTRY, plan: "PRO" },
    ]);
    const book = await access.update([{ op: "key.expire", id: KEY, at: NOW }]);
    assert.equal(book.keys[0]?.expiresAt, NOW);
    assert.deepEqual(await access.book(), book);
    assert.equal(await access.used(ALICE, "2026-11-21" as CalendarDate), 0);
    assert.match((await access.info()).version, /\.3$/);

    await assert.rejects(access.update([{ op: "key.revoke", id: "unknown0" as KeyId, at: NOW }]), RangeError);
    await assert.rejects(
      access.update([accountWithKey("bob" as AccountId), { op: "key.create", entry: { ...ENTRY, accountId: "bob" as AccountId } }]),
      RangeError,
    );
    assert.equal((await access.book()).accounts.length, 1, "all changes or none");
    await assert.rejects(access.append([observed(3, -1)]), Error);

    await access.close();
    await server?.close();
    const read = await readJsonFiles(directory);
    assert.deepEqual([...read.observations.records()].map(({ value }) => value), [1, 3]);
    assert.deepEqual(read.book, book);
  }
});

test("control: a large batch goes through", async () => {
  const directory = await newDirectory();
  const store = await openAt(directory);
  const access = await connectOrOpen(directory, { clock });
  const batch = Array.from({ length: 20_000 }, (_, i) => observed(i, i + 1));
  assert.deepEqual(await access.append(batch), { accepted: 20_000, replaced: 0 });
  await access.close();
  await store.close();
});

test("control: readJsonFiles reads beside the process that writes", async () => {
  const directory = await newDirectory();
  const store = await openAt(directory);
  await store.observations.append([observed(1, 1)]);
  const { observations, storeId } = await readJsonFiles(directory);
  assert.equal(storeId, store.storeId);
  assert.equal(await observations.version(), await store.observations.version());
  await store.close();
});

test("control: nonsense gets an error, and neither it nor a broken connection harms the store", async () => {
  const directory = await newDirectory();
  const store = await openAt(directory);
  const socketName = (await readdir(directory)).find((name) => name.startsWith("s."))!;
  const socket = createConnection(join(directory, socketName));
  const requests = ["nonsense", "[]", '{"id":7,"op":"__proto__"}', '{"id":8,"op":"append","batch":[{"code":1}]}', '{"id":9,"op":"accounts.update","changes":[{"op":"key.create"}]}'];
  socket.write(requests.map((request) => `${request}\n`).join(""));
  let text = "";
  while (text.split("\n").length <= requests.length) text += String((await once(socket, "data"))[0]);
  for (const line of text.trim().split("\n")) assert.match(line, /"error":\{"name":"(SyntaxError|TypeError)"/);
  socket.write('{"id":10,"op":"append","batch":[');
  socket.destroy();
  await store.observations.append([observed(1, 1)]);
  await store.close();
});

test("control: when the holder goes, who waits for it is told", async () => {
  const directory = await newDirectory();
  const child = startChild("hold", directory);
  await child.told();
  const access = await connectOrOpen(directory, { clock });
  await access.info();
  child.process.kill("SIGSTOP");
  const refused = assert.rejects(access.append([observed(1, 1)]), Unavailable);
  await child.kill();
  await refused;
  await assert.rejects(access.info(), Unavailable);
  await access.close();
});
