import type { OptionTable } from "../parse_arguments.ts";
import { shellWord } from "../store_options.ts";

type Values = Readonly<Record<string, boolean | string | readonly string[] | undefined>>;

/** The command line that the user gave. */
export interface CommandLine {
  /** The program and its command, such as `mazaneh import`. */
  readonly command: string;
  readonly table: OptionTable;
  readonly options: Values;
}

/** A file, and the additional options that it needs. */
export interface WantedOptions {
  readonly name: string;
  /** The code of the file's asset, if `--code` must name it. */
  readonly code: string | undefined;
  /** Further options, quoted for the shell, such as `--day-at 16:30`. */
  readonly options: readonly string[];
}

/** Options as words of a command line. */
export function optionWords(table: OptionTable, values: Values): readonly string[] {
  return Object.keys(table).flatMap((name) => {
    const value = values[name];
    if (value === undefined || value === false) return [];
    return value === true ? [`--${name}`] : [value].flat().flatMap((text) => [`--${name}`, text]);
  });
}

/** The user's command line for these files, quoted for the shell. An added option replaces the user's own option. */
function suggestedCommand(
  { command, table, options }: CommandLine,
  files: readonly string[],
  added: readonly string[],
): string {
  const isReplaced = (name: string): boolean =>
    !table[name]?.multiple && added.some((option) => option.split(" ")[0] === `--${name}`);
  const kept = Object.fromEntries(Object.entries(options).filter(([name]) => !isReplaced(name)));
  return [command, ...[...files, ...optionWords(table, kept)].map(shellWord), ...added].join(" ");
}

/**
 * Suggests one command line for all files that need the same options. Each line also gets the options `all`. A file
 * that needs no option is in none of the lines.
 */
export function suggestedCommands(
  line: CommandLine,
  files: readonly WantedOptions[],
  all: readonly string[],
): readonly string[] {
  const { code: given } = line.options;
  const givenCodes = typeof given === "string" ? given.split(",") : [];
  const groups = new Map<string, { names: string[]; codes: string[]; options: readonly string[] }>();
  for (const [at, { name, code: own, options }] of files.entries()) {
    const wanted = [...new Set([...options, ...all])];
    if (wanted.length === 0 && own === undefined) continue;
    const code = own ?? givenCodes[at] ?? givenCodes[0];
    const key = JSON.stringify([code !== undefined, wanted]);
    const group = groups.get(key) ?? { names: [], codes: [], options: wanted };
    groups.set(key, group);
    group.names.push(name);
    if (code !== undefined) group.codes.push(code);
  }
  return [...groups.values()].map(({ names, codes, options }) => {
    const code = new Set(codes).size > 1 ? codes.join(",") : codes[0];
    const added = code === undefined || code === given ? [] : [`--code ${code}`];
    return suggestedCommand(line, names, [...added, ...options]);
  });
}
