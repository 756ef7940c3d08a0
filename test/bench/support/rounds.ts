/** One of the things that are compared. */
export interface Contestant {
  readonly name: string;
  /** Does the work once; returns what it cost, in any unit that all share. */
  run(): number | Promise<number>;
}

/** The costs of one contestant, in the order of the rounds. */
export interface Standing {
  readonly name: string;
  readonly costs: readonly number[];
  readonly median: number;
  readonly lowest: number;
  readonly highest: number;
}

/** How rounds are run. */
export interface RoundOptions {
  /** Default 5. */
  readonly rounds?: number;
  /** Rounds before the first one that counts. Default 1. */
  readonly warmups?: number;
  /** Called before every run, e.g. to show progress or to collect garbage. */
  readonly before?: (name: string, round: number) => void | Promise<void>;
}

/**
 * Runs all contestants in each round, one after the other, so that a slow machine slows all of them. Each round
 * begins with another contestant.
 */
export async function runRounds(contestants: readonly Contestant[], options: RoundOptions = {}): Promise<Standings> {
  const { rounds = 5, warmups = 1, before } = options;
  const costs = new Map(contestants.map(({ name }): [string, number[]] => [name, []]));
  for (let round = -warmups; round < rounds; round++) {
    for (let i = 0; i < contestants.length; i++) {
      const { name, run } = contestants[(i + round + warmups) % contestants.length]!;
      await before?.(name, round);
      const cost = await run();
      if (round >= 0) costs.get(name)!.push(cost);
    }
  }
  return new Standings([...costs].map(([name, figures]) => standing(name, figures)));
}

/** The outcome of rounds, by name. */
export class Standings {
  readonly #all: ReadonlyMap<string, Standing>;

  constructor(all: readonly Standing[]) {
    this.#all = new Map(all.map((one) => [one.name, one]));
  }

  /** All, in the order in which they were given. */
  get all(): readonly Standing[] {
    return [...this.#all.values()];
  }

  /** The standing of this name; throws if it did not take part. */
  of(name: string): Standing {
    const found = this.#all.get(name);
    if (!found) throw new RangeError(`Cannot tell a standing as it took part in no round: received "${name}"`);
    return found;
  }

  has(name: string): boolean {
    return this.#all.has(name);
  }

  /**
   * How many times as fast as another contestant this one is: the median over the rounds of the other's cost
   * divided by its own. 1 is equal, 2 is half the cost.
   */
  timesAsFast(name: string, as: string): number {
    const [own, other] = [this.of(name).costs, this.of(as).costs];
    return median(own.map((cost, round) => other[round]! / cost));
  }
}

/** The middle figure, or the mean of the two middle ones. */
export function median(figures: readonly number[]): number {
  const sorted = figures.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

function standing(name: string, costs: readonly number[]): Standing {
  return { name, costs, median: median(costs), lowest: Math.min(...costs), highest: Math.max(...costs) };
}
