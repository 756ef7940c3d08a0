import assert from "node:assert/strict";
import { mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { DirectoryInUse } from "../../../adapters/json_files/mod.ts";
import type { StoreError } from "../../../adapters/json_files/mod.ts";
import { Unavailable } from "../../../core/ports.ts";
import { observed } from "../../support/store_suite.ts";
import { copyOf, newDirectory, openAt, startChild } from "../../support/store_suite_files.ts";

async function lockNames(directory: string): Promise<string[]> {
  return (await readdir(directory)).filter((name) => /^(lock|s)\./.test(name)).sort();
}

test("lock: a second process is refused and told who holds the directory, until the first is killed", async () => {
  const directory = await newDirectory();
  const child = startChild("hold", directory);
  assert.equal(await child.told(), "held");
  await assert.rejects(openAt(directory), (error) => {
    assert.ok(error instanceof DirectoryInUse);
    assert.equal(error.exitCode, 69);
    assert.deepEqual(error.holder.pid, child.process.pid);
    assert.equal(error.holder.host, hostname());
    assert.match(error.message, new RegExp(`pid ${child.process.pid} on host ".+" since 2026-11-21T10:00:00.000Z`));
    return true;
  });
  await child.kill();
  const store = await openAt(directory);
  await store.observations.append([observed(1, 1)]);
  await store.close();
  assert.deepEqual(await lockNames(directory), ["lock.00000001", "lock.00000002"]);
});

test("lock: the same process is refused as well, and gets the directory after close()", async () => {
  const directory = await newDirectory();
  const store = await openAt(directory);
  await assert.rejects(openAt(directory), DirectoryInUse);
  await store.close();
  const again = await openAt(directory);
  assert.equal((await again.access.info()).generation, 2);
  await again.close();
});

test("lock: of eight processes that try at once after a kill exactly one wins", async () => {
  const directory = await newDirectory();
  for (let round = 0; round < 3; round++) {
    const children = Array.from({ length: 8 }, () => startChild("try", directory));
    const told = await Promise.all(children.map((child) => child.told()));
    assert.deepEqual(told.sort(), [...Array<string>(7).fill("DirectoryInUse"), "won"]);
    await Promise.all(children.map((child) => child.kill()));
  }
});

test("lock: of eight that try at once in one process exactly one wins", async () => {
  const directory = await newDirectory();
  for (let round = 0; round < 20; round++) {
    const tried = await Promise.allSettled(Array.from({ length: 8 }, () => openAt(directory)));
    const stores = tried.flatMap((result) => (result.status === "fulfilled" ? result.value : []));
    assert.equal(stores.length, 1);
    for (const result of tried) assert.ok(result.status === "fulfilled" || result.reason instanceof DirectoryInUse, String(result));
    await stores[0]!.close();
  }
});

test("lock: a copied directory is free, whatever its lock says", async () => {
  const directory = await newDirectory();
  const store = await openAt(directory);
  await store.observations.append([observed(1, 1)]);
  const copy = await openAt(await copyOf(directory));
  assert.equal(copy.storeId, store.storeId);
  await copy.close();
  await store.close();
});

test("lock: after a restart of the machine the directory is free once its holder shows no life", async () => {
  const directory = await newDirectory();
  const store = await openAt(directory, { heartbeatMs: 20 });
  const path = join(directory, "lock.00000001");
  const lock = JSON.parse(await readFile(path, "utf8")) as object;
  // As another machine sees it that shares the storage: the socket proves nothing there.
  await writeFile(path, JSON.stringify({ ...lock, boot: "another", socket: "s.00000001.gone" }));
  await assert.rejects(openAt(directory, { heartbeatMs: 50 }), DirectoryInUse, "its file changes");
  await store.close();

  await writeFile(path, JSON.stringify({ ...lock, boot: "another", socket: "s.00000001.gone", released: false }));
  const again = await openAt(directory, { heartbeatMs: 20 });
  await again.close();
});

test("lock: who finds a later generation stops writing at once, with exit code 71", async () => {
  const directory = await newDirectory();
  let lost = (_: StoreError): void => {};
  const fatal = new Promise<StoreError>((resolve) => (lost = resolve));
  const store = await openAt(directory, { heartbeatMs: 10, onFatal: (error) => lost(error) });
  await writeFile(join(directory, "lock.00000002"), "{}");
  const alive = setInterval(() => {}, 1_000); // An idle store lets its process end.
  assert.equal((await fatal).exitCode, 71);
  clearInterval(alive);
  await assert.rejects(store.observations.append([observed(1, 1)]), Unavailable);
  await store.close();
});

test("lock: a path too long for a socket works", { skip: process.platform !== "linux" && "Linux only" }, async () => {
  const directory = join(await newDirectory(), "a".repeat(60), "b".repeat(60));
  await mkdir(directory, { recursive: true });
  const store = await openAt(directory);
  await assert.rejects(openAt(directory), DirectoryInUse);
  await store.close();
  await (await openAt(directory)).close();
});
