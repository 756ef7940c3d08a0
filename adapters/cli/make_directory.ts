import { access, constants, mkdir, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { CommandFailure, EXIT, messageOf } from "./failure.ts";

/** Makes the data directory, and the missing ones above it, for their owner only. Throws a failure with exit code 78 when that is impossible. */
export async function makeDataDirectory(path: string): Promise<void> {
  await mkdir(absolutePath(path), { recursive: true, mode: 0o700 }).catch((error: unknown) => unusable(path, error));
}

/** Whether the data directory is there. Throws a failure with exit code 78 when something else is, or this user may not read it. */
export async function hasDataDirectory(path: string): Promise<boolean> {
  return isReadable(absolutePath(path)).catch((error: unknown) => unusable(path, error));
}

/** What `look` finds in the data directory; `false` where there is none. Throws as `hasDataDirectory` does, with the path as it was `given`. */
export async function readable(path: string, given: string, look: () => Promise<boolean>): Promise<boolean> {
  const found = async (): Promise<boolean> => (await isReadable(path)) && look();
  return found().catch((error: unknown) => unusable(given, error));
}

/** The absolute path of the data directory, for messages. Throws a failure with exit code 78 when it has none. */
export function absolutePath(path: string): string {
  try {
    return resolve(path);
  } catch {
    return unusable(path, new Error("the working directory was deleted, so that only an absolute path can be used"));
  }
}

function unusable(path: string, error: unknown): never {
  throw new CommandFailure(`Cannot use the data directory "${path}": ${messageOf(error)}`, EXIT.config, { cause: error });
}

/** Whether there is a directory; `false` for nothing. Throws when this user may not read it, or the manifest in it. */
async function isReadable(path: string): Promise<boolean> {
  const found = await stat(path).catch(unlessMissing);
  if (!found) return false;
  if (!found.isDirectory()) throw new Error(`"${path}" is not a directory`);
  await access(path, constants.R_OK | constants.X_OK);
  await access(join(path, "MANIFEST.json"), constants.R_OK).catch(unlessMissing);
  return true;
}

function unlessMissing(error: unknown): undefined {
  if (!(error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR"))) throw error;
}
