import { type OpenFile, readAt } from "../file_system.ts";
import { type Damage, TORN } from "./damage.ts";
import type { FastLineParser, ParsedLine } from "./fast_line_parser.ts";
import { bytesForLines, readLines } from "./read_lines.ts";
import { CHECK_FROM_END, logSeed, MAX_LINE_BYTES, parseJsonObject, SEAL_LENGTH, sealReader } from "./sealed_line.ts";
import type { SegmentHeader } from "./segment_header.ts";

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
  /** Parses most lines without making objects of them. */
  readonly fastParser?: FastLineParser<T> | undefined;
  /** Receives the records in order. It must not keep them: the fast parser uses its records again. */
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

/** A line of the group that is being read: a record, or damage. */
type GroupLine<T> =
  | { readonly bad: false; readonly record: T; readonly sequence: number; readonly end: number }
  // `unwritten`: whether an incomplete write can look like this.
  | { readonly bad: true; readonly damage: Damage; readonly unwritten: boolean; readonly end: number };

/**
 * Reads a segment of a log, group by group.
 *
 * A group is what was written and synced in one go; its last line holds `"e":1`. Each group is synced before the next
 * is begun, so only the last one can be torn, and a torn write shows in two ways alone: it stops short, or pages of it
 * read as zeros. Such a group was never acknowledged, and is reported as a whole in `torn`. Every other bad line is
 * damage that came later: it is reported by itself, and the lines beside it are accepted.
 */
export async function scanFile<T>(file: OpenFile, plan: ScanPlan<T>): Promise<Scan> {
  const bytes = bytesForLines(await file.size());
  const { sealProblem, unseal } = sealReader(bytes, logSeed(plan.storeId, plan.kind));
  const damages: Damage[] = [];
  const { synced = 0 } = plan;
  let header: SegmentHeader | undefined;
  /** Where the last good line ends, the header included. */
  let goodEnd = 0;
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
  /** Records and ends of the group that the fast parser is reading; used again for each group. `group` is empty meanwhile. */
  const fastRecords: T[] = [];
  const fastEnds: number[] = [];
  let fastCount = 0;

  /**
   * Accepts groups that consist of lines for the fast parser alone. The result is that of `consumeOne`, without an
   * object for each line. Stops at the first line that is not such a one.
   */
  function consumeMany(start: number, filled: number): number {
    const { fastParser, accept } = plan;
    // The first line is the header, whatever it holds.
    if (!fastParser || position === 0 || (group.length > 0 && !complete)) return start;
    for (let from = start; ; ) {
      fastParser.record = fastRecords[fastCount] ??= fastParser.blank();
      const stop = fastParser.parse(bytes, from);
      const after = stop + SEAL_LENGTH + 1;
      if (stop === -1 || after > filled || bytes[after - 1] !== 10 || after - from > MAX_LINE_BYTES) return from;
      const { sequence, generation: g } = fastParser;
      if (sequence !== expected || g < generation || sealProblem(from, after - 1) !== undefined) return from;
      if (complete) commit(group);
      position += after - from;
      from = after;
      fastEnds[fastCount++] = position;
      expected = sequence + 1;
      generation = g;
      if (!fastParser.ends) continue;
      for (let i = 0; i < fastCount; i++) accept(fastRecords[i]!, expected - fastCount + i);
      lines += fastCount;
      next = expected;
      goodEnd = end = fastEnds[fastCount - 1]!;
      fastCount = 0;
    }
  }

  /** Moves the lines of a group that `consumeMany` has begun to `group`. */
  function moveFastLines(): void {
    const first = expected - fastCount;
    // Copies, as the fast parser writes to its records again before these are accepted.
    for (let i = 0; i < fastCount; i++)
      group.push({ bad: false, record: { ...fastRecords[i]! }, sequence: first + i, end: fastEnds[i]! });
    fastCount = 0;
  }

  function commit(read: readonly GroupLine<T>[]): void {
    for (const line of read) {
      end = line.end;
      if (line.bad) {
        damages.push(line.damage);
        // Its number is used up: what was served under it must not get another meaning.
        if (line.damage.length > 0) next++;
      } else {
        plan.accept(line.record, line.sequence);
        next = line.sequence + 1;
        goodEnd = line.end;
        lines++;
      }
    }
    group = [];
    complete = false;
  }

  function readHeader(start: number, stop: number): void {
    const value = unseal(start, stop);
    end = stop + 1 - start;
    if (typeof value === "string") {
      damages.push({ offset: 0, length: end, reason: `header: ${value}` });
      return;
    }
    header = value as SegmentHeader; // Its checksum is right, so it is as this program wrote it.
    if (header.first !== expected) {
      damages.push({ offset: 0, length: 0, reason: `begins at line ${header.first} where ${expected} was to come` });
    }
    goodEnd = end;
    expected = next = header.first;
  }

  /** Adds a good line to the group, or tells what is wrong with it. */
  function addLine(start: number, stop: number, offset: number): string | undefined {
    if (stop - start >= MAX_LINE_BYTES) return "too long";
    const wrong = sealProblem(start, stop);
    if (wrong !== undefined) return wrong;
    const line = parseLine(plan, parseJsonObject(bytes, start, stop));
    if (typeof line === "string") return line;
    const { sequence: s, generation: g, record } = line;
    // A doubled or moved line. To accept it late could bring back a value that was corrected since.
    if (s < expected) return `out of sequence: ${s} after ${expected - 1}`;
    if (g < generation) return `of generation ${g} after ${generation}`;
    const missing = s - expected - badInARow;
    // Nobody can tell how many lines a hole held.
    if (missing > 0 && !hole) {
      const damage = { offset, length: 0, reason: `${missing} line${missing === 1 ? "" : "s"} missing before ${s}` };
      group.push({ bad: true, damage, unwritten: false, end: offset });
    }
    group.push({ bad: false, record, sequence: s, end: offset + stop + 1 - start });
    expected = s + 1;
    generation = g;
    complete = line.ends;
    badInARow = 0;
    hole = false;
    return undefined;
  }

  function consumeOne(start: number, stop: number, terminated: boolean): void {
    const offset = position;
    const length = stop - start + (terminated ? 1 : 0);
    position += length;
    if (offset === 0 && terminated) {
      readHeader(start, stop);
      return;
    }
    moveFastLines();
    // Another group follows, so this one had been synced: what is bad in it was damaged later.
    if (complete) commit(group);
    // A write that was synced had a line feed behind each line.
    const isCut = !terminated && offset + stop - start < synced && sealProblem(start, stop) === undefined;
    const reason = terminated || isCut ? addLine(start, stop, offset) : "not terminated";
    if (reason === undefined) {
      const damage = { offset: offset + length, length: 0, reason: "line feed missing" };
      if (isCut) group.push({ bad: true, damage, unwritten: false, end: offset + length + 1 });
      return;
    }
    // A write that stops short cannot leave a whole line with another byte behind it.
    const cutShort = !terminated && length < MAX_LINE_BYTES && sealProblem(start, stop - 1) !== undefined;
    const unwritten = cutShort || bytes.subarray(start, stop).includes(0);
    group.push({ bad: true, damage: { offset, length, reason }, unwritten, end: offset + length });
    badInARow++;
    hole ||= unwritten;
  }

  const size = await readLines(file, bytes, { consumeMany, consumeOne });
  moveFastLines();

  // Damage in the last group that no torn write explains: all up to there had been synced.
  const wasComplete = complete;
  const rest = group.splice(group.findLastIndex((line) => (line.bad && !line.unwritten) || line.end <= synced) + 1);
  commit(group);
  if (wasComplete && !rest.some((line) => line.bad)) commit(rest);
  const torn = size > end ? { offset: end, length: size - end, reason: TORN } : undefined;
  const check = goodEnd === 0 ? "00000000" : (await readAt(file, goodEnd - CHECK_FROM_END, 8)).toString("latin1");
  return { header, lines, next, generation, check, end, size, damages, torn };
}

/** The members that a log adds to a line, of which none is known to be anything yet. */
interface FrameMembers {
  readonly s?: unknown;
  readonly g?: unknown;
  readonly e?: unknown;
}

/** Reads any line whose checksum is right; tells in words what is wrong with it. */
function parseLine<T>({ decode }: ScanPlan<T>, value: object | string): ParsedLine<T> | string {
  if (typeof value === "string") return value;
  const { s, g, e } = value as FrameMembers;
  if (typeof s !== "number" || typeof g !== "number") return "no sequence number";
  const record = decode(value);
  return record === undefined ? "not a record" : { sequence: s, generation: g, ends: e === 1, record };
}
