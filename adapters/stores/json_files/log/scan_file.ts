import type { OpenFile } from "../file_system.ts";
import { type Damage, missingLines, TORN } from "./damage.ts";
import { readLines } from "./read_lines.ts";
import { checkOf, logSeed, MAX_LINE_BYTES, SEAL_LENGTH, sealProblem, unseal } from "./sealed_line.ts";
import type { SegmentHeader } from "./segments.ts";

/** What a scan expects of a segment, and the function that receives the records. */
export interface ScanPlan<T> {
  readonly kind: string;
  readonly storeId: string;
  /** Sequence number of the first line. */
  readonly first: number;
  /** The lowest allowed generation of a line. Default: 0. */
  readonly generation?: number | undefined;
  /** How many bytes were certainly synced: damage in them is never an incomplete write. Default: 0. */
  readonly synced?: number | undefined;
  /** Makes the record of a line with a right checksum; returns `undefined` if the line is not a record. */
  decode(line: object): T | undefined;
  accept(record: T, sequence: number): void;
}

/** The content of a segment. */
export interface Scan {
  readonly header: SegmentHeader | undefined;
  readonly lines: number;
  /** Sequence number for the next line. */
  readonly next: number;
  /** The highest generation in any of the lines. */
  readonly generation: number;
  /** Checksum of the last good line, which may be the header. */
  readonly check: string;
  /** Where the next group is written. If only the last line feed is missing, this is the size plus 1. */
  readonly end: number;
  readonly size: number;
  readonly damages: readonly Damage[];
  readonly torn: Damage | undefined;
}

interface GroupLine<T> {
  readonly end: number;
  /** Absent for damage. */
  readonly good?: { readonly record: T; readonly sequence: number; readonly check: string };
  readonly damage?: Damage;
  /** Whether an incomplete write could have left these bytes. */
  readonly unwritten?: boolean;
}

/**
 * Reads a segment of a log, group by group.
 *
 * The lines of a group were written and synced together. The last one has `"e":1`. Each group is synced before the next
 * one is written, so only the last write can be incomplete. An incomplete write is either cut short, or some of its
 * pages read as zeros. Such a group was never acknowledged, and is reported as a whole in `torn`. Any other bad line
 * was damaged later: only this line is reported, and the lines around it are accepted.
 */
export async function scanFile<T>(file: OpenFile, plan: ScanPlan<T>): Promise<Scan> {
  const seed = logSeed(plan.storeId, plan.kind);
  const damages: Damage[] = [];
  const { synced = 0 } = plan;
  let header: SegmentHeader | undefined;
  let check = "00000000";
  let lines = 0;
  let generation = plan.generation ?? 0;
  /** `expected`: the number that the next line should have. `next`: the number for the next line to write. */
  let expected = plan.first;
  let next = expected;
  let badInARow = 0;
  let hole = false;
  let group: GroupLine<T>[] = [];
  let complete = false;
  let end = 0;
  /** The file position of the next line to consume. */
  let position = 0;

  function commit(read: readonly GroupLine<T>[]): void {
    for (const line of read) {
      end = line.end;
      if (line.damage) {
        damages.push(line.damage);
        // The line's number is not reused, because versions with this number must keep their meaning.
        if (line.damage.length > 0) next++;
      }
      if (line.good) {
        plan.accept(line.good.record, line.good.sequence);
        next = line.good.sequence + 1;
        ({ check } = line.good);
        lines++;
      }
    }
    group = [];
    complete = false;
  }

  function readHeader(line: Buffer): void {
    const value = unseal(line, seed);
    end = position;
    if (typeof value === "string") {
      damages.push({ offset: 0, length: end, reason: `header: ${value}` });
      return;
    }
    header = value as SegmentHeader; // The checksum is right, so this program has written the line.
    if (header.first !== expected) {
      damages.push({ offset: 0, length: 0, reason: `begins at line ${header.first} instead of ${expected}` });
    }
    check = checkIn(line);
    expected = next = header.first;
  }

  /** Adds a good line to the group, or returns the fault of a bad line. */
  function addLine(line: Buffer, offset: number): string | undefined {
    if (line.length >= MAX_LINE_BYTES) return "too long";
    const value = unseal(line, seed);
    if (typeof value === "string") return value;
    const { s, g, e } = value as Readonly<Record<"s" | "g" | "e", number>>;
    const record = plan.decode(value);
    if (record === undefined) return "not a record";
    // The line is repeated or was moved. Accepting this line could restore a value that has been corrected since then.
    if (s < expected) return `out of sequence: ${s} after ${expected - 1}`;
    if (g < generation) return `has generation ${g} after ${generation}`;
    const missing = s - expected - badInARow;
    // Unwritten bytes can hide any number of lines, so lines that are missing there are not reported a second time.
    if (missing > 0 && !hole) group.push({ damage: missingLines(offset, missing, s), end: offset });
    group.push({ good: { record, sequence: s, check: checkIn(line) }, end: offset + line.length + 1 });
    expected = s + 1;
    generation = g;
    complete = e === 1;
    badInARow = 0;
    hole = false;
    return undefined;
  }

  function consumeLine(line: Buffer, terminated: boolean): void {
    const offset = position;
    position += line.length + (terminated ? 1 : 0);
    if (offset === 0 && terminated) {
      readHeader(line);
      return;
    }
    // Another group follows, so the group before it had been synced, and its bad lines were damaged later.
    if (complete) commit(group);
    // Every synced line had a line feed, so a good synced line without a line feed was damaged later.
    const isCut = !terminated && position < synced && sealProblem(line, seed) === undefined;
    const reason = terminated || isCut ? addLine(line, offset) : "not terminated";
    if (reason === undefined) {
      if (isCut)
        group.push({ damage: { offset: position, length: 0, reason: "line feed missing" }, end: position + 1 });
      return;
    }
    // A complete line that is followed by another byte was not cut short: that byte is a damaged line feed.
    const cutShort =
      !terminated && line.length < MAX_LINE_BYTES && sealProblem(line.subarray(0, -1), seed) !== undefined;
    const unwritten = cutShort || line.includes(0);
    group.push({ damage: { offset, length: position - offset, reason }, unwritten, end: position });
    badInARow++;
    hole ||= unwritten;
  }

  const size = await readLines(file, consumeLine);

  // Damage in the last group is not an incomplete write if the file was synced up to this damage.
  const wasComplete = complete;
  const isSynced = (line: GroupLine<T>): boolean =>
    (line.damage !== undefined && !line.unwritten) || line.end <= synced;
  const rest = group.splice(group.findLastIndex(isSynced) + 1);
  commit(group);
  if (wasComplete && !rest.some(({ damage }) => damage)) commit(rest);
  const torn = size > end ? { offset: end, length: size - end, reason: TORN } : undefined;
  return { header, lines, next, generation, check, end, size, damages, torn };
}

/** The checksum of a line with a right seal. */
function checkIn(line: Buffer): string {
  return checkOf(line.toString("latin1", line.length - SEAL_LENGTH));
}
