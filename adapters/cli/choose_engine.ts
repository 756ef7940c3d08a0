import type { ChooseEngine } from "./engines/engine.ts";

/** Chooses the engine by the settings, and loads only the module of that engine. */
export const chooseEngine: ChooseEngine = async ({ values }, context) => {
  const { store, quota } = values;
  if (store === "files") return (await import("./engines/files_engine.ts")).filesEngine(values, context);
  return (await import("./engines/database_engine.ts")).databaseEngine({ store, quota }, context);
};
