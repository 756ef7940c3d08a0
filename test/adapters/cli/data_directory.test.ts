import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, copyFile, mkdir, readdir, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import type { TestContext } from "node:test";
import { messageOf } from "../../../adapters/cli/failure.ts";
import { bundle } from "../../faults/bundle.ts";
import { temporaryDirectory } from "../../support/cli.ts";
import { program } from "../../support/cli_program.ts";

const PROGRAM = await bundle("adapters/cli/main.ts");

/** Runs a line of shell, in which `"$@"` is the program. */
async function shell(t: TestContext, cwd: string, line: string): Promise<{ code: number | null; err: string }> {
  const child = spawn("bash", ["-c", line, "bash", process.execPath, PROGRAM], { cwd, stdio: ["ignore", "ignore", "pipe"] });
  t.after(() => child.kill("SIGKILL"));
  let err = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
  const [code] = await once(child, "close");
  return { code: code as number | null, err };
}

const places: readonly (readonly [rule: string, path: string, problem: RegExp])[] = [
  ["a file", "file", /"\/.*\/file" is not a directory$/],
  ["below a file", "file/a/b", /"\/.*\/file" is not a directory$/],
  ["a device", "/dev/null", /"\/dev\/null" is not a directory$/],
  ["a link to nothing", "dangling", /"\/.*\/dangling" is a link to something that does not exist$/],
  ["below a link to nothing", "dangling/a", /"\/.*\/dangling" is a link to something that does not exist$/],
  ["a link to itself", "loop/a", /ELOOP/],
  ["a name that is too long", "n".repeat(300), /ENAMETOOLONG/],
  ["where the system makes no directory", "/proc/none/a", /(ENOENT|EROFS|EACCES|EPERM).* mkdir '\/proc/],
];
for (const [rule, path, problem] of places) {
  test(`data directory: ${rule} is refused at once, by name, by the server and by commands that make it: 78`, { timeout: 60_000 }, async (t) => {
    const directory = await temporaryDirectory(t);
    await writeFile(join(directory, "file"), "");
    await symlink(join(directory, "nothing"), join(directory, "dangling"));
    await symlink("loop", join(directory, "loop"));
    const before = await readdir(directory);
    const runs = [await shell(t, directory, `exec "$@" serve --init --port 0 --data ${path}`), await shell(t, directory, `exec "$@" keys create me --init --data ${path}`)];
    for (const { code, err } of runs) {
      assert.equal(code, 78, err);
      assert.ok(err.startsWith(`mazaneh: Cannot use the data directory "${path}": `), err);
      assert.match(err.trimEnd(), problem);
      assert.equal(err.split("\n").length, 2, err);
    }
    assert.deepEqual(await readdir(directory), before);
  });
}

test("data directory: in a working directory that was deleted a relative one is refused at once: 78, an absolute one works: 0", { timeout: 60_000 }, async (t) => {
  const directory = await temporaryDirectory(t);
  const gone = 'mkdir gone && cd gone && rmdir ../gone && exec "$@"';
  for (const command of ["serve --port 0", "keys create me", "import -"]) {
    const { code, err } = await shell(t, directory, `${gone} ${command}`);
    assert.deepEqual([code, err], [78, 'mazaneh: Cannot use the data directory "data": the working directory was deleted, so that only an absolute path can be used\n']);
  }
  assert.equal((await shell(t, directory, `${gone} keys list`)).code, 64);
  assert.equal((await shell(t, directory, `${gone} keys create me --init --data ${join(directory, "data")}`)).code, 0);
});

test("data directory: missing ones above it are made, for their owner only; those that are there stay as they are", async (t) => {
  const directory = await temporaryDirectory(t);
  await mkdir(join(directory, "a"), { mode: 0o755 });
  await symlink(join(directory, "a"), join(directory, "link"));
  const runs = await Promise.all(Array.from({ length: 5 }, () => program(["keys", "create", "me", "--init", "--data", join(directory, "link/b/c/data")])));
  assert.deepEqual(runs.map(({ code }) => code), [0, 0, 0, 0, 0]);
  const modes = ["a", "a/b", "a/b/c", "a/b/c/data"].map(async (path) => ((await stat(join(directory, path))).mode & 0o777).toString(8));
  assert.deepEqual(await Promise.all(modes), ["755", "700", "700", "700"]);
});

test("data directory: a file given to a command that wants a directory is refused: 78", async (t) => {
  const file = join(await temporaryDirectory(t), "file");
  await writeFile(file, "");
  for (const command of [["keys", "list"], ["accounts", "set", "a", "--plan", "B"], ["verify"], ["repair"], ["export"], ["backup", "x"]]) {
    const { code, err } = await program([...command, "--data", file]);
    assert.deepEqual([code, err], [78, `mazaneh: Cannot use the data directory "${file}": "${file}" is not a directory\n`]);
  }
});

const isRoot = process.getuid?.() === 0 ? false : "SKIPPED: only root can run a program as another user";
test("data directory: one of another user is refused, and its owner is named: 78", { skip: isRoot, timeout: 60_000 }, async (t) => {
  const directory = await temporaryDirectory(t);
  const data = join(directory, "data");
  await program(["keys", "create", "me", "--init", "--data", data]);
  await chmod(directory, 0o755);
  await copyFile(PROGRAM, join(directory, "program.mjs"));
  await copyFile("package.json", join(directory, "package.json")); // The program reads its version there.
  // Another user cannot write the coverage of its process.
  const env = { ...process.env, NODE_V8_COVERAGE: "" };
  for (const mode of [0o700, 0o755]) {
    await chmod(data, mode);
    for (const command of [["status"], ["verify"], ["keys", "list"], ["keys", "create", "me"], ["serve", "--port", "0"]]) {
      const child = spawn(process.execPath, [join(directory, "program.mjs"), ...command, "--data", data], { uid: 65_534, gid: 65_534, cwd: "/", env });
      let err = "";
      child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
      const [code] = await once(child, "close");
      assert.equal(code, 78, err);
      assert.match(err, /^mazaneh: Cannot use the data directory ".*": EACCES: .*; it belongs to user root: run this as that user\n$/);
    }
  }
});

test("failure: a disk that is mounted read-only is named with what to do", () => {
  const error = Object.assign(new Error("EROFS: read-only file system, mkdir '/d/control'"), { code: "EROFS", path: "/d/control" });
  assert.equal(messageOf(error), "EROFS: read-only file system, mkdir '/d/control'; mount its disk for writing");
});
