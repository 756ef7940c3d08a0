import { randomBytes } from "node:crypto";
import { lstat, open, rename, rm } from "node:fs/promises";
import { CommandFailure, codeOf, EXIT, wrongUsage } from "./command_failure.ts";

/**
 * Writes a file with a random name beside `path`, and then renames it to `path`, so that readers find either the
 * complete old file or the complete new file. Throws a failure if `path` exists but is not a regular file, or if its
 * directory does not exist. Does not follow symbolic links.
 */
export async function replaceFile(path: string, parts: Iterable<string> | AsyncIterable<string>): Promise<void> {
  const present = await lstat(path).catch(() => undefined);
  if (present && !present.isFile()) throw wrongUsage(`Cannot write to "${path}" because it is not a regular file`);
  const temporary = `${path}.${randomBytes(8).toString("hex")}.tmp`;
  try {
    const file = await open(temporary, "wx").catch((error: unknown) => {
      if (codeOf(error) !== "ENOENT") throw error;
      throw new CommandFailure(`Cannot write to "${path}" because its directory does not exist`, EXIT.failed);
    });
    try {
      for await (const part of parts) await file.appendFile(part);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
