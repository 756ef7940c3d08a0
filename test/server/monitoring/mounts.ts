import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The value of `skip` for tests that mount this kind: `false` if this machine can mount it, otherwise the reason. */
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
