import type { UtcClock } from "../../../core/mod.ts";
import type { Engine } from "../../stores/shared/engine.ts";
import { wrongUsage } from "../command_failure.ts";
import type { SettingsInForce } from "../settings_sources.ts";
import type { Terminal } from "../terminal.ts";

/** The parts of the process that an engine uses. */
export interface EngineContext {
  readonly terminal: Terminal;
  readonly clock: UtcClock;
}

/** The data directory of an engine. Without a directory, throws a usage failure with the advice `instead`. */
export function demandDirectory({ name, directory }: Engine, instead: string): string {
  if (directory === undefined) throw wrongUsage(`"${name}" is not a directory of files. ${instead}`);
  return directory;
}

/** Finds the engine that the settings name, without opening its store. Loads only the module of that engine. */
export async function chooseEngine({ values }: SettingsInForce, context: EngineContext): Promise<Engine> {
  const { store, quota } = values;
  if (store === "files") return (await import("./files_engine.ts")).filesEngine(values, context);
  return (await import("./database_engine.ts")).databaseEngine({ store, quota }, context);
}
