/** The seed of random tests. */
export const SEED = Number(process.env["MAZANEH_SEED"] ?? 1);

/** Random choices that depend only on the seed. */
export interface Random {
  /** A number from 0 to 1 (excluded). */
  next(): number;
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
    next,
    below: (below) => Math.floor(next() * below),
    pick: (choices) => choices[Math.floor(next() * choices.length)]!,
    chance: (probability) => next() < probability,
  };
}
