import { dirname, join } from "node:path";
import { DataDamaged, SchemaTooNew } from "../errors.ts";
import type { Health } from "../errors.ts";
import { readRange, removeIfThere, writeAll } from "../fs.ts";
import type { FileSystem, OpenFile } from "../fs.ts";
import { checkOf, logSeed, seal, unseal } from "./line.ts";
import { scanFile } from "./scan.ts";
import type { Header, Scan, ScanPlan } from "./scan_types.ts";

/** The highest schema of log files that this version reads, and the one it writes. */
export const LOG_SCHEMA = 1;

/** No header is longer, its kind aside. */
const HEADER_BYTES = 130;

/** One file of a log, scanned. */
export interface Segment {
  readonly number: number;
  readonly name: string;
  readonly path: string;
  readonly scan: Scan;
}

/** A log's files in order, e.g. `obs-00000001.ndjson`. */
export async function listSegments(fs: FileSystem, directory: string, kind: string): Promise<{ number: number; name: string }[]> {
  const found: { number: number; name: string }[] = [];
  for (const name of await fs.list(directory)) {
    const digits = name.startsWith(`${kind}-`) ? /^(\d{8})\.ndjson$/.exec(name.slice(kind.length + 1))?.[1] : undefined;
    if (digits) found.push({ number: Number(digits), name });
  }
  return found.sort((a, b) => a.number - b.number);
}

/** Names of the logs that have files in a directory. */
export async function listLogs(fs: FileSystem, directory: string): Promise<string[]> {
  const kinds = (await fs.list(directory)).map((name) => /^(.+)-\d{8}\.ndjson$/.exec(name)?.[1]);
  return [...new Set(kinds.filter((kind) => kind !== undefined))].sort();
}

/** The name of a log's file with this number. */
export function segmentName(kind: string, number: number): string {
  return `${kind}-${String(number).padStart(8, "0")}.ndjson`;
}

/** Reads all files of a log in order, or all behind the place given; changes nothing. */
export async function scanSegments<T>(
  fs: FileSystem,
  directory: string,
  plan: Omit<ScanPlan<T>, "first" | "generation">,
): Promise<Segment[]> {
  const segments: Segment[] = [];
  const { resume, ...whole } = plan;
  for (const { number, name } of await listSegments(fs, directory, plan.kind)) {
    if (resume && number < resume.segment) continue;
    const path = join(directory, name);
    const file = await fs.open(path, "read");
    try {
      const before = segments.at(-1)?.scan;
      const begin = resume?.segment === number ? { resume } : { first: before?.next, generation: before?.generation };
      const scan = await scanFile(file, { first: undefined, ...whole, ...begin });
      if (scan.header) demandKnownSchema(path, scan.header);
      else await demandOwn(fs, path, plan.storeId);
      segments.push({ number, name, path, scan: before ? withLink(scan, before) : scan });
    } finally {
      await file.close();
    }
  }
  return segments;
}

/** Makes the next file of a log, with its header, and returns when both file and name are on the device. */
export async function createSegment(
  fs: FileSystem,
  health: Health,
  directory: string,
  header: Header,
): Promise<{ file: OpenFile; offset: number; check: string }> {
  const path = join(directory, segmentName(header.kind, header.segment));
  // Left by an earlier try: we hold the lock, and no such file was there when the log was read.
  await removeIfThere(fs, path);
  const line = seal(JSON.stringify(header).slice(0, -1), logSeed(header.storeId, header.kind));
  const file = await fs.open(path, "create");
  try {
    await writeAll(file, Buffer.from(`${line}\n`));
    await health.synced(file.sync());
    await health.synced(fs.syncDirectory(dirname(path)));
  } catch (error) {
    await file.close();
    throw error;
  }
  return { file, offset: line.length + 1, check: checkOf(line) };
}

/** Whether a file was being made when the process ended: its header is not whole, and there is no room for a line. */
export function isUnfinished({ scan }: Segment, kind: string): boolean {
  return scan.header === undefined && scan.lines === 0 && scan.size <= kind.length + HEADER_BYTES;
}

/** Each file names the last line of the one before, which shows a file that was put in another's place. */
function withLink(scan: Scan, before: Scan): Scan {
  if (scan.header === undefined || scan.header.prev === before.check) return scan;
  const damage = { offset: 0, length: 0, reason: "does not go on where the file before ends" };
  return { ...scan, damages: [damage, ...scan.damages] };
}

function demandKnownSchema(path: string, header: Header): void {
  if (header.schema > LOG_SCHEMA) throw new SchemaTooNew(path, header.schema, LOG_SCHEMA);
}

/** Tells a file of another store, or of another log, from a damaged one: its header passes its own check. */
async function demandOwn(fs: FileSystem, path: string, storeId: string): Promise<void> {
  const claim = await readOwner(fs, path);
  if (!claim) return;
  demandKnownSchema(path, claim);
  const owner = claim.storeId === storeId ? `the log "${claim.kind}"` : `the store "${claim.storeId}", and this is "${storeId}"`;
  throw new DataDamaged(path, `belongs to ${owner}`, "Move it out of the directory, or back to where it was");
}

/** The header of a log's file, whichever store and log that belongs to; `undefined` when it is damaged. */
export async function readOwner(fs: FileSystem, path: string): Promise<Header | undefined> {
  const file = await fs.open(path, "read");
  try {
    const start = await readRange(file, 0, 1_024);
    const end = start.indexOf(10);
    const claim = JSON.parse(start.toString("utf8", 0, Math.max(end, 0))) as Header;
    return typeof unseal(start, 0, end, logSeed(String(claim.storeId), String(claim.kind))) === "string" ? undefined : claim;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  } finally {
    await file.close();
  }
}
