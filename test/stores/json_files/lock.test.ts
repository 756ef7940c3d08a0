import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmod, mkdir, readdir, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { SEAL_LENGTH, seal } from "../../../adapters/stores/json_files/log/sealed_line.ts";
import { connectToStore, DirectoryInUse, type StoreError } from "../../../adapters/stores/json_files/mod.ts";
import { Unavailable } from "../../../core/ports.ts";
import { edit, newDirectory, openAt, startStoreChild } from "../../support/json_files_fixtures.ts";
import { observed } from "../../support/store_suite.ts";
import { IS_NIGHTLY, runs } from "../../support/suite_size.ts";

async function lockNames(directory: string): Promise<string[]> {
  const names = [...(await readdir(directory)), ...(await readdir(join(directory, "control")))];
  return names.filter((name) => /^(lock|s)\./.test(name)).sort();
}

test("lock: a second process gets an error that names the owner, until the owner is killed or the machine restarts", async () => {
  const directory = await newDirectory();
  const child = startStoreChild(directory);
  assert.equal(await child.nextMessage(), "won");
  await assert.rejects(openAt(directory), {
    ...{ name: "DirectoryInUse", exitCode: 69 },
    message: `Cannot open the store "${directory}" because it is in use by process ${child.process.pid} on host "${hostname()}" since 2026-11-21T10:00:00.000Z`,
  });
  await child.end();
  // An earlier version also wrote an id of the kernel's boot. Neither this id nor a new file time keeps the lock held.
  await edit(directory, "lock.00000001", (text) => seal(`${text.slice(0, -SEAL_LENGTH - 1)},"boot":"another"`, 0));
  const touching = setInterval(() => utimes(join(directory, "lock.00000001"), new Date(), new Date()), 1_000);
  const store = await openAt(directory).finally(() => clearInterval(touching));
  await store.observations.append([observed(1, 1)]);
  await store.close();
  assert.deepEqual(await lockNames(directory), ["lock.00000001", "lock.00000002"]);
});

test("lock: until close(), a second open in the same process is refused, even if the path is too long for a socket", async () => {
  const short = await newDirectory();
  const long = join(short, "a".repeat(60), "b".repeat(60));
  await mkdir(long, { recursive: true });
  for (const directory of process.platform === "linux" ? [short, long] : [short]) {
    const store = await openAt(directory);
    await assert.rejects(openAt(directory), DirectoryInUse);
    const access = await connectToStore(directory);
    assert.equal((await access?.info())?.generation, 1);
    await access?.close();
    await store.close();
    const again = await openAt(directory);
    assert.equal((await again.access.info()).generation, 2);
    await again.close();
  }
});

test("lock: exactly one of several processes gets the lock after the owner is killed", async () => {
  const directory = await newDirectory();
  const count = IS_NIGHTLY ? 8 : 3;
  for (let round = 0; round < runs(2); round++) {
    const children = Array.from({ length: count }, () => startStoreChild(directory));
    const messages = await Promise.all(children.map((child) => child.nextMessage()));
    assert.deepEqual(messages.sort(), [...Array<string>(count - 1).fill("DirectoryInUse"), "won"]);
    await Promise.all(children.map((child) => child.end()));
  }
});

test("lock: an invalid lock file, whether it is JSON or not, is damage, with exit code 65", async () => {
  for (const text of ["", "nonsense", "{}", "[]", "null", '{"kind":"lock","schema":1}']) {
    const directory = await newDirectory();
    await writeFile(join(directory, "lock.00000001"), text);
    for (const reach of [openAt, connectToStore])
      await assert.rejects(reach(directory), {
        ...{ name: "DataDamaged", exitCode: 65 },
        message: /lock\.00000001" is damaged: .*\. Remove it when no process uses the directory$/,
      });
  }
});

test("lock: a process that finds a later generation stops writing at once, with exit code 71", async (t) => {
  const directory = await newDirectory();
  let lost = (_: StoreError): void => {};
  const fatal = new Promise<StoreError>((resolve) => (lost = resolve));
  t.mock.timers.enable({ apis: ["setInterval"] });
  const store = await openAt(directory, { onFatal: (error) => lost(error) });
  await writeFile(join(directory, "lock.00000002"), "{}");
  t.mock.timers.tick(5_000); // A heartbeat.
  assert.equal((await fatal).exitCode, 71);
  await assert.rejects(store.observations.append([observed(1, 1)]), Unavailable);
  await store.close();
});

test("lock: other users cannot connect to the socket, whatever the mode of the directory and the umask", async () => {
  const directory = await newDirectory();
  await chmod(directory, 0o755);
  await mkdir(join(directory, "control"));
  await chmod(join(directory, "control"), 0o777);
  const umask = process.umask(0);
  const store = await openAt(directory).finally(() => process.umask(umask));
  const [socketName = ""] = await readdir(join(directory, "control"));
  const socket = join(directory, "control", socketName);
  assert.equal((await stat(join(directory, "control"))).mode & 0o777, 0o700);
  if (process.getuid?.() === 0) {
    // Only root can run a program as another user.
    const connecting = `require("net").connect(${JSON.stringify(socket)}).on("connect", () => console.log("connected")).on("error", (error) => console.log(error.code))`;
    assert.equal(
      execFileSync(process.execPath, ["-e", connecting], { uid: 65534, gid: 65534, cwd: "/", encoding: "utf8" }),
      "EACCES\n",
    );
  }
  await store.close();
});

test("lock: a socket directory that is a link, or not a directory, is refused", async () => {
  for (const make of [(path: string) => symlink("/tmp", path), (path: string) => writeFile(path, "")]) {
    const directory = await newDirectory();
    await make(join(directory, "control"));
    await assert.rejects(openAt(directory), { name: "StoreError", exitCode: 78 });
  }
});

test("lock: a directory that others can enter causes a warning, a private one does not", async () => {
  for (const [mode, warnings] of [
    [0o700, 0],
    [0o750, 1],
    [0o755, 1],
    [0o770, 1],
  ] as const) {
    const directory = await newDirectory();
    await chmod(directory, mode);
    const store = await openAt(directory);
    assert.equal(store.warnings.length, warnings, mode.toString(8));
    for (const warning of store.warnings)
      assert.ok(warning.includes(`chmod 700 "${directory}"`) && warning.includes(mode.toString(8)), warning);
    await store.close();
  }
});
