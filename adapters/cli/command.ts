import type { Clock } from "../../core/mod.ts";
import { parseArguments } from "./args.ts";
import type { Arguments, OptionTable } from "./args.ts";
import type { ExitCode } from "./failure.ts";
import type { Environment } from "./settings_sources.ts";
import type { Terminal } from "./terminal.ts";

/** What a command has of the world around it. */
export interface CliContext {
  readonly terminal: Terminal;
  readonly environment: Environment;
  readonly clock: Clock;
  /** The version of this program. */
  readonly version: string;
  /** How this program is called from here, for lines to copy. */
  readonly program: string;
}

/** A command: what the help says of it, and what it does. */
export interface Command {
  /** One or two words, e.g. `keys create`. */
  readonly name: string;
  /** What the command takes besides options, as the help writes it, e.g. `FILE…`. Empty for nothing. */
  readonly operands: string;
  /** One sentence for the list of commands, without a full stop. */
  readonly summary: string;
  /** More of it: paragraphs and lines for the command's own help. */
  readonly details?: string;
  readonly options: OptionTable;
  /** Runs with the arguments after the name. Resolves to the exit code, or throws a `CommandFailure`. */
  run(context: CliContext, args: readonly string[]): Promise<ExitCode>;
}

/** The options that every command has. */
export const COMMON_OPTIONS = {
  json: { kind: "switch", summary: "Print one JSON document for machines" },
  help: { kind: "switch", summary: "Print this help" },
} as const satisfies OptionTable;

/** A command as it is written down: its `run` gets the arguments taken apart. */
export interface CommandDefinition<Table extends OptionTable> extends Omit<Command, "options" | "run"> {
  readonly options: Table;
  run(context: CliContext, given: Arguments<Table & typeof COMMON_OPTIONS>): Promise<ExitCode>;
}

/** Makes a command, adding the common options to its own. */
export function defineCommand<const Table extends OptionTable>(definition: CommandDefinition<Table>): Command {
  const options = { ...definition.options, ...COMMON_OPTIONS };
  return {
    ...definition,
    options,
    run: (context, args) => definition.run(context, parseArguments(options, args)),
  };
}
