import { rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { StoreError } from "../../shared/store_error.ts";
import { MANIFEST, SUBDIRECTORIES } from "../data_directory.ts";
import { codeOf, type FileSystem } from "../file_system.ts";
import { temporaryName } from "../replace_document.ts";

/**
 * Makes a directory with the subdirectories of a store, atomically: it gets its name when `fill` has written
 * all files and they are on the device. `path` must be free, or an empty directory.
 */
export async function createStoreDirectory<T>(
  fs: FileSystem,
  path: string,
  fill: (temporary: string) => Promise<T>,
): Promise<T> {
  const target = resolve(path);
  if ((await namesIn(fs, target))?.length) throw new StoreError(`Cannot write to "${path}" as it is not empty`, 64);
  // The parent is not made here: its name, too, would have to be synced, and so on up to the root.
  if (!(await namesIn(fs, dirname(target))))
    throw new StoreError(`Cannot write to "${path}" as its parent directory does not exist`, 64);
  const around = await storeAround(fs, dirname(target));
  if (around !== undefined)
    throw new StoreError(
      `Cannot write to "${path}" as it lies within the data directory "${around}", with which it would be lost`,
      64,
    );
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

/** The nearest data directory or backup from `directory` upwards; `undefined` where there is none. */
async function storeAround(fs: FileSystem, directory: string): Promise<string | undefined> {
  const names = await fs.list(directory).catch((): string[] => []); // Not every directory above may be listed.
  if ([MANIFEST, ...SUBDIRECTORIES].every((name) => names.includes(name))) return directory;
  return dirname(directory) === directory ? undefined : storeAround(fs, dirname(directory));
}

async function namesIn(fs: FileSystem, directory: string): Promise<string[] | undefined> {
  try {
    return await fs.list(directory);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
    return undefined;
  }
}
