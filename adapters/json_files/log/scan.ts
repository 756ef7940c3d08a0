import { readRange } from "../fs.ts";
import type { OpenFile } from "../fs.ts";
import { eachLine } from "./each_line.ts";
import { CHECK_FROM_END, MAX_LINE_BYTES, SEAL_LENGTH, logSeed, parseObject, sealProblem, unseal } from "./line.ts";
import type { Damage, Header, LineRead, Scan, ScanPlan } from "./scan_types.ts";

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

/**
 * Reads a file of a log, group by group.
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
  const { resume } = plan;
  let header = resume?.header;
  /** Where the last good line ends, the header included. */
  let goodEnd = resume?.length ?? 0;
  let lines = 0;
  let generation = resume?.generation ?? plan.generation ?? 0;
  /** The number that the next line read must have, and the one that the next line written gets. */
  let expected = resume?.next ?? plan.first;
  let next = expected;
  let badInARow = 0;
  let hole = false;
  let group: Item<T>[] = [];
  let complete = false;
  let end = goodEnd;
  /** The lines of a group of which all so far were ordinary and in order, used again for the next. `group` is empty then. */
  const records: T[] = [];
  const ends: number[] = [];
  let ordinary = 0;

  /**
   * Takes ordinary lines, groups of nothing else in a row: they come to the same as in `takeLine` and
   * `commit`, without a thing made for each. Whatever is unusual is left to those.
   */
  function takeOrdinary(bytes: Buffer, start: number, filled: number, offset: number): number {
    const { quick, accept } = plan;
    // The first line is the header, whatever it looks like.
    if (!quick || offset === 0 || (group.length > 0 && !complete)) return start;
    for (let from = start; ; ) {
      quick.record = records[ordinary] ??= quick.blank();
      const stop = quick.read(bytes, from);
      const after = stop + SEAL_LENGTH + 1;
      if (stop === -1 || after > filled || bytes[after - 1] !== 10 || after - from > MAX_LINE_BYTES) return from;
      const { sequence, generation: g } = quick;
      if (sequence !== expected || g < generation || sealProblem(bytes, from, after - 1, seed) !== undefined) return from;
      if (complete) commit(group);
      from = after;
      ends[ordinary++] = offset + after - start;
      expected = sequence + 1;
      generation = g;
      if (!quick.ends) continue;
      for (let i = 0; i < ordinary; i++) accept(records[i]!, expected - ordinary + i);
      lines += ordinary;
      next = expected;
      goodEnd = end = ends[ordinary - 1]!;
      ordinary = 0;
    }
  }

  /** Puts what `takeOrdinary` has of a group where the careful way goes on with it. */
  function leaveOrdinary(): void {
    const first = expected! - ordinary;
    // Copies, as the records are read into again before these are taken in.
    for (let i = 0; i < ordinary; i++) group.push({ bad: false, record: { ...records[i]! }, sequence: first + i, end: ends[i]! });
    ordinary = 0;
  }

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
    const line = readLine(plan, bytes, start, stop);
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

  function visit(bytes: Buffer, start: number, stop: number, offset: number, whole: boolean): void {
    if (offset === 0 && whole) return takeHeader(bytes, start, stop);
    leaveOrdinary();
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
  }

  const size = await eachLine(file, { take: takeOrdinary, visit }, end);
  leaveOrdinary();

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
