import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { appendFile, cp, mkdir, rm, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { webSystem } from "../../../adapters/system.ts";
import { DirectoryInUse, StoreError, backupStore, connectOrOpen, nodeFileSystem, openJsonFiles, readJsonFiles, verifyStore } from "../../../adapters/json_files/mod.ts";
import type { FileSystem, JsonFileStore } from "../../../adapters/json_files/mod.ts";
import type { AccountId, CalendarDate, KeyId } from "../../../core/brand.ts";
import { createPrices } from "../../../core/mod.ts";
import { Unavailable } from "../../../core/ports.ts";
import { mountable } from "../../faults/mounts.ts";
import { stride } from "../../support/size.ts";
import { accountWithKey, observed } from "../../support/store_suite.ts";
import { FIRST_SEGMENT, NOW, contentOf, copyOf, newDirectory, openAt, systemError } from "../../support/store_suite_files.ts";

const ALICE = "alice" as AccountId;
const DAY = "2026-11-21" as CalendarDate;

/** A closed store with two records, an account and 7 units that it used. */
async function filled(directory: string): Promise<void> {
  const store = await openAt(directory);
  await store.observations.append([observed(1, 1), observed(2, 2)]);
  await store.access.update([accountWithKey(ALICE)]);
  for (let i = 0; i < 7; i++) await store.quota.take(ALICE, DAY, 50);
  await store.close();
}

/** A file system on which whatever writes fails. */
function unwritable(code: string): FileSystem {
  const fail = (): never => {
    throw systemError(code);
  };
  return {
    ...nodeFileSystem,
    open: async (path, mode) => (mode.startsWith("read") ? nodeFileSystem.open(path, mode) : fail()),
    ...{ makeDirectory: fail, link: fail, rename: fail, remove: fail, touch: fail },
  };
}

/** What must hold of every store that is opened read-only. */
async function servesReadOnly(store: JsonFileStore, directory: string, reason: RegExp): Promise<void> {
  const before = await contentOf(directory);
  assert.match(store.readOnly ?? "", reason);
  assert.equal(store.warnings.length, 1);
  assert.match(store.warnings[0]!, reason);
  assert.deepEqual([...store.observations.records()].map(({ value }) => value), [1, 2]);
  assert.deepEqual(store.accounts.book().accounts.map(({ id }) => id), [ALICE]);
  assert.equal(await store.accounts.find("no such0" as KeyId), undefined);
  assert.deepEqual([await store.quota.used(ALICE, DAY), await store.quota.used(ALICE, "2026-11-22" as CalendarDate)], [7, 0]);

  const refused = (error: unknown): boolean => error instanceof Unavailable && reason.test(error.message);
  await assert.rejects(async () => store.observations.append([observed(3, 3)]), refused);
  await assert.rejects(store.access.append([observed(3, 3)]), refused);
  await assert.rejects(store.access.update([{ op: "key.revoke", id: "unknown0" as KeyId, at: NOW }]), refused);
  await assert.rejects(store.accounts.update([]), refused);
  await assert.rejects(async () => store.quota.take(ALICE, DAY, 50), refused);
  await assert.rejects(async () => store.quota.giveBack(ALICE, DAY), refused);

  assert.equal((await createPrices({ ...webSystem, ...store }).latest("USD_RLS")).value, 2);

  // An owner without room has most need of a copy elsewhere.
  const backup = join(await newDirectory(), "backup");
  await backupStore(directory, backup, { now: NOW });
  assert.equal((await verifyStore(backup)).state, 0);
  await store.close();
  await store.close();
  assert.deepEqual(await contentOf(directory), before, "nothing is written");
}

for (const code of ["ENOSPC", "EDQUOT", "EROFS", "EACCES", "EPERM"]) {
  test(`read-only: a store that is there is served when nothing can be written: ${code}`, async () => {
    const directory = await newDirectory();
    await filled(directory);
    await servesReadOnly(await openAt(directory, { fs: unwritable(code) }), directory, new RegExp(code));
    const again = await openAt(directory);
    assert.deepEqual([again.readOnly, again.warnings], [undefined, []]);
    await again.close();
  });
}

test("read-only: whichever write of the open fails on a full disk, what is there is served, and the next open writes", async () => {
  const original = await newDirectory();
  await filled(original);
  // What an open has to write most for: damage to be copied, a torn end, and no lock yet.
  await appendFile(join(original, FIRST_SEGMENT), '{"s":3,"g":1,"c":"US');
  for (let nth = 1; ; nth += stride(4)) {
    const directory = await copyOf(original);
    let writes = 0;
    const fs: FileSystem = {
      ...nodeFileSystem,
      async open(path, mode) {
        if (mode === "create" && ++writes === nth) throw systemError("ENOSPC");
        const file = await nodeFileSystem.open(path, mode);
        return { ...file, write: async (bytes) => (++writes === nth ? Promise.reject(systemError("ENOSPC")) : file.write(bytes)) };
      },
    };
    const store = await openAt(directory, { fs });
    assert.deepEqual([...store.observations.records()].map(({ value }) => value), [1, 2], `write ${nth}`);
    assert.equal(await store.quota.used(ALICE, DAY), 7, `write ${nth}`);
    assert.equal(store.torn.length, 1, `write ${nth}`);
    const { readOnly } = store;
    await store.close();
    const again = await openAt(directory);
    await again.observations.append([observed(3, 3)]);
    await again.close();
    if (readOnly === undefined) break;
    assert.match(readOnly, /ENOSPC/);
  }
});

test("read-only: what a log has lost is told, by readers without a lock as well, and counters that are lost are not 0", async () => {
  const directory = await newDirectory();
  await filled(directory);
  const whole = await (await readJsonFiles(directory)).observations.version();
  await truncate(join(directory, FIRST_SEGMENT), (await stat(join(directory, FIRST_SEGMENT))).size - 40);
  const lost = await openAt(directory, { fs: unwritable("EROFS") });
  assert.match(lost.damages.map(({ file, reason }) => `${file}: ${reason}`).join(), /obs-00000001\.ndjson: ends here, and once had \d+ bytes/);
  assert.notEqual(await (await readJsonFiles(directory)).observations.version(), whole);
  await rm(join(directory, `quota/quota-${DAY}-00000001.ndjson`));
  await assert.rejects(async () => lost.quota.used(ALICE, DAY), Unavailable);
});

test("read-only: where there is no store yet, or a damaged one, the open fails as ever", async () => {
  const fs = unwritable("EROFS");
  await assert.rejects(openAt(await newDirectory(), { fs }), /EROFS/);
  const directory = await newDirectory();
  await filled(directory);
  await rm(join(directory, "accounts/accounts.json"));
  await assert.rejects(openAt(directory, { fs }), (error) => error instanceof StoreError && error.exitCode === 65 && /accounts/.test(error.message));
});

test("read-only: a failed sync, or another failure than to write, opens nothing", async () => {
  const directory = await newDirectory();
  await filled(directory);
  await assert.rejects(openAt(directory, { fs: unwritable("EIO") }), /EIO/);
  const fs: FileSystem = {
    ...nodeFileSystem,
    open: async (path, mode) => ({ ...(await nodeFileSystem.open(path, mode)), sync: async () => Promise.reject(systemError("ENOSPC")) }),
  };
  await assert.rejects(openAt(directory, { fs }), /ENOSPC/);
});

test("read-only: a directory that another process holds is in use, and commands go through that process", async () => {
  const directory = await newDirectory();
  await filled(directory);
  const holder = await openAt(directory);
  await assert.rejects(openAt(directory, { fs: unwritable("EACCES") }), DirectoryInUse);
  const access = await connectOrOpen(directory, { clock: () => NOW, fs: unwritable("EACCES") });
  assert.deepEqual(await access.append([observed(3, 3)]), { accepted: 1, replaced: 0, unchanged: 0 });
  await access.close();
  await holder.close();
});

test("read-only: on a real disk that is full, and on one that is mounted read-only", { skip: await mountable("tmpfs") }, async () => {
  const place = await newDirectory();
  const original = await newDirectory();
  await filled(original);
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=128k", "tmpfs", place]);
  try {
    const directory = join(place, "data");
    await mkdir(directory, { mode: 0o700 });
    await cp(original, directory, { recursive: true, filter: (path) => !path.includes("/s.") });
    await writeFile(join(place, "filler"), Buffer.alloc(1 << 20)).catch(() => undefined);
    const reason = new RegExp(`ENOSPC: no space left on device, \\w+ '${directory}/`);
    await servesReadOnly(await openJsonFiles(directory, { clock: () => NOW }), directory, reason);
    await rm(join(place, "filler"));
    await (await openAt(directory)).close();
    execFileSync("mount", ["-o", "remount,ro", place]);
    await servesReadOnly(await openJsonFiles(directory, { clock: () => NOW }), directory, /EROFS: read-only file system.*\/data\//);
  } finally {
    execFileSync("umount", ["-l", place]);
  }
});
