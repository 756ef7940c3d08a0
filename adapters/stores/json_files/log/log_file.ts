import { type FileSystem, writeAll } from "../file_system.ts";
import { temporaryName } from "../replace_document.ts";
import { encodeGroup } from "./encode_group.ts";
import type { LogEnd } from "./log.ts";
import type { LogLines } from "./log_lines.ts";
import { CHECK_FROM_END, checkOf, logSeed, seal } from "./sealed_line.ts";
import type { SegmentHeader } from "./segment_header.ts";

/** Synced in such parts, as the sync of an append may wait for all that the device has to write. */
const SYNC_BYTES = 1 << 20;

/** Groups of lines, each of which is appended as one. */
export type LogGroups = Iterable<LogLines> | AsyncIterable<LogLines>;

/** What a file of a log is written with. */
export interface LogFilePlan {
  readonly header: SegmentHeader;
  readonly generation: number;
  /** Whether this process still owns the directory. */
  readonly isOwner: () => boolean;
}

/**
 * Writes a whole file of a log, in place of one that is there. Resolves when the content is on the device and the name is
 * made. When it fails, nothing of it is left.
 */
export async function writeLogFile(
  fs: FileSystem,
  path: string,
  groups: LogGroups,
  { header, generation, isOwner }: LogFilePlan,
): Promise<LogEnd> {
  const temporary = temporaryName(path);
  const seed = logSeed(header.storeId, header.kind);
  const sealed = seal(JSON.stringify(header).slice(0, -1), seed);
  let [next, length, check] = [header.first, sealed.length + 1, checkOf(sealed)];
  let unsynced = 0;
  try {
    const file = await fs.open(temporary, "create");
    try {
      await writeAll(file, Buffer.from(`${sealed}\n`));
      for await (const lines of groups) {
        const bytes = encodeGroup([lines], { first: next, generation, seed });
        await writeAll(file, bytes);
        next += lines.count;
        length += bytes.length;
        unsynced += bytes.length;
        if (unsynced > SYNC_BYTES) {
          await file.datasync();
          unsynced = 0;
        }
        check = bytes.toString("latin1", bytes.length - CHECK_FROM_END, bytes.length - CHECK_FROM_END + 8);
      }
      await file.sync();
    } finally {
      await file.close();
    }
    if (!isOwner()) throw new Error("another process owns the directory");
    await fs.rename(temporary, path);
    return { segment: header.segment, length, check, next, generation };
  } catch (error) {
    await fs.remove(temporary).catch(() => {});
    throw error;
  }
}
