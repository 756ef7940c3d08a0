import type { OpenFile } from "../file_system.ts";
import { type Damage, missingLines, TORN } from "./damage.ts";
import { readLines } from "./read_lines.ts";
import { checkOf, logSeed, MAX_LINE_BYTES, SEAL_LENGTH, sealProblem, unseal } from "./sealed_line.ts";
import type { SegmentHeader } from "./segments.ts";

/** What a scan expects, and what it does with the records. */
export interface ScanPlan<T> {
  readonly kind: string;
  readonly storeId: string;
  /** Sequence number that the first line must have. */
  readonly first: number;
  /** Generation that no line may be below. Default 0. */
  readonly generation?: number | undefined;
  /** So many bytes are known to have been synced: no damage in them is a torn write. Default 0. */
  readonly synced?: number | undefined;
  /** Makes the record of a line whose checksum is right; `undefined` when it is none. */
  decode(line: object): T | undefined;
  /** Receives the records in order. */
  accept(record: T, sequence: number): void;
}

/** What a segment holds. */
export interface Scan {
  readonly header: SegmentHeader | undefined;
  /** Number of good lines after the header. */
  readonly lines: number;
  /** Sequence number for the next line. */
  readonly next: number;
  /** The highest generation of a line. */
  readonly generation: number;
  /** Checksum of the last good line, the header included. */
  readonly check: string;
  /** Where the good part ends, and the next group belongs. One more than the size where only the last line feed was lost. */
  readonly end: number;
  readonly size: number;
  readonly damages: readonly Damage[];
  /** A group at the end that was not written completely. */
  readonly torn: Damage | undefined;
}

/** A line of the group that is being read. */
interface GroupLine<T> {
  /** Where it ends. */
  readonly end: number;
  /** Absent for damage. */
  readonly good?: { readonly record: T; readonly sequence: number; readonly check: string };
  readonly damage?: Damage;
  /** Whether an incomplete write can look like this damage. */
  readonly unwritten?: boolean;
}

/**
 * Reads a segment of a log, group by group.
 *
 * A group is what was written and synced in one go; its last line holds `"e":1`. Each group is synced before the next
 * is begun, so only the last one can be torn, and a torn write shows in two ways alone: it stops short, or pages of it
 * read as zeros. Such a group was never acknowledged, and is reported as a whole in `torn`. Every other bad line is
 * damage that came later: it is reported by itself, and the lines beside it are accepted.
 */
export async function scanFile<T>(file: OpenFile, plan: ScanPlan<T>): Promise<Scan> {
  const seed = logSeed(plan.storeId, plan.kind);
  const damages: Damage[] = [];
  const { synced = 0 } = plan;
  let header: SegmentHeader | undefined;
  /** Checksum of the last good line. */
  let check = "00000000";
  let lines = 0;
  let generation = plan.generation ?? 0;
  /** The number that the next line read must have, and the one that the next line written gets. */
  let expected = plan.first;
  let next = expected;
  let badInARow = 0;
  let hole = false;
  let group: GroupLine<T>[] = [];
  let complete = false;
  let end = 0;
  /** Position in the file of the line that is consumed next. */
  let position = 0;

  function commit(read: readonly GroupLine<T>[]): void {
    for (const line of read) {
      end = line.end;
      if (line.damage) {
        damages.push(line.damage);
        // Its number is used up: what was served under it must not get another meaning.
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
    header = value as SegmentHeader; // Its checksum is right, so it is as this program wrote it.
    if (header.first !== expected) {
      damages.push({ offset: 0, length: 0, reason: `begins at line ${header.first} where ${expected} was to come` });
    }
    check = checkIn(line);
    expected = next = header.first;
  }

  /** Adds a good line to the group, or tells what is wrong with it. */
  function addLine(line: Buffer, offset: number): string | undefined {
    if (line.length >= MAX_LINE_BYTES) return "too long";
    const value = unseal(line, seed);
    if (typeof value === "string") return value;
    const { s, g, e } = value as FrameMembers;
    if (typeof s !== "number" || typeof g !== "number") return "no sequence number";
    const record = plan.decode(value);
    if (record === undefined) return "not a record";
    // A doubled or moved line. To accept it late could bring back a value that was corrected since.
    if (s < expected) return `out of sequence: ${s} after ${expected - 1}`;
    if (g < generation) return `of generation ${g} after ${generation}`;
    const missing = s - expected - badInARow;
    // Nobody can tell how many lines a hole held.
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
    // Another group follows, so this one had been synced: what is bad in it was damaged later.
    if (complete) commit(group);
    // A write that was synced had a line feed behind each line.
    const isCut = !terminated && position < synced && sealProblem(line, seed) === undefined;
    const reason = terminated || isCut ? addLine(line, offset) : "not terminated";
    if (reason === undefined) {
      if (isCut)
        group.push({ damage: { offset: position, length: 0, reason: "line feed missing" }, end: position + 1 });
      return;
    }
    // A write that stops short cannot leave a whole line with another byte behind it.
    const cutShort =
      !terminated && line.length < MAX_LINE_BYTES && sealProblem(line.subarray(0, -1), seed) !== undefined;
    const unwritten = cutShort || line.includes(0);
    group.push({ damage: { offset, length: position - offset, reason }, unwritten, end: position });
    badInARow++;
    hole ||= unwritten;
  }

  const size = await readLines(file, consumeLine);

  // Damage in the last group that no torn write explains: all up to there had been synced.
  const wasComplete = complete;
  const isSynced = (line: GroupLine<T>): boolean =>
    (line.damage !== undefined && !line.unwritten) || line.end <= synced;
  const rest = group.splice(group.findLastIndex(isSynced) + 1);
  commit(group);
  if (wasComplete && !rest.some(({ damage }) => damage)) commit(rest);
  const torn = size > end ? { offset: end, length: size - end, reason: TORN } : undefined;
  return { header, lines, next, generation, check, end, size, damages, torn };
}

/** The members that a log adds to a line, of which none is known to be anything yet. */
interface FrameMembers {
  readonly s?: unknown;
  readonly g?: unknown;
  readonly e?: unknown;
}

/** The checksum of a line whose seal is right. */
function checkIn(line: Buffer): string {
  return checkOf(line.toString("latin1", line.length - SEAL_LENGTH));
}
