import type { OptionTable } from "../parse_arguments.ts";
import { shellWord } from "../store_options.ts";
import type { OpenQuestion } from "../../intake/tables/open_questions.ts";

type Values = Readonly<Record<string, boolean | string | readonly string[] | undefined>>;

/** A command line as it was given. */
export interface CommandLine {
  /** The program and its command, e.g. `mazaneh import`. */
  readonly command: string;
  readonly table: OptionTable;
  /** Values by name, as they were parsed. */
  readonly options: Values;
  /** The options that decide what a file with this header leaves open. */
  readonly optionsFor: (questions: readonly OpenQuestion[], header: string | undefined) => readonly string[];
}

/** Options as words of a command line. */
export function optionWords(table: OptionTable, values: Values): readonly string[] {
  return Object.keys(table).flatMap((name) => {
    const value = values[name];
    if (value === undefined || value === false) return [];
    return value === true ? [`--${name}`] : [value].flat().flatMap((text) => [`--${name}`, text]);
  });
}

/** The command line for these files that adds options, ready to run. An option that was given with another value gets the new one. */
function suggestedCommand(
  { command, table, options }: CommandLine,
  files: readonly string[],
  added: readonly string[],
): string {
  const isReplaced = (name: string): boolean =>
    table[name]?.kind !== "texts" && added.some((option) => option.split(" ")[0] === `--${name}`);
  const kept = Object.fromEntries(Object.entries(options).filter(([name]) => !isReplaced(name)));
  return [command, ...[...files, ...optionWords(table, kept)].map(shellWord), ...added].join(" ");
}

/**
 * One line for all files that want the same options, besides the asset of each; those that want none are in it only where `all`
 * want some.
 */
export function suggestedCommands(
  line: CommandLine,
  files: readonly (readonly [name: string, options: readonly string[]])[],
  all: readonly string[],
): readonly string[] {
  const { code: given } = line.options;
  const givenCodes = typeof given === "string" ? given.split(",") : [];
  const groups = new Map<
    string,
    { readonly names: string[]; readonly codes: string[]; readonly missing: readonly string[] }
  >();
  for (const [at, [name, options]] of files.entries()) {
    const missing = [...new Set([...options, ...all])];
    if (missing.length === 0) continue;
    const code =
      missing.find((option) => option.startsWith(CODE))?.slice(CODE.length) ?? givenCodes[at] ?? givenCodes[0];
    const key = [code !== undefined, ...missing.filter((option) => !option.startsWith(CODE))].join(" ");
    const group = groups.get(key) ?? { names: [], codes: [], missing };
    groups.set(key, group);
    group.names.push(name);
    if (code !== undefined) group.codes.push(code);
  }
  return [...groups.values()].map(({ names, codes, missing }) => {
    const option = `${CODE}${new Set(codes).size > 1 ? codes.join(",") : codes[0]}`;
    const isNew = codes.length > 0 && option !== `${CODE}${String(given)}`;
    const added = missing
      .filter((other) => isNew || !other.startsWith(CODE))
      .map((other) => (other.startsWith(CODE) ? option : other));
    return suggestedCommand(line, names, isNew && !added.includes(option) ? [option, ...added] : added);
  });
}

const CODE = "--code ";
