import { databaseEngine } from "./engines/database_engine.ts";
import type { ChooseEngine } from "./engines/engine.ts";
import { filesEngine } from "./engines/files_engine.ts";

/** The one place where an engine is chosen. */
export const chooseEngine: ChooseEngine = ({ values }, context) => {
  const { store, quota } = values;
  return store === "files" ? filesEngine(values, context) : databaseEngine({ store, quota }, context);
};
