import { randomBytes } from "node:crypto";
import { lstat, open, rename, rm } from "node:fs/promises";
import { wrongUsage } from "./command_failure.ts";

/**
 * Writes a file under a new name beside `path`, and then renames it: a reader finds the old file or the new
 * one, whole. Throws a usage failure when `path` is there and not a regular file. No link is followed, be it
 * at `path` or, as the other name is random and must be new, planted for this write.
 *
 * @param mode Who may read the new file, before the process's umask takes its part. Default: everybody.
 */
export async function replaceFile(
  path: string,
  parts: Iterable<string> | AsyncIterable<string>,
  mode = 0o666,
): Promise<void> {
  const present = await lstat(path).catch(() => undefined);
  if (present?.isSymbolicLink())
    throw wrongUsage(`Cannot write to "${path}" as it is a symbolic link; name the file itself`);
  if (present && !present.isFile()) throw wrongUsage(`Cannot write to "${path}" as it is not a regular file`);
  const temporary = `${path}.${randomBytes(8).toString("hex")}.tmp`;
  try {
    const file = await open(temporary, "wx", mode);
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
