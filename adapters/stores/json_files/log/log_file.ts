import { join } from "node:path";
import type { Folder } from "../data_directory.ts";
import { withFile, writeAll } from "../file_system.ts";
import { temporaryName } from "../replace_document.ts";
import { encodeGroup } from "./group.ts";
import type { LogEnd } from "./log.ts";
import { logSeed } from "./sealed_line.ts";
import { type SegmentStart, segmentName, writeHeader } from "./segments.ts";

/** Synced in such parts, as the sync of an append may wait for all that the device has to write. */
const SYNC_BYTES = 1 << 20;

/** Where files of a log are written to. */
export interface LogWriter extends Folder {
  /** Generation of the lock: goes into every line. */
  readonly generation: number;
}

/** Groups of lines, each of which is appended as one. */
export type LogGroups = Iterable<readonly string[]> | AsyncIterable<readonly string[]>;

/**
 * Writes a whole file of a log, in place of one that is there. Resolves when the content is on the device and the name is
 * made. When it fails, nothing of it is left.
 */
export async function writeLogFile(
  { fs, health, directory, generation }: LogWriter,
  start: SegmentStart,
  groups: LogGroups,
): Promise<LogEnd> {
  const path = join(directory, segmentName(start.kind, start.segment));
  const temporary = temporaryName(path);
  const seed = logSeed(start.storeId, start.kind);
  let unsynced = 0;
  try {
    const end = await withFile(fs, temporary, "create", async (file) => {
      let written = await writeHeader(file, start, generation);
      for await (const lines of groups) {
        const { next: first, length } = written;
        const { bytes, check } = encodeGroup(lines, { first, generation, seed });
        await writeAll(file, bytes);
        written = { ...written, next: first + lines.length, length: length + bytes.length, check };
        unsynced += bytes.length;
        if (unsynced > SYNC_BYTES) {
          await file.datasync();
          unsynced = 0;
        }
      }
      await file.sync();
      return written;
    });
    if (health.failed) throw new Error("another process owns the directory");
    await fs.rename(temporary, path);
    return end;
  } catch (error) {
    await fs.remove(temporary).catch(() => {});
    throw error;
  }
}
