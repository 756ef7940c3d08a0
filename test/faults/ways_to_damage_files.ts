import type { Random } from "../support/seeded_random.ts";

/** The inputs of a mutation. */
export interface Neighbours {
  readonly random: Random;
  /** The path of the file to change, below the store's directory. */
  readonly path: string;
  /** The texts of this store's logs, and of another store's logs. */
  readonly sources: { readonly own: ReadonlyMap<string, string>; readonly foreign: ReadonlyMap<string, string> };
  /** The number of earlier cuts of this file: each cut removes one byte more. */
  readonly step: number;
}

/** A way to damage a file. */
export interface Mutation {
  readonly name: string;
  change(text: string, neighbours: Neighbours): string;
}

/** Cuts a text one byte earlier in each step. */
export const CUT: Mutation = {
  name: "cut",
  change: (text, { step }) => text.slice(0, text.length - 1 - (step % (text.length - 1))),
};

/** Ways to damage a file. Texts have one character for each byte. */
export const MUTATIONS: readonly Mutation[] = [
  { name: "flip", change: (text, { random }) => flip(text, random.below(text.length), random) },
  {
    name: "double",
    change: (text, { random }) => edit(text, (lines, at) => [...lines.slice(0, at + 1), ...lines.slice(at)], random),
  },
  { name: "double far", change: (text, { random }) => edit(text, (lines, at) => [...lines, lines[at]!], random) },
  {
    name: "move",
    change: (text, { random }) =>
      edit(text, (lines, at) => insert(without(lines, at), random.below(lines.length), lines[at]!), random),
  },
  { name: "delete", change: (text, { random }) => edit(text, without, random) },
  { name: "empty line", change: (text, { random }) => edit(text, (lines, at) => insert(lines, at, ""), random) },
  {
    name: "foreign",
    change: (text, { random, path, sources }) => {
      const theirs = random.pick([...sources.foreign.values()]).split("\n");
      return edit(text, (lines, at) => insert(lines, at, sources.foreign.has(path) ? random.pick(theirs) : ""), random);
    },
  },
  {
    name: "of another log",
    change: (text, { random, path, sources }) => {
      const others = [...sources.own]
        .filter(([other]) => other.slice(0, 3) !== path.slice(0, 3))
        .flatMap(([, other]) => other.split("\n"));
      return edit(text, (lines, at) => insert(lines, at, random.pick(others)), random);
    },
  },
  { name: "zeros", change: (text, { random }) => overwrite(text, random, () => "\0") },
  {
    name: "noise",
    change: (text, { random }) => overwrite(text, random, () => String.fromCharCode(random.below(256))),
  },
  {
    name: "insert",
    change: (text, { random }) =>
      put(text, random.below(text.length), String.fromCharCode(random.below(256)).repeat(1 + random.below(9)), {
        length: 0,
      }),
  },
  {
    name: "lose bytes",
    change: (text, { random }) => put(text, random.below(text.length), "", { length: 1 + random.below(300) }),
  },
  {
    name: "noise behind",
    change: (text, { random }) => text + String.fromCharCode(random.below(256)).repeat(16_000 + random.below(1_000)),
  },
  { name: "emptied", change: () => "" },
  { name: "all zeros", change: (text) => "\0".repeat(text.length) },
  { name: "flip of the last byte", change: (text, { random }) => flip(text, text.length - 1, random) },
];

function flip(text: string, at: number, random: Random): string {
  return put(text, at, String.fromCharCode(text.charCodeAt(at) ^ (1 << random.below(8))));
}

function overwrite(text: string, random: Random, byte: () => string): string {
  const at = random.below(text.length);
  const length = Math.min(1 + random.below(random.chance(0.5) ? 20 : 600), text.length - at);
  return put(text, at, Array.from({ length }, byte).join(""));
}

/** Replaces `length` bytes by a piece; by default, as many bytes as the piece has. */
function put(text: string, at: number, piece: string, { length = piece.length } = {}): string {
  return text.slice(0, at) + piece + text.slice(at + length);
}

/** Changes the lines after the header. */
function edit(
  text: string,
  change: (lines: readonly string[], at: number) => readonly string[],
  random: Random,
): string {
  const [header, ...lines] = text.split("\n").slice(0, -1);
  return `${[header, ...change(lines, random.below(lines.length))].join("\n")}\n`;
}

function insert(lines: readonly string[], at: number, line: string): readonly string[] {
  return [...lines.slice(0, at), line, ...lines.slice(at)];
}

function without(lines: readonly string[], at: number): readonly string[] {
  return lines.filter((_, i) => i !== at);
}
