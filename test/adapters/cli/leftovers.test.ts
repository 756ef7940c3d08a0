import assert from "node:assert/strict";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { makeStore, temporaryDirectory } from "../../support/cli.ts";
import { program } from "../../support/cli_program.ts";

const LEFT = ".0123456789abcdef.tmp";

test("leftovers: backup, restore, copy and export name what an interrupted run has left beside their target, and leave it", async (t) => {
  const directory = await temporaryDirectory(t);
  const data = await makeStore(join(directory, "data"));
  const [backup, restored, copy, file] = ["backup", "restored", "copy", "prices.csv"].map((name) => join(directory, name)) as [string, string, string, string];
  for (const target of [backup, restored, copy]) await mkdir(target + LEFT);
  await writeFile(file + LEFT, "half");
  // Names that others have given.
  for (const name of ["backup.tmp", "backup.0123456789abcdef.tmp.old", "xbackup.0123456789abcdef.tmp"]) await mkdir(join(directory, name));
  const before = (await readdir(directory)).filter((name) => name.includes(".tmp"));
  const runs = [[["backup", backup, "--data", data], backup], [["restore", backup, restored], restored], [["copy", "--from", data, "--to", copy], copy], [["export", "--data", data, "--out", file], file]] as const;
  for (const [args, target] of runs) {
    const { code, err } = await program(args);
    assert.deepEqual([code, err], [0, `An interrupted run has left "${target}${LEFT}": remove it, unless another one is writing it just now\n`], args[0]);
  }
  assert.deepEqual((await readdir(directory)).filter((name) => name.includes(".tmp")), before);
});

test("leftovers: a command that fails, as the disk is full of them perhaps, has named them before", async (t) => {
  const directory = await temporaryDirectory(t);
  const data = await makeStore(join(directory, "data"));
  await mkdir(`${data}${LEFT}`);
  const { code, err } = await program(["copy", "--from", data, "--to", data]);
  assert.equal(code, 64);
  assert.match(err, /^An interrupted run has left ".*\.tmp": .*\nmazaneh: Cannot write to ".*" as it is not empty\n$/);
});

test("a target within a data directory or a backup is refused with 64, as it would be lost with that", async (t) => {
  const directory = await temporaryDirectory(t);
  const data = await makeStore(join(directory, "data"));
  const backup = join(directory, "backup");
  assert.equal((await program(["backup", backup, "--data", data])).code, 0);
  await mkdir(join(data, "kept"));
  const inside = [["backup", join(data, "new"), "--data", data], ["backup", join(data, "kept", "new"), "--data", data], ["restore", backup, join(backup, "new")], ["copy", "--from", data, "--to", join(data, "new")]];
  for (const args of inside) {
    const { code, err } = await program(args);
    assert.equal(code, 64, err);
    assert.match(err, /^mazaneh: Cannot write to ".*" as it lies within the data directory ".*\/(?:data|backup)", with which it would be lost\n$/);
  }
  assert.deepEqual(await readdir(join(data, "kept")), []);
  assert.equal((await readdir(data)).includes("new"), false);
});
