import type { OptionTable } from "../args.ts";
import { shellWord } from "../store_options.ts";

/** A command line as it was given. */
export interface GivenLine {
  /** The program and its command, e.g. `mazaneh import`. */
  readonly command: string;
  readonly table: OptionTable;
  /** Values by name, as they were parsed. */
  readonly options: Readonly<Record<string, boolean | string | readonly string[] | undefined>>;
}

/** The command line for these files that adds options, ready to run. An option that was given with another value gets the new one. */
export function readyLine({ command, table, options }: GivenLine, files: readonly string[], added: readonly string[]): string {
  const given = Object.entries(table).flatMap(([name, { kind }]) => {
    const value = options[name];
    const isReplaced = kind !== "texts" && added.some((option) => option.split(" ")[0] === `--${name}`);
    if (isReplaced || value === undefined || value === false) return [];
    return value === true ? [`--${name}`] : [value].flat().map((text) => `--${name} ${shellWord(text)}`);
  });
  return [command, ...files.map(shellWord), ...given, ...added].join(" ");
}

/** One line for all files that want the same options; those that want none are in it only where `all` want some. */
export function readyLines(line: GivenLine, files: readonly (readonly [name: string, options: readonly string[]])[], all: readonly string[]): readonly string[] {
  const groups = new Map<string, { readonly names: string[]; readonly added: readonly string[] }>();
  for (const [name, options] of files) {
    const added = [...new Set([...options, ...all])];
    const group = groups.get(added.join(" ")) ?? { names: [], added };
    if (added.length > 0) groups.set(added.join(" "), group);
    group.names.push(name);
  }
  return [...groups.values()].map(({ names, added }) => readyLine(line, names, added));
}
