import { readRange } from "./fs.ts";
import type { OpenFile } from "./fs.ts";
import { CHECK_FROM_END, MAX_LINE_BYTES, logSeed, parseObject, sealProblem, unseal } from "./line.ts";

/** Bytes of a log that cannot be served. */
export interface Damage {
  readonly offset: number;
  /** 0 for lines that are missing. */
  readonly length: number;
  readonly reason: string;
}

/** The first line of a log's file. */
export interface Header {
  readonly kind: string;
  readonly schema: number;
  readonly storeId: string;
  /** Number of the file within its log, from 1. */
  readonly segment: number;
  /** Sequence number of the first line after the header. */
  readonly first: number;
  /** Checksum of the last line of the file before. */
  readonly prev: string;
}

/** What a scan is to expect, and what it does with what it finds. */
export interface ScanPlan<T> {
  readonly kind: string;
  readonly storeId: string;
  /** Sequence number that the first line must have; `undefined` to take the header's word. */
  readonly first: number | undefined;
  /** Generation that no line may be below. Default 0. */
  readonly generation?: number | undefined;
  /** Makes the record of a line whose checksum is right; `undefined` when it is none. */
  decode(line: object): T | undefined;
  /** Reads an ordinary line, whose checksum is right, without making an object of it; `undefined` for all others. */
  readonly quick?: ((bytes: Buffer, start: number, end: number) => LineRead<T> | undefined) | undefined;
  /** Takes a record in, in order. */
  accept(record: T, sequence: number): void;
}

/** A line that is as the program writes them. */
export interface LineRead<T> {
  readonly sequence: number;
  readonly generation: number;
  /** Whether it is the last line of its group. */
  readonly ends: boolean;
  readonly record: T;
}

/** What a file of a log holds. */
export interface Scan {
  readonly header: Header | undefined;
  readonly lines: number;
  /** Sequence number for the next line. */
  readonly next: number;
  /** The highest generation of a line. */
  readonly generation: number;
  /** Checksum of the last good line, the header included. */
  readonly check: string;
  /** Where the good part ends, and the next group belongs. */
  readonly end: number;
  readonly size: number;
  readonly damages: readonly Damage[];
  /** A group at the end whose write did not get through. */
  readonly torn: Damage | undefined;
}

interface Line {
  readonly s?: unknown;
  readonly g?: unknown;
  readonly e?: unknown;
}

/** A line of the group being read: a record, or what is wrong with it. */
type Item<T> =
  | { readonly bad: false; readonly record: T; readonly sequence: number; readonly end: number }
  // `unwritten`: whether a write that did not get through can look like this.
  | { readonly bad: true; readonly damage: Damage; readonly unwritten: boolean; readonly end: number };

const CHUNK_BYTES = 1 << 20;
/** Still longer than any line. */
const SMALL_CHUNK_BYTES = 1 << 16;

/**
 * Reads a file of a log, group by group, a megabyte at a time.
 *
 * A group is what was written and synced in one go; its last line holds `"e":1`. Each group is
 * synced before the next is begun, so only the last can be torn, and a torn write shows in two ways
 * alone: it stops short, or pages of it read as zeros. Such a group was never acknowledged, and is
 * reported whole as `torn`. Every other bad line is damage that came later: it is reported by itself,
 * and its neighbours are kept.
 */
export async function scanFile<T>(file: OpenFile, plan: ScanPlan<T>): Promise<Scan> {
  const seed = logSeed(plan.storeId, plan.kind);
  const damages: Damage[] = [];
  let header: Header | undefined;
  /** Where the last good line ends, the header included. */
  let goodEnd = 0;
  let lines = 0;
  let generation = plan.generation ?? 0;
  /** The number that the next line read must have, and the one that the next line written gets. */
  let expected = plan.first;
  let next = plan.first;
  let badInARow = 0;
  let hole = false;
  let group: Item<T>[] = [];
  let complete = false;
  let end = 0;

  function commit(items: readonly Item<T>[]): void {
    for (const item of items) {
      end = item.end;
      if (item.bad) {
        damages.push(item.damage);
        // Its number is spent: what was served under it must not get another meaning.
        if (item.damage.length > 0 && next !== undefined) next++;
      } else {
        plan.accept(item.record, item.sequence);
        next = item.sequence + 1;
        goodEnd = item.end;
        lines++;
      }
    }
    group = [];
    complete = false;
  }

  function takeHeader(bytes: Buffer, start: number, stop: number): void {
    const value = unseal(bytes, start, stop, seed);
    end = stop + 1 - start;
    if (typeof value === "string") {
      damages.push({ offset: 0, length: end, reason: `header: ${value}` });
      return;
    }
    header = value as Header; // Its checksum is right, so it is as this program wrote it.
    if (expected !== undefined && header.first !== expected) {
      damages.push({ offset: 0, length: 0, reason: `begins at line ${header.first} where ${expected} was to come` });
    }
    goodEnd = end;
    expected = next = header.first;
  }

  /** Takes a good line into the group, or tells what is wrong with it. */
  function takeLine(bytes: Buffer, start: number, stop: number, offset: number): string | undefined {
    if (stop - start >= MAX_LINE_BYTES) return "too long";
    const wrong = sealProblem(bytes, start, stop, seed);
    if (wrong !== undefined) return wrong;
    const line = plan.quick?.(bytes, start, stop) ?? readLine(plan, bytes, start, stop);
    if (typeof line === "string") return line;
    const { sequence: s, generation: g, record } = line;
    // A doubled or moved line. Taking it in late could bring back a value that was corrected since.
    if (expected !== undefined && s < expected) return `out of sequence: ${s} after ${expected - 1}`;
    if (g < generation) return `of generation ${g} after ${generation}`;
    const missing = s - (expected ?? s) - badInARow;
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

  const size = await eachLine(file, (bytes, start, stop, offset, whole) => {
    if (offset === 0 && whole) return takeHeader(bytes, start, stop);
    // Another group follows, so this one had been synced: what is bad in it was damaged later.
    if (complete) commit(group);
    const reason = whole ? takeLine(bytes, start, stop, offset) : "not terminated";
    if (reason === undefined) return;
    const length = stop - start + (whole ? 1 : 0);
    // A write that stops short cannot leave a whole line with another byte behind it.
    const cutShort = !whole && length < MAX_LINE_BYTES && sealProblem(bytes, start, stop - 1, seed) !== undefined;
    const unwritten = cutShort || bytes.subarray(start, stop).includes(0);
    group.push({ bad: true, damage: { offset, length, reason }, unwritten, end: offset + length });
    badInARow++;
    hole ||= unwritten;
  });

  // Damage in the last group: all up to there had been synced.
  const wasComplete = complete;
  const rest = group.splice(group.findLastIndex((item) => item.bad && !item.unwritten) + 1);
  commit(group);
  if (wasComplete && !rest.some((item) => item.bad)) commit(rest);
  const torn = size > end ? { offset: end, length: size - end, reason: "torn write" } : undefined;
  const check = goodEnd === 0 ? "00000000" : (await readRange(file, goodEnd - CHECK_FROM_END, 8)).toString("latin1");
  return { header, lines, next: next ?? 1, generation, check, end, size, damages, torn };
}

/** Reads any line whose checksum is right; tells in words what is wrong with it. */
function readLine<T>({ decode }: ScanPlan<T>, bytes: Buffer, start: number, stop: number): LineRead<T> | string {
  const value = parseObject(bytes, start, stop);
  if (typeof value === "string") return value;
  const { s, g, e } = value as Line;
  if (typeof s !== "number" || typeof g !== "number") return "no sequence number";
  const record = decode(value);
  return record === undefined ? "not a record" : { sequence: s, generation: g, ends: e === 1, record };
}

/** Calls `visit` for every line; `whole` tells whether a line feed ends it. Gives the file's size. */
async function eachLine(
  file: OpenFile,
  visit: (bytes: Buffer, start: number, end: number, offset: number, whole: boolean) => void,
): Promise<number> {
  // Most files are small, and a megabyte for each would keep the garbage collector busy.
  const buffer = Buffer.allocUnsafe(Math.min(Math.max((await file.size()) + 1, SMALL_CHUNK_BYTES), CHUNK_BYTES));
  let filled = 0;
  let position = 0;
  for (;;) {
    const count = await file.read(buffer.subarray(filled), position + filled);
    filled += count;
    const bytes = buffer.subarray(0, filled);
    let start = 0;
    for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, start)) {
      visit(bytes, start, end, position + start, true);
      start = end + 1;
    }
    const stuck = start === 0 && filled === buffer.length;
    if ((count === 0 || stuck) && filled > start) {
      visit(bytes, start, filled, position + start, false);
      start = filled;
    }
    buffer.copyWithin(0, start, filled);
    position += start;
    filled -= start;
    if (count === 0) return position;
  }
}
