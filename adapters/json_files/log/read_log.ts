import { readAt } from "../fs.ts";
import type { FileSystem } from "../fs.ts";
import { readBase } from "./base.ts";
import type { FileDamage } from "./damage.ts";
import type { LogEnd } from "./log.ts";
import { MAX_APPEND_BYTES } from "./log_lines.ts";
import { findLostEnd } from "./marks.ts";
import type { ScanPlan } from "./scan.ts";
import { isUnfinished, scanSegments } from "./segments.ts";
import type { LogBegin, Segment } from "./segments.ts";

/** How a log is read. */
export interface ReadPlan<T> extends Omit<ScanPlan<T>, "first" | "generation" | "synced"> {
  /** The marks of its store, by the names of logs. Default: none. */
  readonly marks?: Readonly<Record<string, LogEnd | undefined>> | undefined;
  /** Name of the log's base. Default: it never has one. */
  readonly base?: string | undefined;
}

/** What the files of a log hold. */
export interface ReadLog {
  /** `undefined` where there is none. */
  readonly base: Segment | undefined;
  readonly begin: LogBegin | undefined;
  readonly segments: readonly Segment[];
  /** A last file of which the process that made it could not write the header. */
  readonly unfinished: Segment | undefined;
  /** Places that cannot be served, in the order of the files. */
  readonly damages: readonly FileDamage[];
  /** An incomplete write at the end, which was never acknowledged. */
  readonly torn: FileDamage | undefined;
  /** An end that cannot be read and is no incomplete write: acknowledged data may be in it. */
  readonly unreadable: FileDamage | undefined;
}

const LINE_FEED = 10;
const GROUP_END = Buffer.from('"e":1,"k":"');

/** Reads the files of a log, and changes nothing. */
export async function readLog<T>(fs: FileSystem, directory: string, plan: ReadPlan<T>): Promise<ReadLog> {
  const { kind, storeId, marks = {}, base: name, decode, fastParser, accept } = plan;
  const noBase = { begin: undefined, segment: undefined, damages: [] };
  const base = name === undefined ? noBase : await readBase(fs, directory, { storeId, decode, fastParser, accept }, marks[name]);
  const { begin } = base;
  const mark = marks[kind];
  const segments = await scanSegments(fs, directory, { ...plan, begin, mark });
  const lost = findLostEnd(segments, kind, mark, begin);
  const unfinished = segments.length > 0 && isUnfinished(segments.at(-1)!, kind) ? segments.pop() : undefined;
  const last = segments.at(-1);
  const damages = [...base.damages];
  for (const segment of segments) {
    const { damages: found, torn } = segment.scan;
    damages.push(...found.map((damage) => ({ ...damage, file: segment.name })));
    // Only the last segment can end in a torn write: each other one was synced before the next was begun.
    if (torn && segment !== last) damages.push({ ...torn, file: segment.name });
  }
  if (lost) damages.push(lost);
  const end = last?.scan.torn && { ...last.scan.torn, file: last.name };
  const isTorn = end !== undefined && end.offset > 0 && (await isOneGroup(fs, last!, end));
  return { base: base.segment, begin, segments, unfinished, damages, torn: isTorn ? end : undefined, unreadable: isTorn ? undefined : end };
}

/**
 * Whether a torn end is at most one write. More than that means that acknowledged data cannot be read, or that the
 * reader is wrong: neither must lead to a cut that nobody has asked for.
 */
async function isOneGroup(fs: FileSystem, { path }: Segment, torn: FileDamage): Promise<boolean> {
  if (torn.length > MAX_APPEND_BYTES) return false;
  const file = await fs.open(path, "read");
  try {
    const bytes = await readAt(file, torn.offset, torn.length);
    const groupEnd = bytes.indexOf(GROUP_END);
    const lineEnd = groupEnd === -1 ? -1 : bytes.indexOf(LINE_FEED, groupEnd);
    return lineEnd === -1 || lineEnd === bytes.length - 1;
  } finally {
    await file.close();
  }
}
