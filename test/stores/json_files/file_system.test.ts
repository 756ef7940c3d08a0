import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { type FileHandle, mkdir, open, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { nodeFileSystem } from "../../../adapters/stores/json_files/mod.ts";
import { newDirectory } from "../../support/json_files_fixtures.ts";

test("fs: a failed call on an open file names the file, like a failed open", async () => {
  const path = join(await newDirectory(), "file");
  await writeFile(path, "content");
  const file = await nodeFileSystem.open(path, "read");
  for (const call of [file.write(Buffer.from("x")), file.truncate(1)])
    await assert.rejects(call, ({ message, code }: NodeJS.ErrnoException) => {
      return message.includes(path) && /^E(?:BADF|INVAL)$/.test(code ?? "");
    });
  await file.close();
});

test("fs: syncing a file or a directory makes one system call", async (t) => {
  const directory = await newDirectory();
  const handle = await open(directory);
  const prototype = Object.getPrototypeOf(handle) as FileHandle;
  await handle.close();
  const syncs = (["sync", "datasync"] as const).map((name) => t.mock.method(prototype, name));
  const file = await nodeFileSystem.open(join(directory, "file"), "create");
  const counts: number[][] = [];
  for (const sync of [file.datasync, file.sync, () => nodeFileSystem.syncDirectory(directory)]) {
    await sync();
    counts.push(syncs.map(({ mock }) => mock.callCount()));
  }
  await file.close();
  assert.deepEqual(counts, [
    [0, 1],
    [1, 1],
    [2, 1],
  ]);
});

test("fs: only regular files are read, so pipes, devices and directories cannot block a reader", async () => {
  const directory = await newDirectory();
  execFileSync("mkfifo", [join(directory, "pipe")]);
  await mkdir(join(directory, "directory"));
  await symlink("/dev/zero", join(directory, "device"));
  for (const name of ["pipe", "directory", "device"])
    await assert.rejects(
      nodeFileSystem.open(join(directory, name), "read"),
      { name: "StoreError", exitCode: 65 },
      name,
    );
});
