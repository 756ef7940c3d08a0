import type { Clock, MaybePromise } from "../../../core/mod.ts";
import type { JsonFilesEngine } from "../../stores/json_files/engine.ts";
import type { Engine } from "../../stores/shared/engine.ts";
import { wrongUsage } from "../command_failure.ts";
import type { SettingsInForce } from "../settings_sources.ts";
import type { Terminal } from "../terminal.ts";

export type { RepairPlan } from "../../stores/json_files/mod.ts";

/** The engine of a command. */
export interface CliEngine extends Engine {
  /** Throws a failure unless there is a store. With `init`, a missing one is made ready for, and named; without a value, the command can make none. */
  demand(init: boolean | undefined): Promise<void>;
  /** What only files need: commands for it say what to do instead where this is absent. */
  readonly files?: Pick<JsonFilesEngine, "directory" | "compact" | "backup" | "repair">;
}

/** What an engine uses of the process that it runs in. */
export interface EngineContext {
  readonly terminal: Terminal;
  readonly clock: Clock;
}

/** Finds the engine that the settings name. Nothing is opened yet. */
export type ChooseEngine = (settings: SettingsInForce, context: EngineContext) => MaybePromise<CliEngine>;

/** What only files need. Throws a usage failure for another engine, with what to do there, as a sentence without a full stop. */
export function demandFiles({ name, files }: CliEngine, instead: string): NonNullable<CliEngine["files"]> {
  if (!files) throw wrongUsage(`"${name}" is not a directory of files. ${instead}`);
  return files;
}
