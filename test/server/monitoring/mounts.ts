import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { program } from "../../support/cli_program.ts";

/** `skip` for tests that mount this kind of disk: `false` if this machine can mount it, otherwise the reason. */
export async function mountable(kind: "tmpfs" | "ext4"): Promise<string | false> {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return `SKIPPED: mounting ${kind} takes Linux and root`;
  const folder = mkdtempSync(join(tmpdir(), "mazaneh-mount-"));
  try {
    if (kind === "tmpfs") execFileSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", folder], { stdio: "pipe" });
    else mountImage(makeImage(`${folder}.img`), folder);
    execFileSync("umount", [folder], { stdio: "pipe" });
    return false;
  } catch (error) {
    return `SKIPPED: this machine does not mount ${kind}: ${String(error).split("\n")[0]}`;
  } finally {
    rmSync(`${folder}.img`, { force: true });
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Makes a file that holds an empty ext4 file system of 64 MB. */
export function makeImage(path: string): string {
  execFileSync("truncate", ["-s", "64M", path], { stdio: "pipe" });
  execFileSync("mkfs.ext4", ["-q", "-F", path], { stdio: "pipe" });
  return path;
}

/** Mounts an image through a loop device. */
export function mountImage(image: string, folder: string): void {
  execFileSync("mount", ["-o", "loop", image, folder], { stdio: "pipe" });
}

/** Makes a folder with a disk that `mount` mounts there; removes both after the test. */
export function mountedFolder(t: TestContext, mount: (folder: string) => void): string {
  const folder = mkdtempSync(join(tmpdir(), "mazaneh-disk-"));
  mount(folder);
  t.after(() => {
    execFileSync("umount", ["-l", folder], { stdio: "pipe" });
    rmdirSync(folder);
  });
  return folder;
}

/** Runs a command that must succeed. */
export async function run(args: readonly string[], input = ""): Promise<string> {
  const { code, out, err } = await program(args, { input });
  assert.equal(code, 0, err);
  return out;
}

/** Makes a key, and a record of USD_RLS. Returns the key. */
export async function fillStore(data: string, ...options: readonly string[]): Promise<string> {
  const made = await run(["keys", "create", "alice", "--json", "--data", data, ...options]);
  const time = new Date(Date.now() - 60_000).toISOString();
  await run(["import", "-", "--data", data], `code,value,businessTime\nUSD_RLS,1,${time}\n`);
  return (JSON.parse(made) as { readonly key: string }).key;
}
