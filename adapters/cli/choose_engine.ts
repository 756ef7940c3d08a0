import type { ChooseEngine } from "./engine.ts";
import { databaseEngine } from "./engines/database_engine.ts";
import { filesEngine } from "./files_engine.ts";

/** The one place where an engine is chosen. */
export const chooseEngine: ChooseEngine = ({ values }, context) => {
  const { store, quota } = values;
  return store === "files" ? filesEngine(values, context) : databaseEngine({ store, quota }, context);
};
