import type { OpenQuestion } from "../../intake/tables/open_questions.ts";
import type { OptionTable } from "../parse_arguments.ts";
import { shellWord } from "../store_options.ts";
import type { ReportedFile } from "./import_report.ts";
import { STANDARD_INPUT, STANDARD_INPUT_NAME } from "./open_source.ts";

type Values = Readonly<Record<string, boolean | string | readonly string[] | undefined>>;

/** The command line that the user gave, and the saved formats of similar files. */
export interface ReportedLine {
  /** The program and its command, such as `mazaneh import`. */
  readonly command: string;
  readonly table: OptionTable;
  readonly options: Values;
  /** The options that answer the questions about a file with this header. */
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

/**
 * The commands that continue the import: the user's command line, quoted for the shell, once for all files that need the
 * same options. Each line also gets the options `all`. Omits files that need no option, and files with an error or a
 * question that only a person can answer.
 */
export function commandsFor(
  { command, table, options: own, optionsFor }: ReportedLine,
  files: readonly ReportedFile[],
  all: readonly string[] = [],
): readonly string[] {
  const { code: given } = own;
  const givenCodes = typeof given === "string" ? given.split(",") : [];
  const groups = new Map<string, { names: string[]; codes: string[]; options: readonly string[] }>();
  for (const [at, { name, read }] of files.entries()) {
    const { failure } = read;
    if (failure && (!("questions" in failure) || failure.questions.some(isMissing))) continue;
    const questions = failure?.questions ?? [];
    const withoutCode = questions.map(({ set: { code: _, ...set }, reason }) => ({ set, reason }));
    const ofFile = optionsFor(withoutCode, failure?.header).filter((option) => option !== "");
    const options = [...new Set([...ofFile, ...all])];
    const answered = questions.find(({ set }) => set.code !== undefined)?.set.code;
    if (options.length === 0 && answered === undefined) continue;
    const code = answered ?? givenCodes[at] ?? givenCodes[0];
    const key = JSON.stringify([code !== undefined, options]);
    const group = groups.get(key) ?? { names: [], codes: [], options };
    groups.set(key, group);
    group.names.push(name === STANDARD_INPUT_NAME ? STANDARD_INPUT : name);
    if (code !== undefined) group.codes.push(code);
  }
  return [...groups.values()].map(({ names, codes, options }) => {
    const code = new Set(codes).size > 1 ? codes.join(",") : codes[0];
    const added = [...(code === undefined || code === given ? [] : [`--code ${code}`]), ...options];
    // An added option replaces the user's own option.
    const isReplaced = (name: string): boolean =>
      !table[name]?.multiple && added.some((option) => option.split(" ")[0] === `--${name}`);
    const kept = Object.fromEntries(Object.entries(own).filter(([name]) => !isReplaced(name)));
    return [command, ...[...names, ...optionWords(table, kept)].map(shellWord), ...added].join(" ");
  });
}

/** Whether only a person can answer a question. */
export function isMissing({ missing }: OpenQuestion): boolean {
  return missing !== undefined;
}
