import type { FormatOptions } from "../../adapters/intake/tables/detect_dialect.ts";
import { FORMAT_OPTIONS, readFormatOptions } from "../../adapters/cli/import/format_options.ts";
import { parseArguments } from "../../adapters/cli/parse_arguments.ts";
import { ASSETS } from "../../core/mod.ts";

/** The format options of a command line, e.g. `["--unit", "toman"]`. */
export function formats(args: readonly string[] = []): FormatOptions {
  return readFormatOptions(parseArguments(FORMAT_OPTIONS, args).options, {
    marketTimeZone: "Asia/Tehran",
    assets: ASSETS,
  });
}
