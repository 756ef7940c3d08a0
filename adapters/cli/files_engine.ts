import { jsonFilesEngine } from "../json_files/engine.ts";
import { isStoreDirectory } from "../json_files/mod.ts";
import type { CliContext } from "./command.ts";
import type { CliEngine } from "./engine.ts";
import { wrongUsage } from "./failure.ts";
import { absolutePath, hasDataDirectory, makeDataDirectory, readable } from "./make_directory.ts";
import type { SettingValues } from "./settings.ts";

const MISSING_ADVICE = "check --data, or mount it";
const INIT_ADVICE = "check --data, or make a new store with --init";

/** The engine of a data directory. When a server holds it, changes go through that server, so that they are in force there at once. */
export function filesEngine({ data }: Pick<SettingValues, "data">, { terminal, clock }: Pick<CliContext, "terminal" | "clock">): CliEngine {
  const engine = jsonFilesEngine(data, { clock, waiting: terminal });

  /** Whether a store, or what is left of one, is there. */
  async function exists(): Promise<boolean> {
    const path = absolutePath(data);
    return readable(path, data, () => isStoreDirectory(path));
  }

  return {
    ...engine,
    files: engine,
    exists,
    async demand(wanted, init) {
      if (wanted === "read") {
        if (!(await hasDataDirectory(data))) throw wrongUsage(`There is no data directory "${data}"; ${MISSING_ADVICE}`);
        return;
      }
      if (await exists()) return;
      // A relative path may lead elsewhere than its user believes.
      const path = absolutePath(data);
      if (wanted === "there" || !init) throw wrongUsage(`There is no store in "${path}"; ${wanted === "there" ? MISSING_ADVICE : INIT_ADVICE}`);
      await makeDataDirectory(data);
      terminal.note(`Making a new store in "${path}".`);
    },
  };
}
