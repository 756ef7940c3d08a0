import { mkdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parseObject } from "../../../core/internal.ts";
import type { OpenQuestion } from "../../intake/tables/open_questions.ts";
import { wrongUsage } from "../command_failure.ts";
import { type OptionValues, parseArguments } from "../parse_arguments.ts";
import { replaceFile } from "../replace_file.ts";
import type { Environment } from "../settings_sources.ts";
import { shellWord } from "../store_options.ts";
import { FORMAT_OPTIONS } from "./format_options.ts";
import { optionOf } from "./import_answers.ts";
import { optionWords } from "./suggested_command.ts";

type FormatValues = OptionValues<typeof FORMAT_OPTIONS>;

/** How files were read. Asset, day and year are left out, because similar files differ in them. */
interface SavedFormat {
  /** The options, as words of a command line. */
  readonly options: readonly string[];
  /** Layouts and headers of the files that were read with these options. */
  readonly headers: readonly string[];
}

/** Reads the formats that this user has saved with `--save`. A missing or damaged file counts as empty. */
export async function openSavedFormats({ XDG_CONFIG_HOME: config, HOME: home }: Environment) {
  const path = config || home ? join(config || join(home!, ".config"), "mazaneh", "imports.json") : undefined;
  const object = path === undefined ? undefined : parseObject(await readFile(path, "utf8").catch(() => ""));
  const formats = new Map(
    Object.entries(object ?? {}).filter((entry): entry is [string, SavedFormat] => isFormat(entry[1])),
  );
  return {
    /** The given options, with the options of the format that `--like` names. */
    completed<Values extends FormatValues & { readonly like?: string; readonly save?: string }>(given: Values): Values {
      if (given.save !== undefined && path === undefined)
        throw wrongUsage("--save keeps formats below the home directory: set HOME");
      if (given.like === undefined) return given;
      const format = formats.get(given.like);
      if (!format) throw wrongUsage(`--like: nothing was saved as "${given.like}"`);
      const saved = Object.entries(parseArguments(FORMAT_OPTIONS, format.options).options);
      const isGiven = (value: unknown): boolean =>
        value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0);
      return { ...given, ...Object.fromEntries(saved.filter(([name]) => !isGiven(given[name as keyof FormatValues]))) };
    },
    /** The options that answer the questions about a file. Uses the last format saved for its header, if any. */
    optionsFor(questions: readonly OpenQuestion[], header: string | undefined): readonly string[] {
      const found = [...formats].findLast(([, { headers }]) => header !== undefined && headers.includes(header));
      const isSaved = (question: OpenQuestion): boolean =>
        found?.[1].options.includes(optionOf(question).split(" ")[0]!) ?? false;
      const others = questions.filter((question) => !isSaved(question)).map(optionOf);
      return found && questions.some(isSaved) ? [`--like ${shellWord(found[0])}`, ...others] : others;
    },
    /** Saves the format `name` for files with these headers. */
    async save(name: string, values: FormatValues, headers: readonly string[]): Promise<void> {
      if (path === undefined) return;
      formats.delete(name);
      formats.set(name, {
        options: optionWords(FORMAT_OPTIONS, { ...values, code: undefined, day: undefined, year: undefined }),
        headers,
      });
      await mkdir(dirname(path), { recursive: true });
      await replaceFile(path, [`${JSON.stringify(Object.fromEntries(formats), undefined, 2)}\n`]);
    },
  };
}

function isFormat(value: unknown): value is SavedFormat {
  const { options, headers } = (value ?? {}) as { readonly [Name in keyof SavedFormat]?: unknown };
  return [options, headers].every((words) => Array.isArray(words) && words.every((word) => typeof word === "string"));
}
