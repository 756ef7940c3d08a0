import { join } from "node:path";
import { withFile, writeAll } from "../file_system.ts";
import { temporaryName } from "../replace_document.ts";
import { encodeGroup } from "./group.ts";
import type { LogEnd } from "./log.ts";
import { logSeed } from "./sealed_line.ts";
import { type LogWriter, type SegmentStart, segmentName, writeHeader } from "./segments.ts";

/** A file is synced after each part of this size, because one long sync at the end could delay appends. */
const SYNC_BYTES = 1 << 20;

/** Writes or replaces a file of a log. Resolves when the file has its name and its content is on disk. */
export async function writeLogFile(
  writer: LogWriter,
  start: SegmentStart,
  groups: Iterable<readonly string[]> | AsyncIterable<readonly string[]>,
): Promise<LogEnd> {
  const { fs, health, directory, storeId, generation } = writer;
  const path = join(directory, segmentName(start.kind, start.segment));
  const temporary = temporaryName(path);
  const seed = logSeed(storeId, start.kind);
  let unsynced = 0;
  try {
    const end = await withFile(fs, temporary, "create", async (file) => {
      let written = await writeHeader(file, writer, start);
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
