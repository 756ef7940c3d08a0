import { lstat, readdir } from "node:fs/promises";
import { join, relative, sep } from "node:path";

/** The parts of a data directory, in the order in which they are shown. */
const DISK_PARTS = ["observations", "checkpoint", "accounts", "quota", "imports", "quarantine", "other"] as const;

/** Bytes by part. */
export type DiskUse = Readonly<Record<(typeof DISK_PARTS)[number], number>>;

const CHECKPOINT = "obs.snapshot";
const FOLDERS: Readonly<Record<string, keyof DiskUse>> = {
  obs: "observations", accounts: "accounts", quota: "quota", imports: "imports", quarantine: "quarantine",
};

/** Adds up the lengths of the files in a data directory. Files that are removed meanwhile are left out. */
export async function diskUse(directory: string): Promise<DiskUse> {
  const use = Object.fromEntries(DISK_PARTS.map((part) => [part, 0])) as Record<keyof DiskUse, number>;
  for (const entry of await readdir(directory, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const [folder = ""] = relative(directory, path).split(sep);
    const part = entry.name === CHECKPOINT ? "checkpoint" : (FOLDERS[folder] ?? "other");
    use[part] += await lstat(path).then(({ size }) => size, () => 0);
  }
  return use;
}
