/** A program, or a way to do something, that is compared with others. */
export interface Contestant {
  readonly name: string;
  /** Does the work once; returns its cost, in a unit that all contestants share. */
  run(): number | Promise<number>;
}

/** The costs of one contestant, in the order of the rounds. */
export interface Result {
  readonly name: string;
  readonly costs: readonly number[];
  readonly median: number;
}

/**
 * Runs all contestants, one after the other, in each round, so that a slow phase of the machine slows all of them. Each
 * round begins with a different contestant. The results of a warm-up round are discarded.
 */
export async function runRounds(contestants: readonly Contestant[], rounds: number): Promise<readonly Result[]> {
  const costs = contestants.map((): number[] => []);
  for (let round = -1; round < rounds; round++) {
    for (let i = 0; i < contestants.length; i++) {
      const at = (i + round + 1) % contestants.length;
      globalThis.gc?.();
      const cost = await contestants[at]!.run();
      if (round >= 0) costs[at]!.push(cost);
    }
  }
  return contestants.map(({ name }, at) => ({ name, costs: costs[at]!, median: median(costs[at]!) }));
}

/** How many times as fast as a peer: the median, over all rounds, of the peer's cost divided by this cost. */
export function timesAsFast(result: Result, peer: Result): number {
  return median(result.costs.map((cost, round) => peer.costs[round]! / cost));
}

export function median(figures: readonly number[]): number {
  const sorted = figures.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** The milliseconds that a call takes, including its promise if it returns one. */
export async function millisecondsOf(work: () => unknown): Promise<number> {
  const began = performance.now();
  const result = work();
  if (result instanceof Promise) await result;
  return performance.now() - began;
}
