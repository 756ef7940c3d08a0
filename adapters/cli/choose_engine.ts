import type { ChooseEngine } from "./engines/engine.ts";

/** The only place that chooses an engine. Its module is loaded here, on demand. */
export const chooseEngine: ChooseEngine = async ({ values }, context) => {
  const { store, quota } = values;
  if (store === "files") return (await import("./engines/files_engine.ts")).filesEngine(values, context);
  return (await import("./engines/database_engine.ts")).databaseEngine({ store, quota }, context);
};
