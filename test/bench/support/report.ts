import { availableParallelism, cpus } from "node:os";
import { parseArgs } from "node:util";
import { type Result, timesAsFast } from "./rounds.ts";

/**
 * Parses the command line of a benchmark: `--rounds N` and its own options with their defaults. Describes the machine
 * and the run on standard error. `--help` prints the options and ends the program.
 */
export function begin<Name extends string>(
  name: string,
  own: Readonly<Record<Name, string>>,
): { readonly rounds: number } & Readonly<Record<Name, string>> {
  const defaults: Readonly<Record<string, string>> = { rounds: "5", ...own };
  const options = Object.fromEntries(
    Object.entries(defaults).map(([option, value]) => [option, { type: "string", default: value } as const]),
  );
  const values: Readonly<Record<string, string | boolean | undefined>> = parseArgs({
    options: { ...options, help: { type: "boolean" } },
  }).values;
  if (values["help"] === true) {
    console.log(
      `npx tsx test/bench/${name}.ts${Object.entries(defaults)
        .map(([option, value]) => ` [--${option} ${value}]`)
        .join("")}`,
    );
    process.exit(0);
  }
  const rounds = Number(values["rounds"]);
  if (!Number.isInteger(rounds) || rounds < 1)
    throw new RangeError(`--rounds must be a whole number >= 1: received "${String(values["rounds"])}"`);
  console.error(
    `${name}: Node ${process.version}, ${availableParallelism()} cores, ${cpus()[0]?.model.trim() ?? "unknown processor"}; ${rounds} interleaved rounds`,
  );
  return { ...(values as Readonly<Record<Name, string>>), rounds };
}

/** How to print the results of one comparison. */
export interface BenchReport {
  readonly title: string;
  /** The unit of costs as `show` prints them. */
  readonly unit: string;
  /** The names of the contestants to compare with. Each gets a column of ratios. */
  readonly peers: readonly string[];
  readonly show?: (cost: number) => number;
}

/** Prints a Markdown table with each contestant's median, spread, and ratio to each peer's speed. */
export function report(results: readonly Result[], { title, unit, peers, show = (cost) => cost }: BenchReport): void {
  const present = peers.flatMap((peer) => results.filter(({ name }) => name === peer));
  const rows = results.map((result) => [
    result.name,
    digits(show(result.median)),
    `${digits(show(Math.min(...result.costs)))} to ${digits(show(Math.max(...result.costs)))}`,
    ...present.map((peer) => digits(timesAsFast(result, peer))),
  ]);
  printTable([title, unit, "spread", ...present.map(({ name }) => `x ${name}`)], rows);
}

/** Prints a Markdown table with text in the first column and figures in the others. */
export function printTable(columns: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = columns.map((_, i) => Math.max(3, ...[columns, ...rows].map((row) => row[i]!.length)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join(" | ")} |`;
  const rule = widths.map((width, i) => (i === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`));
  console.log(["", line(columns), line(rule), ...rows.map(line)].join("\n"));
}

/** A number with three significant digits. */
export function digits(value: number): string {
  return value.toLocaleString("en-US", value >= 100 ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: 3 });
}
