import type { ChooseEngine } from "./engines/engine.ts";

/** The one place where an engine is chosen; it is loaded only now. */
export const chooseEngine: ChooseEngine = async ({ values }, context) => {
  const { store, quota } = values;
  if (store === "files") return (await import("./engines/files_engine.ts")).filesEngine(values, context);
  return (await import("./engines/database_engine.ts")).databaseEngine({ store, quota }, context);
};
