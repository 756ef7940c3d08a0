import { access, constants, mkdir, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { CommandFailure, EXIT, messageOf } from "./failure.ts";

/**
 * Makes the data directory for its owner only, and the missing ones above it. Throws a failure with exit code
 * 78 when that is impossible. One by one, as `mkdir` with `recursive` never ends where the system makes no
 * directories, such as in /proc or in a working directory that was deleted.
 */
export async function makeDataDirectory(path: string): Promise<void> {
  try {
    const missing: string[] = [];
    for (let at = resolved(path); !(await isDirectory(at)); at = dirname(at)) missing.unshift(at);
    for (const directory of missing) await makeOne(directory);
  } catch (error) {
    throw unusable(path, error);
  }
}

/** Whether the data directory is there. Throws a failure with exit code 78 when something else is, or it may not be read. */
export async function hasDataDirectory(path: string): Promise<boolean> {
  return isReadable(path).catch((error: unknown) => {
    throw unusable(path, error);
  });
}

/** What `look` finds in the data directory; `false` where there is none. Throws as `hasDataDirectory` does, with the path as it was `given`. */
export async function readable(path: string, given: string, look: () => Promise<boolean>): Promise<boolean> {
  const found = async (): Promise<boolean> => (await isReadable(path)) && look();
  return found().catch((error: unknown) => {
    throw unusable(given, error);
  });
}

/** The absolute path of the data directory, for messages. Throws a failure with exit code 78 when it has none. */
export function absolutePath(path: string): string {
  try {
    return resolved(path);
  } catch (error) {
    throw unusable(path, error);
  }
}

function unusable(path: string, error: unknown): CommandFailure {
  return new CommandFailure(`Cannot use the data directory "${path}": ${messageOf(error)}`, EXIT.config, { cause: error });
}

function resolved(path: string): string {
  try {
    return resolve(path);
  } catch {
    throw new Error("the working directory was deleted, so that only an absolute path can be used");
  }
}

async function makeOne(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
    // Usually another process has made it meanwhile.
    if (!(await isDirectory(path))) throw new Error(`"${path}" is a link to something that does not exist`);
  }
}

/** Whether there is a directory; `false` for nothing. Throws when this user may not read it, or the manifest in it. */
async function isReadable(path: string): Promise<boolean> {
  if (!(await isDirectory(path))) return false;
  await access(path, constants.R_OK | constants.X_OK);
  await access(join(path, "MANIFEST.json"), constants.R_OK).catch((error: unknown) => {
    if (codeOf(error) !== "ENOENT") throw error;
  });
  return true;
}

/** Whether there is a directory; `false` for nothing. Throws when something else is in the way. */
async function isDirectory(path: string): Promise<boolean> {
  try {
    if ((await stat(path)).isDirectory()) return true;
  } catch (error) {
    if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return false;
    throw error;
  }
  throw new Error(`"${path}" is not a directory`);
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
