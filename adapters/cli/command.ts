import type { stopSignal } from "../server/run_until_stopped.ts";
import { EXIT, type ExitCode } from "./command_failure.ts";
import type { EngineContext } from "./engines/engine.ts";
import { type Arguments, demandOperands, type OptionTable, parseArguments, switchOption } from "./parse_arguments.ts";
import type { SettingName } from "./settings.ts";
import { type Environment, type SettingsInForce, settingOptions, settingsInForce } from "./settings_sources.ts";
import { accessTo, type StoreCalls } from "./with_store.ts";

/** The parts of the process that a command uses. */
export interface CliContext extends EngineContext {
  readonly environment: Environment;
  /** Resolves when a server should stop. */
  readonly stopSignal: typeof stopSignal;
  /** The version of this program. */
  readonly version: string;
  /** The command line that starts this program, for messages that users copy. */
  readonly program: string;
}

/** An entry in the list of commands. */
export interface CommandRow {
  /** One or two words, such as `keys create`. */
  readonly name: string;
  /** The operands for the help, such as `FILE…`; empty if the command has no operands. */
  readonly operands: string;
  /** One sentence for the list of commands, without a full stop. */
  readonly summary: string;
  load(): Promise<Command>;
}

/** The help text, the options and the action of a command. */
export interface Command {
  /** Paragraphs for `COMMAND --help`. */
  readonly details: string | undefined;
  readonly options: OptionTable;
  /** Runs the command with the arguments after its name. Resolves to the exit code, or throws a `CommandFailure`. */
  run(context: CliContext, args: readonly string[], row: Pick<CommandRow, "operands">): Promise<ExitCode>;
}

/** The output of a command. With `--json`, `json` is printed, otherwise `text`. */
export interface CommandOutput {
  readonly json: unknown;
  readonly text: string;
  /** Default: 0. */
  readonly exitCode?: ExitCode;
  /** A key that is printed unmasked. */
  readonly shownKey?: string;
}

/** The options of every command. */
const COMMON_OPTIONS = {
  json: switchOption("Print one JSON document for machines"),
  help: { ...switchOption("Print this help"), short: "h" },
} as const satisfies OptionTable;

/** The option of commands that can make a store. Without `--init`, a misspelt directory does not become a store. */
export const INIT_OPTION = {
  init: switchOption("Make a new store if there is none in the data directory"),
} as const satisfies OptionTable;

/** The definition of a command. */
interface CommandDefinition<Table extends OptionTable, Names extends readonly SettingName[]> {
  readonly details?: string;
  /**
   * The settings for which the command has options. Unless there are none, environment variables are read for all
   * settings. Default: `data`, which includes all settings that name the store.
   */
  readonly settings?: Names;
  readonly options?: Table;
  /** Resolves to the output, or to the exit code if `run` has already printed everything. */
  run(
    context: CliContext,
    given: Arguments<Table & typeof COMMON_OPTIONS> & GivenSettings<Names>,
  ): Promise<ExitCode | CommandOutput>;
}

type GivenSettings<Names extends readonly SettingName[]> = Names extends readonly []
  ? unknown
  : StoreCalls & { readonly settings: SettingsInForce };

/** Makes a command from its definition. */
export function defineCommand<
  const Table extends OptionTable = Readonly<Record<never, never>>,
  const Names extends readonly SettingName[] = readonly ["data"],
>({ settings, options: own, details, run }: CommandDefinition<Table, Names>): Command {
  const names: readonly SettingName[] = settings ?? ["data"];
  const options = { ...own, ...(names.length > 0 && settingOptions(names)), ...COMMON_OPTIONS };
  return {
    details,
    options,
    run: async (context, args, { operands }) => {
      const given = parseArguments(options, args);
      if (operands === "") demandOperands(given.operands);
      const found = names.length > 0 ? await settingsInForce(given.options, context.environment) : undefined;
      const calls = found && { settings: found, ...accessTo(found, given.options, context) };
      // `given.options` also has the options for settings; they are missing in the type of `options` in `run`.
      const done = await run(context, { ...given, ...calls } as object as Parameters<typeof run>[1]);
      if (typeof done === "number") return done;
      const { json, text, exitCode = EXIT.done, shownKey } = done;
      const isJson = (given.options as { json: boolean }).json;
      await context.terminal.write(isJson ? `${JSON.stringify(json)}\n` : text, shownKey);
      return exitCode;
    },
  };
}
