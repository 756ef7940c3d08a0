import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, chown, copyFile, lstat, mkdir, readdir, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { BUNDLED_ENV, bundledProgram } from "../support/child_program.ts";
import { makeStore, mazaneh, serving, temporaryDirectory } from "../support/cli.ts";
import { program } from "../support/cli_program.ts";

test("data directory: an impossible path is named and refused with exit code 78, by the server and by commands that create a store", async (t) => {
  const directory = await temporaryDirectory(t);
  await writeFile(join(directory, "file"), "");
  await symlink(join(directory, "nothing"), join(directory, "dangling"));
  await symlink("loop", join(directory, "loop"));
  const before = await readdir(directory);
  const places = [
    ["file", /ENOTDIR/],
    ["file/a/b", /ENOTDIR/],
    ["loop/a", /ELOOP/],
    ["n".repeat(300), /ENAMETOOLONG/],
  ] as const;
  for (const [path, problem] of places) {
    const data = join(directory, path);
    for (const command of [
      ["serve", "--port", "0"],
      ["keys", "create", "me"],
    ]) {
      const { code, err } = await mazaneh([...command, "--init", "--data", data]);
      assert.equal(code, 78, err);
      assert.ok(err.startsWith(`mazaneh: Cannot use the data directory "${data}": `), err);
      assert.match(err.trimEnd(), problem);
    }
    assert.equal((await mazaneh(["verify", "--data", data])).code === 0, false, path);
  }
  assert.deepEqual(await readdir(directory), before);
});

test("data directory: missing parent directories are created for their owner only; existing parents stay unchanged", async (t) => {
  const directory = await temporaryDirectory(t);
  await mkdir(join(directory, "a"), { mode: 0o755 });
  await symlink(join(directory, "a"), join(directory, "link"));
  const runs = await Promise.all(
    Array.from({ length: 5 }, () =>
      mazaneh(["keys", "create", "me", "--init", "--data", join(directory, "link/b/c/data")]),
    ),
  );
  const exitCodes = runs.map(({ code }) => code);
  assert.deepEqual(exitCodes, [0, 0, 0, 0, 0]);
  const modes = ["a", "a/b", "a/b/c", "a/b/c/data"].map(async (path) =>
    ((await stat(join(directory, path))).mode & 0o777).toString(8),
  );
  assert.deepEqual(await Promise.all(modes), ["755", "700", "700", "700"]);
});

const isRoot = process.getuid?.() === 0 ? false : "SKIPPED: only root can run a program as another user";
test("data directory: another user's directory is refused with code 78 and advice", { skip: isRoot }, async (t) => {
  const directory = await temporaryDirectory(t);
  const data = join(directory, "data");
  await mazaneh(["keys", "create", "me", "--init", "--data", data]);
  await chmod(directory, 0o755);
  await copyFile(bundledProgram("adapters/cli/main.ts"), join(directory, "program.mjs"));
  for (const [mode, command] of [
    [0o700, ["keys", "list"]],
    [0o755, ["serve", "--port", "0"]],
  ] as const) {
    await chmod(data, mode);
    const child = spawn(process.execPath, [join(directory, "program.mjs"), ...command, "--data", data], {
      uid: 65_534,
      gid: 65_534,
      cwd: "/",
      env: BUNDLED_ENV,
    });
    let err = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
    const [code] = await once(child, "close");
    assert.equal(code, 78, err);
    assert.match(
      err,
      /^mazaneh: Cannot use the data directory ".*": EACCES: .*; check its mode, and run this as the user that owns it\n$/,
    );
  }
});

test("data directory: files that root creates in another user's directory belong to that user, even backups and restored stores", {
  skip: isRoot,
}, async (t) => {
  const directory = await temporaryDirectory(t);
  const data = join(directory, "a/data");
  await mkdir(join(directory, "a"));
  await chown(join(directory, "a"), 65_534, 65_533);
  const backup = join(directory, "a/backup");
  const commands = [
    ...[
      ["keys", "create", "me", "--init"],
      ["plans", "set", "P", "--daily-units", "5", "--attribution", "no"],
      ["backup", backup],
    ].map((args) => [...args, "--data", data]),
    ["restore", backup, join(directory, "a/restored")],
  ];
  for (const args of commands) assert.equal((await program(args)).code, 0, args[0]);
  const input = ["code,value,businessTime\nUSD_RLS,1,2026-08-01T00:00:00Z\n"];
  assert.equal((await program(["import", "-", "--data", data], { input })).code, 0);
  const found = await readdir(directory, { recursive: true, withFileTypes: true });
  assert.ok(found.length > 30, String(found.length));
  for (const { parentPath, name } of found) {
    const { uid, gid } = await lstat(join(parentPath, name));
    assert.deepEqual([uid, gid], [65_534, 65_533], join(parentPath, name));
  }
  const server = await serving(t, ["--data", data]);
  const [socket] = await readdir(join(data, "control"));
  assert.equal((await lstat(join(data, "control", socket!))).uid, 65_534);
  await server.stop();
});

test("a target inside a data directory or a backup is refused with exit code 64, because it would be lost together with that directory", async (t) => {
  const directory = await temporaryDirectory(t);
  const data = await makeStore(join(directory, "data"));
  const backup = join(directory, "backup");
  assert.equal((await program(["backup", backup, "--data", data])).code, 0);
  await mkdir(join(data, "kept"));
  await symlink(join(data, "kept"), join(directory, "link"));
  const targets = [join(data, "new"), join(data, "kept", "new"), join(directory, "link", "new")];
  const backups = targets.map((to) => ["backup", to, "--data", data]);
  const inside = [
    ...backups,
    ["restore", backup, join(backup, "new")],
    ["copy", "--from", data, "--to", join(data, "new")],
    ["copy", "--from", data, "--to", join(directory, "link", "new")],
  ];
  for (const args of inside) {
    const { code, err } = await program(args);
    assert.equal(code, 64, err);
    assert.match(
      err,
      /^mazaneh: Cannot write to ".*" because it is inside the data directory ".*\/(?:data|backup)" and would be lost with it\n$/,
    );
  }
  assert.deepEqual(await readdir(join(data, "kept")), []);
  assert.equal((await readdir(data)).includes("new"), false);
});
