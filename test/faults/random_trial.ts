import type { TestContext } from "node:test";

/** What random choices begin from. */
export const SEED = Number(process.env["MAZANEH_SEED"] ?? 1);

/** How a harness is run: it breaks something over and over, and returns what it has found. */
export interface Trial {
  /** An empty directory. With a disk in memory, only the store's sockets are really made there. */
  readonly directory: string;
  readonly seed: number;
  readonly rounds: number;
  /** How many violations end it. */
  readonly enough: number;
}

/** The same of a harness that starts a program, which is one JavaScript file. */
export interface TrialOfProgram extends Trial {
  readonly program: string;
}

/** What a harness has found, and counts of what it has tried. */
export interface TrialResult {
  readonly violations: readonly string[];
  readonly [counted: string]: unknown;
}

/** Prints counts with the test's result. */
export function printCounts(t: TestContext, counts: Readonly<Record<string, unknown>>): void {
  const parts = Object.entries(counts).map(
    ([name, count]) => `${name} ${typeof count === "number" ? count.toLocaleString("en-US") : String(count)}`,
  );
  t.diagnostic(`${t.name}: ${parts.join(", ")} (seed ${SEED})`);
}

/** Random choices that come again with the same seed. */
export interface Random {
  /** A whole number from 0 to `below` (excluded). */
  below(below: number): number;
  pick<T>(choices: readonly T[]): T;
  chance(probability: number): boolean;
}

/** Makes random choices from a seed (mulberry32). */
export function createRandom(seed: number): Random {
  let state = seed * 0x9e3779b9;
  function next(): number {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  }
  return {
    below: (below) => Math.floor(next() * below),
    pick: (choices) => choices[Math.floor(next() * choices.length)]!,
    chance: (probability) => next() < probability,
  };
}
