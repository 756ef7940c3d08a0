import { access, constants, mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { isStoreDirectory } from "../json_files/mod.ts";
import { CommandFailure, EXIT, codeOf, messageOf } from "./failure.ts";

/**
 * Whether a store, or what is left of one, is in a data directory. Throws a failure with exit code 78 for what is no
 * directory, and for one that this user may not read.
 */
export async function hasStore(data: string): Promise<boolean> {
  const path = resolve(data);
  try {
    if (!(await isStoreDirectory(path))) return false;
    await access(join(path, "MANIFEST.json"), constants.R_OK).catch(unlessMissing);
    return true;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return false;
    throw unusable(data, error);
  }
}

/** Makes the data directory, and the missing ones above it, for their owner only. Throws a failure with exit code 78 when that is impossible. */
export async function makeDataDirectory(data: string): Promise<void> {
  await mkdir(resolve(data), { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    throw unusable(data, error);
  });
}

function unusable(data: string, error: unknown): CommandFailure {
  return new CommandFailure(`Cannot use the data directory "${data}": ${messageOf(error)}`, EXIT.config, { cause: error });
}

function unlessMissing(error: unknown): void {
  if (codeOf(error) !== "ENOENT") throw error;
}
