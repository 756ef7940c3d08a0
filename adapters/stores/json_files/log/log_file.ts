import { join } from "node:path";
import { type OpenFile, withFile, writeAll } from "../file_system.ts";
import { temporaryName } from "../replace_document.ts";
import { encodeGroup } from "./group.ts";
import type { LogEnd } from "./log.ts";
import { checkOf, logSeed, seal } from "./sealed_line.ts";
import { LOG_SCHEMA, type LogWriter, type SegmentStart, segmentName } from "./segments.ts";

/** A file is synced after each part of this size, because one long sync at the end could delay appends. */
const SYNC_BYTES = 1 << 20;

/** Writes or replaces a file of a log. Resolves when the file has its name and its content is on disk. */
export async function writeLogFile(
  writer: LogWriter,
  start: SegmentStart,
  groups: Iterable<readonly string[]> | AsyncIterable<readonly string[]>,
): Promise<LogEnd> {
  const { fs, health, directory, storeId, generation } = writer;
  const { kind, segment, first, prev = "00000000", next } = start;
  const path = join(directory, segmentName(kind, segment));
  const temporary = temporaryName(path);
  const seed = logSeed(storeId, kind);
  let unsynced = 0;
  try {
    const end = await withFile(fs, temporary, "create", async (file) => {
      const header = { kind, schema: LOG_SCHEMA, storeId, segment, first, prev, next };
      const line = seal(JSON.stringify(header).slice(0, -1), seed);
      await writeAll(file, Buffer.from(`${line}\n`));
      let written: LogEnd = { segment, length: line.length + 1, check: checkOf(line), next: first, generation };
      for await (const lines of groups) {
        const { next, length } = written;
        const { bytes, check } = encodeGroup(lines, { first: next, generation, seed });
        await writeAll(file, bytes);
        written = { ...written, next: next + lines.length, length: length + bytes.length, check };
        unsynced += bytes.length;
        if (unsynced > SYNC_BYTES) {
          await file.datasync();
          unsynced = 0;
        }
      }
      await health.synced(file.sync());
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

/** Makes the next file of a log, which has only a header yet. Resolves when its content and name are on disk. */
export async function createSegment(
  writer: LogWriter,
  start: SegmentStart,
): Promise<{ readonly file: OpenFile; readonly end: LogEnd }> {
  const { fs, health, directory, onSegment } = writer;
  // If the file exists, an earlier attempt of this owner has left it: the log had no such file when it was read.
  const end = await writeLogFile(writer, start, []);
  await health.synced(fs.syncDirectory(directory));
  await onSegment?.(start.kind, end);
  return { file: await fs.open(join(directory, segmentName(start.kind, start.segment)), "append"), end };
}
