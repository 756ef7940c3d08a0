import { answersOf, FORMAT_OPTIONS, tableOptions } from "../../adapters/cli/import/format_options.ts";
import { parseArguments } from "../../adapters/cli/parse_arguments.ts";
import type { TableOptions } from "../../adapters/intake/tables/detect_dialect.ts";

/** The settings for reading tables, from the format options of a command line such as `["--unit", "toman"]`. */
export function formats(args: readonly string[] = []): TableOptions {
  return tableOptions(answersOf(parseArguments(FORMAT_OPTIONS, args).options), {});
}
