import { availableParallelism, cpus } from "node:os";
import { parseArgs } from "node:util";

/**
 * Parses the command line of a benchmark: `--rounds N` and its own options with their defaults. Describes the machine
 * and the run on standard error. `--help` prints the options and ends the program.
 */
export function begin<Name extends string = never>(
  name: string,
  own: Readonly<Record<Name, string>>,
): { readonly rounds: number } & Readonly<Record<Name, string>> {
  const defaults: Readonly<Record<string, string>> = { rounds: "5", ...own };
  const options = Object.entries(defaults).map(
    ([option, value]) => [option, { type: "string", default: value }] as const,
  );
  const { help, ...values } = parseArgs({
    options: { ...Object.fromEntries(options), help: { type: "boolean", default: false } },
  }).values as { readonly help: boolean } & Readonly<Record<string, string>>;
  if (help) {
    const usage = Object.entries(defaults).map(([option, value]) => ` [--${option} ${value}]`);
    console.log(`npx tsx test/bench/${name}.ts${usage.join("")}`);
    process.exit(0);
  }
  const rounds = Number(values["rounds"]);
  if (!Number.isInteger(rounds) || rounds < 1)
    throw new RangeError(`--rounds must be a whole number >= 1: received "${values["rounds"]}"`);
  const machine = `${availableParallelism()} cores, ${cpus()[0]?.model.trim() ?? "unknown processor"}`;
  console.error(`${name}: Node ${process.version}, ${machine}; ${rounds} interleaved rounds`);
  return { ...(values as Readonly<Record<Name, string>>), rounds };
}

/** A program, or a way to do something, that is compared with others. */
export interface Contestant {
  readonly name: string;
  /** Does the work once; returns its cost, in a unit that all contestants share. */
  run(): number | Promise<number>;
}

/** A comparison, and how to print its results. */
export interface Comparison {
  readonly title: string;
  readonly rounds: number;
  /** The unit of the printed costs. */
  readonly unit: string;
  /** The names of the contestants to compare with. Each gets a column of ratios. */
  readonly peers: readonly string[];
  readonly show?: (cost: number) => number;
}

/**
 * Runs all contestants, one after the other, in each round, so that a slow phase of the machine slows all of them. Each
 * round begins with a different contestant. The results of a warm-up round are discarded. Prints a Markdown table with
 * each contestant's median, spread, and ratio to each peer's speed. Returns the costs by contestant.
 */
export async function compare(
  contestants: readonly Contestant[],
  { title, rounds, unit, peers, show = (cost) => cost }: Comparison,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const results = new Map(contestants.map(({ name }): [string, number[]] => [name, []]));
  for (let round = -1; round < rounds; round++) {
    for (let i = 0; i < contestants.length; i++) {
      const { name, run } = contestants[(i + round + 1) % contestants.length]!;
      globalThis.gc?.();
      const cost = await run();
      if (round >= 0) results.get(name)!.push(cost);
    }
  }
  const present = peers.filter((peer) => results.has(peer));
  const rows = [...results].map(([name, costs]) => [
    name,
    digits(show(median(costs))),
    `${digits(show(Math.min(...costs)))} to ${digits(show(Math.max(...costs)))}`,
    ...present.map((peer) => digits(timesAsFast(costs, results.get(peer)!))),
  ]);
  printTable([title, unit, "spread", ...present.map((peer) => `x ${peer}`)], rows);
  return results;
}

/** The speed relative to a peer: the median, over all rounds, of the peer's cost divided by this cost. */
export function timesAsFast(costs: readonly number[], peer: readonly number[]): number {
  return median(costs.map((cost, round) => peer[round]! / cost));
}

function median(figures: readonly number[]): number {
  const sorted = figures.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** The milliseconds until a call returns or, if it returns a promise, until the promise resolves. */
export async function millisecondsOf(work: () => unknown): Promise<number> {
  const began = performance.now();
  const result = work();
  if (result instanceof Promise) await result;
  return performance.now() - began;
}

/** Prints a Markdown table with text in the first column and figures in the others. */
export function printTable(columns: readonly string[], rows: readonly (readonly string[])[]): void {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  const rule = columns.map((_, i) => (i === 0 ? "---" : "--:"));
  console.log(["", line(columns), line(rule), ...rows.map(line)].join("\n"));
}

/** A number with three significant digits. */
export function digits(value: number): string {
  return value.toLocaleString("en-US", value >= 100 ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: 3 });
}
