import { realpath, rm } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { StoreError } from "../../shared/store_error.ts";
import { listOrNone, MANIFEST, SUBDIRECTORIES } from "../data_directory.ts";
import { type FileSystem, ifThere } from "../file_system.ts";
import { TEMPORARY_ENDING, temporaryName } from "../replace_document.ts";

/** Makes a store's directory at `path`, which must be empty or absent. It appears when all files are on disk. */
export async function createStoreDirectory<T>(
  fs: FileSystem,
  path: string,
  fill: (temporary: string) => Promise<T>,
): Promise<T> {
  const target = resolve(path);
  if ((await listOrNone(fs, target)).length > 0)
    throw new StoreError(`Cannot write to "${path}" because it is not empty`, 64);
  // Does not make missing parents, because the name of each parent would have to be synced as well.
  if (!(await ifThere(fs.list(dirname(target)))))
    throw new StoreError(`Cannot write to "${path}" because its parent directory does not exist`, 64);
  const around = await storeAround(fs, await realpath(dirname(target))); // The parent may be a link.
  if (around !== undefined)
    throw new StoreError(
      `Cannot write to "${path}" because it is inside the data directory "${around}" and would be lost with it`,
      64,
    );
  await removeLeftOvers(fs, target);
  const temporary = temporaryName(target);
  const subdirectories = SUBDIRECTORIES.map((name) => join(temporary, name));
  try {
    for (const directory of subdirectories) await fs.makeDirectory(directory);
    const result = await fill(temporary);
    for (const directory of subdirectories) await fs.syncDirectory(directory);
    await fs.syncDirectory(temporary);
    await fs.rename(temporary, target);
    await fs.syncDirectory(dirname(target));
    return result;
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    throw error;
  }
}

/** Removes leftovers of killed commands for this target. If such a command is in fact still running, it fails. */
async function removeLeftOvers(fs: FileSystem, target: string): Promise<void> {
  for (const name of await fs.list(dirname(target))) {
    if (!TEMPORARY_ENDING.test(name) || name.replace(TEMPORARY_ENDING, "") !== basename(target)) continue;
    const removed = temporaryName(target);
    // Renamed first, so that a running command cannot complete a directory that is partly removed.
    const renamed = fs.rename(join(dirname(target), name), removed);
    // If a directory cannot be removed, e.g. because it belongs to another user, it does no harm.
    await renamed.then(() => rm(removed, { recursive: true })).catch(() => {});
  }
}

/** The nearest data directory or backup from `directory` upwards, or `undefined` if there is none. */
async function storeAround(fs: FileSystem, directory: string): Promise<string | undefined> {
  const names = await fs.list(directory).catch((): string[] => []); // Some parents may not be readable.
  if ([MANIFEST, ...SUBDIRECTORIES].every((name) => names.includes(name))) return directory;
  return dirname(directory) === directory ? undefined : storeAround(fs, dirname(directory));
}
