import { endianness } from "node:os";
import { join } from "node:path";
import { deserialize, serialize } from "node:v8";
import * as zlib from "node:zlib";
import { crc32 } from "../../core/internal.ts";
import type { PackedAsset, SeriesStore } from "../../core/internal.ts";
import { readAt, readWhole, writeAll } from "./fs.ts";
import type { FileSystem } from "./fs.ts";
import { listLogFiles } from "./log/base.ts";
import type { LogFile } from "./log/base.ts";
import { CHECK_FROM_END } from "./log/line.ts";
import type { LogEnd } from "./log/log.ts";
import type { ResumePoint } from "./log/scan.ts";
import { LOG_SCHEMA, readSegmentHeader } from "./log/segment_header.ts";
import type { SegmentHeader } from "./log/segment_header.ts";
import { segmentName } from "./log/segments.ts";
import type { Manifest } from "./manifest.ts";
import { OBSERVATIONS } from "./observations.ts";
import { temporaryName } from "./replace.ts";

// The file of a checkpoint: 8 bytes that name the format, the checksum of the rest, and the checkpoint as V8 serializes it.

/** Name of the checkpoint's file, beside those of the log. It keeps its old name, so that stores do not keep an orphan of that name. */
export const CHECKPOINT = "obs.snapshot";

const MAGIC = Buffer.from("mzsnap4\n");
const START_BYTES = 12;

/** For large arrays, the runtime's own checksum is several times as fast, where it has one. */
const fastCrc32 = (zlib as Partial<typeof zlib>).crc32 ?? crc32;

/** All observations of the log, up to a position in it. */
interface Checkpoint {
  /** That of the machine, in which the numbers are written. */
  readonly byteOrder: string;
  readonly storeId: string;
  /** That of the manifest: a restored or repaired store has another. */
  readonly epoch: string;
  readonly end: LogEnd;
  /** The log's files up to that position, its base included, with their sizes; the last one may have grown since. */
  readonly files: readonly LogFile[];
  readonly assets: readonly PackedAsset[];
}

type StoreName = Pick<Manifest, "storeId" | "epoch">;

/**
 * Writes all observations to a file. A start from it is many times as fast, as only what the log has gained since is
 * read. The file can be deleted at any time. Only for a log without damage to which nothing is appended any more.
 */
export async function writeCheckpoint(fs: FileSystem, directory: string, { storeId, epoch }: StoreName, market: SeriesStore, end: LogEnd): Promise<void> {
  const files = await listLogFiles(fs, directory, OBSERVATIONS, end.segment);
  const checkpoint: Checkpoint = { byteOrder: endianness(), storeId, epoch, end, files, assets: market.pack() };
  const bytes = serialize(checkpoint);
  const start = Buffer.alloc(START_BYTES);
  MAGIC.copy(start);
  start.writeUInt32LE(fastCrc32(bytes), MAGIC.length);
  const path = join(directory, CHECKPOINT);
  const temporary = temporaryName(path);
  try {
    const file = await fs.open(temporary, "create");
    try {
      for (const part of [start, bytes]) await writeAll(file, part);
      await file.sync();
    } finally {
      await file.close();
    }
    await fs.rename(temporary, path);
  } catch (error) {
    await fs.remove(temporary).catch(() => {});
    throw error;
  }
  await fs.syncDirectory(directory);
}

/**
 * Fills an empty market from the checkpoint, and returns where in the log to go on. Where there is none that fits the
 * store and its log, it changes nothing and returns `undefined`: the whole log has to be read.
 *
 * It does not notice damage in the lines that it replaces, unless a file has another size or the last line has
 * changed: what was acknowledged is served then, and `verifyStore` finds the damage.
 */
export async function readCheckpoint(fs: FileSystem, directory: string, owner: StoreName, market: SeriesStore): Promise<ResumePoint | undefined> {
  try {
    const bytes = await readWhole(fs, join(directory, CHECKPOINT));
    if (!bytes || !bytes.subarray(0, MAGIC.length).equals(MAGIC)) return undefined;
    const rest = bytes.subarray(START_BYTES);
    if (fastCrc32(rest) !== bytes.readUInt32LE(MAGIC.length)) return undefined;
    const found = deserialize(rest) as Checkpoint; // Its checksum is right, so it is as this program wrote it.
    if (found.byteOrder !== endianness() || found.storeId !== owner.storeId || found.epoch !== owner.epoch) return undefined;
    const resume = await resumePointOf(fs, directory, found);
    if (resume) market.unpack(found.assets);
    return resume;
  } catch {
    return undefined; // Whatever the failure, the log itself can be read instead.
  }
}

/** Where the log goes on behind a checkpoint; `undefined` when the checkpoint was not made of this log. */
async function resumePointOf(fs: FileSystem, directory: string, { end, files, storeId }: Checkpoint): Promise<ResumePoint | undefined> {
  const present = await listLogFiles(fs, directory, OBSERVATIONS, end.segment);
  const last = files.length - 1;
  if (present.length !== files.length) return undefined;
  let header: SegmentHeader | undefined;
  for (const [i, { name, size }] of present.entries()) {
    if (name !== files[i]!.name || (i === last ? size < end.length : size !== files[i]!.size)) return undefined;
    header = await readSegmentHeader(fs, join(directory, name));
    // A file may have taken the place of another one of the same size.
    if (header?.storeId !== storeId || header.schema > LOG_SCHEMA || segmentName(header.kind, header.segment) !== name) return undefined;
  }
  return header && (await endsAt(fs, join(directory, files[last]!.name), end)) ? { ...end, header } : undefined;
}

/** Whether the line that was the last one ends there, and so the file has not been cut or replaced. */
async function endsAt(fs: FileSystem, path: string, { length, check }: LogEnd): Promise<boolean> {
  const file = await fs.open(path, "read");
  try {
    const bytes = await readAt(file, length - CHECK_FROM_END, CHECK_FROM_END);
    return bytes.toString("latin1") === `${check}"}\n`;
  } finally {
    await file.close();
  }
}
