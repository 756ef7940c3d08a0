import { parseArgs } from "node:util";
import { distance } from "../intake/names/edit_distance.ts";
import { wrongUsage } from "./command_failure.ts";

/** An option of a command, as `parseArgs` expects it: a switch, a text, or a text that may be repeated. */
export interface Option {
  readonly type: "boolean" | "string";
  readonly multiple?: boolean;
  readonly default?: false | [];
  readonly short?: string;
  /** The name of the value for the help, such as `FILE`. */
  readonly placeholder?: string;
  /** One sentence for the help, without a full stop. */
  readonly summary: string;
}

/** Options by name, without the leading dashes. */
export type OptionTable = Readonly<Record<string, Option>>;

/** The values of the options of a table. */
export type OptionValues<Table extends OptionTable> = Readonly<
  ReturnType<typeof parseArgs<{ options: Table }>>["values"]
>;

/** A parsed command line. */
export interface Arguments<Table extends OptionTable> {
  readonly options: OptionValues<Table>;
  /** The arguments that are not options, in order. All arguments after `--` are operands. */
  readonly operands: readonly string[];
}

/** An option without a value. */
export function switchOption(summary: string) {
  return { type: "boolean", default: false, summary } as const;
}

/** An option with a value. */
export function textOption(placeholder: string, summary: string) {
  return { type: "string", placeholder, summary } as const;
}

/** An option that has a value and may be repeated. */
export function textsOption(placeholder: string, summary: string) {
  return { type: "string" as const, multiple: true as const, default: [] as [], placeholder, summary };
}

/** Parses a command line. Throws a usage failure for an unknown option. */
export function parseArguments<Table extends OptionTable>(table: Table, args: readonly string[]): Arguments<Table> {
  try {
    const { values, positionals } = parseArgs({ args: [...args], options: table, allowPositionals: true });
    demandNoEmptyText(values, positionals);
    return { options: values as object as OptionValues<Table>, operands: positionals };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw wrongUsage(adviceOn(error.message, Object.keys(table)));
  }
}

/** Throws a usage failure for an empty text, which an unset shell variable leaves on a command line. */
function demandNoEmptyText(values: Readonly<Record<string, unknown>>, operands: readonly string[]): void {
  const isEmpty = (value: unknown): boolean => typeof value === "string" && value.trim() === "";
  const name = Object.keys(values).find((one) => [values[one]].flat().some(isEmpty));
  const what = name === undefined ? "An argument" : `The value of --${name}`;
  if (name !== undefined || operands.some(isEmpty))
    throw wrongUsage(`${what} is empty; perhaps a shell variable is not set`);
}

function adviceOn(message: string, names: readonly string[]): string {
  // Keep only the first sentence of Node's message. The rest is advice that does not apply here.
  const [sentence = ""] = message.split(/\. |\n/);
  const problem = sentence.replace(/\.$/, "");
  const [, flag = "", name = ""] = /'(--?([^' ]*))/.exec(problem) ?? [];
  if (problem.endsWith("is ambiguous"))
    return `The value of ${flag} is missing; write a value that begins with a dash as ${flag}=-1`;
  if (!problem.startsWith("Unknown option")) return problem;
  const near =
    names.find((other) => name.length > 2 && other.startsWith(name)) ??
    names.find((other) => distance(name, other) <= Math.min(2, name.length / 2));
  return near === undefined ? `${problem}; see --help` : `${problem}; did you mean --${near}? See --help`;
}

/** The operands by name. Throws a usage failure if an operand is missing or there are too many. */
export function demandOperands<const Name extends string>(
  given: readonly string[],
  ...names: readonly Name[]
): Record<Name, string> {
  const missing = names[given.length];
  if (missing !== undefined) throw wrongUsage(`${missing} is missing`);
  if (given.length > names.length) throw wrongUsage(`There is one argument too many: "${given[names.length]}"`);
  return Object.fromEntries(names.map((name, at) => [name, given[at]])) as Record<Name, string>;
}

/** Reads a whole number from 1 to `most`; throws a usage failure for any other value. */
export function readCount(option: string, text: string, most: number): number {
  const count = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (count < 1 || count > most)
    throw wrongUsage(`${option} must be a whole number from 1 to ${most}: received "${text}"`);
  return count;
}

/** Reads one of a few words; throws a usage failure for any other text. */
export function readChoice<Word extends string>(option: string, text: string, words: readonly Word[]): Word {
  const word = words.find((known) => known === text);
  if (word === undefined) throw wrongUsage(`${option} must be one of ${words.join(", ")}: received "${text}"`);
  return word;
}
