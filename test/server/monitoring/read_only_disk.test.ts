import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { type TestContext, test } from "node:test";
import { serving, temporaryDirectory } from "../../support/cli.ts";
import { program } from "../../support/cli_program.ts";
import { until } from "../../support/wait_until.ts";
import { readyzOf } from "../../support/watched_server.ts";
import { fillStore, makeImage, mountable, mountedFolder, mountImage, run } from "./mounts.ts";

const STATUS = "/api/v1/status";
const ASSET = "/api/v1/assets/USD_RLS";
const skip = await mountable("ext4");

/** A data directory on its own disk. After an error, the kernel makes the disk read-only, as on most systems. */
async function onDisk(t: TestContext) {
  const folder = await temporaryDirectory(t);
  const image = makeImage(join(folder, "image"));
  const disk = mountedFolder(t, (mount) => mountImage(image, mount));
  const data = join(disk, "data");
  const key = await fillStore(data, "--init");
  execFileSync("mount", ["-o", "remount,errors=remount-ro", disk]);
  const device = basename(execFileSync("findmnt", ["-no", "SOURCE", disk], { encoding: "utf8" }).trim());
  return {
    ...{ disk, folder, data, key },
    breakDisk: () => writeFileSync(`/sys/fs/ext4/${device}/trigger_fs_error`, "test"),
    async repairDisk() {
      await until("no file of the disk is open", () => spawnSync("umount", [disk]).status === 0, 50);
      spawnSync("e2fsck", ["-f", "-y", image]);
      mountImage(image, disk);
    },
  };
}

test("a disk that the kernel makes read-only: a running server answers requests that cost no unit, reports the reason, and stops cleanly", {
  skip,
}, async (t) => {
  const { folder, data, key, breakDisk } = await onDisk(t);
  const server = await serving(t, ["--data", data, "--admin-port", "0"]);
  const adminUrl = String(server.state["adminUrl"]);
  assert.equal((await server.get(ASSET, key)).status, 200);
  breakDisk();
  for (const [path, status] of [
    [ASSET, 503],
    [STATUS, 200],
    [ASSET, 503],
    ["/api/v1/access", 200],
  ] as const)
    assert.equal((await server.get(path, key)).status, status, path);
  const { status, reasons } = await readyzOf(adminUrl);
  assert.deepEqual([status, reasons.map(({ code }) => code)], [503, ["writes-failing"]]);
  assert.match(reasons[0]!.message, /EROFS/);
  await run(["backup", join(folder, "backup"), "--data", data]);
  await run(["verify", "--data", join(folder, "backup")]);
  assert.equal(await server.stop(), 0);
});

test("a disk that is read-only when the server starts: the server serves requests that cost no unit, and exits with 70 when the disk is writable again", {
  skip,
}, async (t) => {
  const { disk, folder, data, key, breakDisk, repairDisk } = await onDisk(t);
  const served = async (args: readonly string[] = []) => {
    const server = await serving(t, ["--data", data, "--admin-port", "0", ...args]);
    for (const [path, status] of [
      [ASSET, 503],
      [STATUS, 200],
      ["/api/v1/access", 200],
    ] as const)
      assert.equal((await server.get(path, key)).status, status, path);
    assert.equal((await server.get(STATUS)).json["status"], "UNAVAILABLE");
    assert.match(String(server.state["warnings"]), /file system of the data is read-only/);
    const { status, reasons } = await readyzOf(String(server.state["adminUrl"]));
    assert.deepEqual([status, reasons.map(({ code }) => code)], [503, ["store-read-only"]]);
    return server;
  };
  breakDisk();
  await (await served()).stop();
  await run(["backup", join(folder, "backup"), "--data", data]);
  const refused = await program(["keys", "create", "bob", "--data", data]);
  assert.equal(refused.code, 70);
  assert.match(refused.err, /EROFS.*mount its disk for writing\n$/);
  // A mirror on a read-only disk waits until the disk is writable again.
  await repairDisk();
  execFileSync("mount", ["-o", "remount,ro", disk]);
  const keyFile = join(folder, "key");
  writeFileSync(keyFile, key, { mode: 0o600 });
  const server = await served(["--mirror", "http://127.0.0.1:1", "--mirror-key-file", keyFile]);
  execFileSync("mount", ["-o", "remount,rw", disk]);
  await until("it has noticed", () => /"event":"store-failed"[^\n]*is writable again/.test(server.errors()), 50);
  assert.equal(await server.stop(), 70);
  const again = await serving(t, ["--data", data]);
  assert.equal((await again.get(ASSET, key)).status, 200);
  await again.stop();
});
