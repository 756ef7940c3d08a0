import { access, constants, rm, stat, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { codeOf } from "../shared/store_error.ts";
import type { ReasonCode, Trouble } from "../shared/store_troubles.ts";
import { DATA_FOLDERS } from "./data_directory.ts";
import type { StoreCondition } from "./errors.ts";
import { temporaryName } from "./replace_document.ts";

/** The disk of the data at the last check. */
export interface DiskSpace {
  readonly freeBytes: number;
  readonly totalBytes: number;
}

/** With less free space, the largest group of records may not fit. */
const MIN_FREE_BYTES = 1 << 20;
const PROBE_BYTES = 64 << 10;
/** A disk that does not answer for this long counts as hanging. */
const MAX_SWEEP_MS = 3_000;
const CODES = {
  failed: "store-failed",
  "writes-failing": "writes-failing",
  "read-only": "store-read-only",
} as const satisfies Record<string, ReasonCode>;

/**
 * Makes a watcher of an open store. If a folder of the store is replaced, the watcher reports this as a problem.
 *
 * @param onWritable Called when a file could be written although the last write of the store had failed, or although
 *   the store was opened read-only.
 */
export async function watchStore(directory: string, condition: () => StoreCondition, onWritable: () => void) {
  const folders = ["", ...DATA_FOLDERS].map((name) => join(directory, name));
  const identities = await Promise.all(folders.map(identityOf));
  let found: readonly Trouble[] = [];
  let space: DiskSpace | undefined;
  let sweeping: Promise<void> | undefined;
  let sweptSince = 0;

  async function folderTrouble(): Promise<Trouble | undefined> {
    for (const [index, folder] of folders.entries()) {
      const identity = await identityOf(folder);
      if (identity === identities[index] && identity !== undefined) continue;
      const what = identity ? "was replaced since the start: put the old folder back" : "is missing: put it back";
      return { code: "data-folder", message: `The folder "${folder}" ${what}` };
    }
    return undefined;
  }

  async function diskTrouble(): Promise<Trouble | undefined> {
    const { bsize, blocks, bavail, bfree, files, ffree } = await statfs(directory);
    // Some file systems reserve their last blocks for root.
    const freeBytes = (process.getuid?.() === 0 ? bfree : bavail) * bsize;
    space = { freeBytes, totalBytes: blocks * bsize };
    if (freeBytes < MIN_FREE_BYTES)
      return { code: "disk-full", message: `The disk of the data has less than ${MIN_FREE_BYTES >> 20} MB left` };
    if (files > 0 && ffree === 0) return { code: "disk-full", message: "The disk of the data has no free inodes" };
    return undefined;
  }

  async function writeTrouble(): Promise<Trouble | undefined> {
    const { problem } = condition();
    if (problem && problem.kind !== "failed" && (await canWrite(directory)) && condition().problem === problem)
      onWritable();
    if (problem?.kind === "read-only") return undefined;
    // Fails if the disk was remounted read-only, e.g. after an error.
    const refusal = await access(directory, constants.W_OK).then(() => undefined, codeOf);
    if (refusal === undefined) return undefined;
    return { code: "writes-failing", message: `The data folder cannot be written: ${refusal}` };
  }

  async function sweepOnce(): Promise<void> {
    const missing = await folderTrouble();
    // If a folder is missing, nothing else is checked.
    const others = missing ? [] : [await diskTrouble().catch(() => undefined), await writeTrouble()];
    found = [missing, ...others].filter((trouble) => trouble !== undefined);
  }

  return {
    troubles(): readonly Trouble[] {
      const { problem } = condition();
      const troubles: Trouble[] = [...found];
      if (sweeping && performance.now() - sweptSince > MAX_SWEEP_MS)
        troubles.push({ code: "data-folder", message: `The disk of "${directory}" does not answer` });
      if (problem) troubles.push({ code: CODES[problem.kind], message: problem.message });
      return troubles;
    },
    async sweep(): Promise<void> {
      if (!sweeping) {
        sweptSince = performance.now();
        sweeping = sweepOnce().finally(() => (sweeping = undefined));
      }
      await Promise.race([sweeping, new Promise((resolve) => setTimeout(resolve, MAX_SWEEP_MS).unref())]);
    },
    /** `undefined` if the system does not report it. */
    disk: (): DiskSpace | undefined => space,
    canServe: (): boolean => condition().problem === undefined,
  };
}

/** Identifies a folder, whatever its name; returns `undefined` if the folder does not exist. */
async function identityOf(folder: string): Promise<string | undefined> {
  return stat(folder).then(
    ({ dev, ino }) => `${dev}:${ino}`,
    () => undefined,
  );
}

/** Whether a new file of `PROBE_BYTES` can be written. After a crash, opening the store again removes the file. */
async function canWrite(directory: string): Promise<boolean> {
  const path = temporaryName(join(directory, "write-test"));
  try {
    await writeFile(path, Buffer.alloc(PROBE_BYTES), { flag: "wx" });
    return true;
  } catch {
    return false;
  } finally {
    await rm(path, { force: true }).catch(() => undefined);
  }
}
