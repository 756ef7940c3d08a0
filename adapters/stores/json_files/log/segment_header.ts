import { DataDamaged, SchemaTooNew } from "../errors.ts";
import { type FileSystem, readAt } from "../file_system.ts";
import { logSeed, sealReader } from "./sealed_line.ts";

/** The highest schema of log files that this version reads, and the one of the files that it begins. */
export const LOG_SCHEMA = 2;

const LINE_FEED = 10;
/** More than the header of any version has. */
const MAX_HEADER_BYTES = 1_024;

/** The first line of a log's file. */
export interface SegmentHeader {
  readonly kind: string;
  readonly schema: number;
  readonly storeId: string;
  /** Number of the file within its log, from 1. */
  readonly segment: number;
  /** Sequence number of the first line after the header. */
  readonly first: number;
  /** Checksum of the last line of the file before. */
  readonly prev: string;
  /** In a base: sequence number of the first line behind it. */
  readonly next?: number;
}

/** Reads the header of a log's file, whichever store and log the file belongs to; `undefined` when it is damaged. */
export async function readSegmentHeader(fs: FileSystem, path: string): Promise<SegmentHeader | undefined> {
  const file = await fs.open(path, "read");
  try {
    const start = await readAt(file, 0, MAX_HEADER_BYTES);
    const end = start.indexOf(LINE_FEED);
    const claim = JSON.parse(start.toString("utf8", 0, Math.max(end, 0))) as SegmentHeader;
    return typeof sealReader(start, logSeed(String(claim.storeId), String(claim.kind))).unseal(0, end) === "string"
      ? undefined
      : claim;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  } finally {
    await file.close();
  }
}

/** Throws `SchemaTooNew` for a file that a later version of this program wrote. */
export function demandKnownSchema(path: string, { schema }: SegmentHeader): void {
  if (schema > LOG_SCHEMA) throw new SchemaTooNew(path, schema, LOG_SCHEMA);
}

/** Throws for a file that belongs to another store or log, which its header proves, and not for a damaged one. */
export async function demandNotForeign(fs: FileSystem, path: string, storeId: string): Promise<void> {
  const header = await readSegmentHeader(fs, path);
  if (!header) return;
  demandKnownSchema(path, header);
  const owner =
    header.storeId === storeId ? `the log "${header.kind}"` : `the store "${header.storeId}", and this is "${storeId}"`;
  throw new DataDamaged(path, `belongs to ${owner}`, "Move it out of the directory, or back to where it was");
}
