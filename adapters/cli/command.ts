import type { Writable } from "node:stream";
import type { stopSignal } from "../server/run_until_stopped.ts";
import { EXIT, type ExitCode } from "./command_failure.ts";
import type { ChooseEngine, EngineContext } from "./engines/engine.ts";
import { type Arguments, demandOperands, type OptionTable, parseArguments } from "./parse_arguments.ts";
import type { Environment } from "./settings_sources.ts";

type LogStream = Writable & { readonly isTTY?: boolean; readonly fd?: number };

/** What a command uses of the process that it runs in. */
export interface CliContext extends EngineContext {
  readonly environment: Environment;
  /** Finds the engine that keeps the data. */
  readonly engine: ChooseEngine;
  /** Resolves when a server or a stream is to stop. */
  readonly stopSignal: typeof stopSignal;
  /** Where a server writes its access log, and its log. */
  readonly logs: { readonly access: LogStream; readonly events: LogStream };
  /** The version of this program. */
  readonly version: string;
  /** The command line that starts this program, for messages that users copy. */
  readonly program: string;
}

/** A command in the list of all. */
export interface CommandRow {
  /** One or two words, e.g. `keys create`. */
  readonly name: string;
  /** The operands as the help shows them, e.g. `FILE…`. Empty for none. */
  readonly operands: string;
  /** One sentence for the list of commands, without a full stop. */
  readonly summary: string;
  /** Loads the rest when it is needed: compiling all commands takes longer than most of them run. */
  load(): Promise<Command>;
}

/** The rest of a command: its help text, its options and its action. */
export interface Command {
  /** Paragraphs for the command's own help. */
  readonly details?: string;
  readonly options: OptionTable;
  /** Runs with the arguments after the name. Resolves to the exit code, or throws a `CommandFailure`. */
  run(context: CliContext, args: readonly string[], row: Pick<CommandRow, "operands">): Promise<ExitCode>;
}

/** What a command has to say: a document for `--json`, a text for people, and its exit code. */
export interface CommandOutput {
  readonly json: unknown;
  readonly text: string;
  /** Default: 0. */
  readonly exitCode?: ExitCode;
  /** The one key that the text is meant to show. */
  readonly shownKey?: string;
}

/** The options that every command has. */
export const COMMON_OPTIONS = {
  json: { kind: "switch", summary: "Print one JSON document for machines" },
  help: { kind: "switch", summary: "Print this help" },
} as const satisfies OptionTable;

/** The definition of a command, whose `run` gets the parsed arguments. What it resolves to is printed, unless it has printed all itself. */
export interface CommandDefinition<Table extends OptionTable> extends Omit<Command, "options" | "run"> {
  readonly options: Table;
  run(context: CliContext, given: Arguments<Table & typeof COMMON_OPTIONS>): Promise<ExitCode | CommandOutput>;
}

/** Makes a command of its definition and the options that every command has. */
export function defineCommand<const Table extends OptionTable>(definition: CommandDefinition<Table>): Command {
  const options = { ...definition.options, ...COMMON_OPTIONS };
  return {
    ...definition,
    options,
    run: async (context, args, { operands }) => {
      const given = parseArguments(options, args);
      if (operands === "") demandOperands(given.operands);
      const done = await definition.run(context, given);
      if (typeof done === "number") return done;
      const { json, text, exitCode = EXIT.done, shownKey } = done;
      await context.terminal.write(
        (given.options as { json: boolean }).json ? `${JSON.stringify(json)}\n` : text,
        shownKey,
      );
      return exitCode;
    },
  };
}
