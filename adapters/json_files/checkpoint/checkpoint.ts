import { endianness } from "node:os";
import { join } from "node:path";
import type { PackedAsset, SeriesStore } from "../../../core/internal.ts";
import type { FileSystem } from "../fs.ts";
import { listLogFiles } from "../log/base.ts";
import type { LogFile } from "../log/base.ts";
import { endsAtMark } from "../log/high_water.ts";
import type { LogEnd } from "../log/log.ts";
import type { ResumePoint } from "../log/scan.ts";
import { LOG_SCHEMA, readSegmentHeader } from "../log/segment_header.ts";
import type { SegmentHeader } from "../log/segment_header.ts";
import { segmentName } from "../log/segments.ts";
import type { Manifest } from "../manifest.ts";
import { OBSERVATIONS } from "../observations.ts";
import { readCheckpointFile, writeCheckpointFile } from "./checkpoint_file.ts";

/** Name of the checkpoint's file, beside those of the log. It keeps its old name, so that stores do not keep an orphan of that name. */
export const CHECKPOINT = "obs.snapshot";

const SCHEMA = 2;

/** All observations of the log, up to a position in it. */
interface Checkpoint {
  readonly kind: "snapshot";
  readonly schema: number;
  readonly byteOrder: string;
  readonly storeId: string;
  /** That of the manifest: a restored or repaired store has another. */
  readonly epoch: string;
  readonly end: LogEnd;
  /** The log's files up to that position, its base included, with their sizes; the last one may have grown since. */
  readonly files: readonly LogFile[];
  readonly assets: readonly PackedAsset[];
}

type Owner = Pick<Manifest, "storeId" | "epoch">;

/**
 * Writes all observations to a file. A start from it is many times as fast, as only what the log has gained since is
 * read. The file can be deleted at any time. Only for a log without damage to which nothing is appended any more.
 */
export async function writeCheckpoint(fs: FileSystem, directory: string, owner: Owner, market: SeriesStore, end: LogEnd): Promise<void> {
  const { storeId, epoch } = owner;
  const files = await listLogFiles(fs, directory, OBSERVATIONS, end.segment);
  const checkpoint: Checkpoint = {
    ...{ kind: "snapshot", schema: SCHEMA, byteOrder: endianness(), storeId, epoch, end, files },
    assets: market.pack(),
  };
  await writeCheckpointFile(fs, join(directory, CHECKPOINT), checkpoint);
}

/**
 * Fills an empty market from the checkpoint, and returns where in the log to go on. Where there is none that fits the
 * store and its log, it changes nothing and returns `undefined`: the whole log has to be read.
 *
 * It does not notice damage in the lines that it replaces, unless a file has another size or the last line has
 * changed: what was acknowledged is served then, and `verifyStore` finds the damage.
 */
export async function readCheckpoint(fs: FileSystem, directory: string, owner: Owner, market: SeriesStore): Promise<ResumePoint | undefined> {
  let resume: ResumePoint | undefined;
  const checkpoint = await readCheckpointFile<Checkpoint>(fs, join(directory, CHECKPOINT), async (found) => {
    const { kind, schema, byteOrder, storeId, epoch } = found;
    if (kind !== "snapshot" || schema !== SCHEMA || byteOrder !== endianness()) return false;
    if (storeId !== owner.storeId || epoch !== owner.epoch) return false;
    resume = await resumePointOf(fs, directory, found);
    return resume !== undefined;
  });
  if (checkpoint) market.unpack(checkpoint.assets);
  return checkpoint && resume;
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
  return header && (await endsAtMark(fs, join(directory, files[last]!.name), end)) ? { ...end, header } : undefined;
}
