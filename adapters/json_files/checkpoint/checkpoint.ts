import { endianness } from "node:os";
import { join } from "node:path";
import type { AssetColumns, Market } from "../../../core/internal.ts";
import { readRange } from "../fs.ts";
import type { FileSystem } from "../fs.ts";
import { CHECK_FROM_END } from "../log/line.ts";
import type { LogEnd } from "../log/log.ts";
import type { Manifest } from "../manifest.ts";
import { OBSERVATIONS } from "../observations.ts";
import type { Resume } from "../log/scan_types.ts";
import { LOG_SCHEMA, listSegments, readOwner } from "../log/segments.ts";
import { readSnapshotFile, writeSnapshotFile } from "./checkpoint_file.ts";

/** Name of the snapshot's file, beside those of the log. */
export const SNAPSHOT = "obs.snapshot";

const SCHEMA = 1;

/** What the log of observations comes to, up to a place in it. */
interface Snapshot {
  readonly kind: "snapshot";
  readonly schema: number;
  readonly byteOrder: string;
  readonly storeId: string;
  /** That of the manifest: a restored or repaired store has another. */
  readonly epoch: string;
  readonly end: LogEnd;
  /** The log's files up to that place, with their sizes; of the last one, more may have come since. */
  readonly files: readonly FileSize[];
  readonly assets: readonly AssetColumns[];
}

interface FileSize {
  readonly name: string;
  readonly size: number;
}

type Owner = Pick<Manifest, "storeId" | "epoch">;

/**
 * Writes all observations to a file from which the next start is many times as fast, so that it has to
 * read only what comes after. It can be removed at any time. For a store whose log had no damage, when
 * nothing is appended any more.
 */
export async function writeSnapshot(fs: FileSystem, directory: string, owner: Owner, market: Market, end: LogEnd): Promise<void> {
  const { storeId, epoch } = owner;
  const files = await filesUpTo(fs, directory, end.segment);
  const snapshot: Snapshot = {
    ...{ kind: "snapshot", schema: SCHEMA, byteOrder: endianness(), storeId, epoch, end, files },
    assets: market.columns(),
  };
  await writeSnapshotFile(fs, join(directory, SNAPSHOT), snapshot);
}

/**
 * Fills an empty market from the snapshot, and tells where in the log to go on; `undefined`, and nothing
 * done, where there is none that fits the store and its log, and the whole log has to be read.
 *
 * What it cannot see is damage in those lines of the log that the snapshot stands for, unless a file has
 * got another size, or the last of the lines has changed: what was acknowledged is served then, and
 * `verifyStore` finds the damage.
 */
export async function readSnapshot(fs: FileSystem, directory: string, owner: Owner, market: Market): Promise<Resume | undefined> {
  let resume: Resume | undefined;
  const snapshot = await readSnapshotFile<Snapshot>(fs, join(directory, SNAPSHOT), async (found) => {
    const { kind, schema, byteOrder, storeId, epoch } = found;
    if (kind !== "snapshot" || schema !== SCHEMA || byteOrder !== endianness()) return false;
    if (storeId !== owner.storeId || epoch !== owner.epoch) return false;
    resume = await placeInLog(fs, directory, found);
    return resume !== undefined;
  });
  if (snapshot) market.fill(snapshot.assets);
  return snapshot && resume;
}

/** Where the log goes on behind a snapshot; `undefined` when it is not the log that the snapshot was made of. */
async function placeInLog(fs: FileSystem, directory: string, { end, files, storeId }: Snapshot): Promise<Resume | undefined> {
  const present = await filesUpTo(fs, directory, end.segment);
  const last = files.length - 1;
  if (present.length !== files.length) return undefined;
  const fits = (found: FileSize, i: number): boolean =>
    found.name === files[i]!.name && (i === last ? found.size >= end.length : found.size === files[i]!.size);
  if (!present.every(fits)) return undefined;
  const path = join(directory, files[last]!.name);
  const header = await readOwner(fs, path);
  if (header?.storeId !== storeId || header.kind !== OBSERVATIONS || header.schema > LOG_SCHEMA) return undefined;
  const file = await fs.open(path, "read");
  try {
    const lastBytes = (await readRange(file, end.length - CHECK_FROM_END, CHECK_FROM_END)).toString("latin1");
    return lastBytes === `${end.check}"}\n` ? { ...end, header } : undefined;
  } finally {
    await file.close();
  }
}

async function filesUpTo(fs: FileSystem, directory: string, segment: number): Promise<readonly FileSize[]> {
  const files: FileSize[] = [];
  for (const { number, name } of await listSegments(fs, directory, OBSERVATIONS)) {
    if (number > segment) break;
    const file = await fs.open(join(directory, name), "read");
    try {
      files.push({ name, size: await file.size() });
    } finally {
      await file.close();
    }
  }
  return files;
}
