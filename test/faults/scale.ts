import type { TestContext } from "node:test";

/*
 * Fault tests: what the JSON-file store promises, shown by breaking things on purpose.
 *
 *   npx tsx --test test/faults/*.test.ts                     the normal run; .ci/run takes 0.3 of it
 *   MAZANEH_FAULTS=10 npx tsx --test test/faults/*.test.ts   ten times as many rounds of everything
 *   MAZANEH_FAULTS=0.1 npx tsx --test test/faults/*.test.ts  a quick look
 *   MAZANEH_SEED=7 …                                         other random choices; each test tells its seed
 *
 * Each test prints the counts it has reached, also when all is well.
 *
 *   kill            the real server is killed with SIGKILL under load and started again, over and over
 *   crash_states    an in-memory disk gives every state that a power cut may leave, see fault_fs.ts
 *   failing_calls   each single call to the file system fails once, with each error it may have
 *   mutations       logs with flipped bits, cut, doubled, moved and foreign lines
 *   lock            eight processes contend for one directory
 *   disk_full       the disk fills up at every place
 *   power_cut       snapshots of a block device at the moment of the kill; Linux as root only
 *   clock, quota    clocks that jump, and 500 callers for the last ten units
 *   mirror          a mirror is killed, and what its upstream has counted is compared with its ledger
 *   year            a year of nightly imports, of which little or nothing is new
 *   negative        each of a list of seeded bugs is found by its harness
 *   stops           the program is stopped under load, in every third round while its clients get no processor time
 *   soak            a steady load with short quota days; with 10, for ten minutes, and memory and times are judged
 *   door            hostile clients attack the standalone server while good ones are answered; with 10, their times are judged
 */

/** How many times the normal number of rounds is run. */
export const SCALE = Number(process.env["MAZANEH_FAULTS"] ?? 1);

/** What random choices begin from. */
export const SEED = Number(process.env["MAZANEH_SEED"] ?? 1);

/** Rounds to run where the normal run has so many. */
export function rounds(normal: number): number {
  return Math.max(1, Math.round(normal * SCALE));
}

/** Prints counts with the test's result. */
export function tell(t: TestContext, counts: Readonly<Record<string, number | string>>): void {
  const parts = Object.entries(counts).map(([name, count]) => `${name} ${typeof count === "number" ? count.toLocaleString("en-US") : count}`);
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
