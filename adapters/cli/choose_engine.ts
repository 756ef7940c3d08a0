import type { Engine } from "../stores/shared/engine.ts";
import type { EngineContext } from "./engines/engine.ts";
import type { SettingsInForce } from "./settings_sources.ts";

/** Finds the engine that the settings name, without opening its store. Loads only the module of that engine. */
export async function chooseEngine({ values }: SettingsInForce, context: EngineContext): Promise<Engine> {
  const { store, quota } = values;
  if (store === "files") return (await import("./engines/files_engine.ts")).filesEngine(values, context);
  return (await import("./engines/database_engine.ts")).databaseEngine({ store, quota }, context);
}
