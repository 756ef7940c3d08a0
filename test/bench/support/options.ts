import { availableParallelism, cpus } from "node:os";
import { parseArgs } from "node:util";
import type { TableFormat } from "./table.ts";

/** The options that all benchmarks share, and the values of the options of one benchmark. */
export interface BenchOptions {
  readonly rounds: number;
  readonly format: TableFormat;
  /** Own options by name, as given or by default. */
  readonly own: Readonly<Record<string, string>>;
}

/**
 * Reads the command line: `--rounds N`, `--markdown`, `--json`, and the own options with their defaults;
 * `--help` prints all of them and ends the program.
 */
export function readOptions(name: string, own: Readonly<Record<string, string>> = {}, rounds = 5): BenchOptions {
  const given = Object.fromEntries(Object.entries(own).map(([option, value]) => [option, { type: "string", default: value } as const]));
  const { values } = parseArgs({
    options: {
      rounds: { type: "string", default: String(rounds) },
      markdown: { type: "boolean" },
      json: { type: "boolean" },
      help: { type: "boolean" },
      ...given,
    },
  });
  const all: Readonly<Record<string, string | boolean | undefined>> = values;
  if (all["help"] === true) {
    const extra = Object.entries(own).map(([option, value]) => ` [--${option} ${value}]`);
    console.log(`npx tsx test/bench/${name}.ts [--rounds ${rounds}]${extra.join("")} [--markdown | --json]`);
    process.exit(0);
  }
  return {
    rounds: wholeNumber("rounds", String(all["rounds"])),
    format: all["markdown"] === true ? "markdown" : all["json"] === true ? "json" : "text",
    own: Object.fromEntries(Object.keys(own).map((option) => [option, String(all[option])])),
  };
}

/** A count from the command line; throws `RangeError` for anything below 1. */
export function wholeNumber(name: string, text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1) return count;
  throw new RangeError(`Cannot run as --${name} must be a whole number >= 1: received "${text}"`);
}

/** Prints on standard error what is run, and on what machine. */
export function announce(what: string, rounds: number, details: readonly string[] = []): void {
  const machine = `${process.platform} ${process.arch}, ${availableParallelism()} cores, ${cpus()[0]?.model.trim() ?? "unknown processor"}`;
  for (const line of [`${what}: Node ${process.version}, ${machine}; ${rounds} interleaved rounds`, ...details]) console.error(line);
}
