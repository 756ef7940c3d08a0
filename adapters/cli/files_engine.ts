import { resolve } from "node:path";
import { jsonFilesEngine } from "../json_files/engine.ts";
import { readContent } from "../json_files/maintenance/content.ts";
import { makeStore } from "../json_files/maintenance/make_store.ts";
import type { Copying } from "../store/copy.ts";
import type { CliContext } from "./command.ts";
import { hasStore, makeDataDirectory } from "./data_directory.ts";
import type { CliEngine } from "./engine.ts";
import { wrongUsage } from "./failure.ts";
import type { SettingValues } from "./settings.ts";

/** The engine of a data directory. When a server owns it, changes go through that server, so that they are in force there at once. */
export function filesEngine({ data, fastStart }: Pick<SettingValues, "data" | "fastStart">, { terminal, clock }: Pick<CliContext, "terminal" | "clock">): CliEngine {
  const engine = jsonFilesEngine(data, { clock, fastStart, waiting: terminal });
  return {
    ...engine,
    files: engine,
    async demand(init) {
      if (await hasStore(data)) return;
      // A relative path may lead elsewhere than its user believes.
      const path = resolve(data);
      if (!init) throw wrongUsage(`There is no store in "${path}"; check --data, or ${init === undefined ? "mount it" : "make a new store with --init"}`);
      await makeDataDirectory(data);
      terminal.note(`Making a new store in "${path}".`);
    },
  };
}

/** Copies from and to a directory of files. */
export function filesCopying(directory: string): Copying {
  return {
    async withContent(use) {
      const path = resolve(directory);
      if (!(await hasStore(path))) throw wrongUsage(`There is no store in "${path}"; check --from, or mount it`);
      return use(await readContent(path));
    },
    make: (content, options) => makeStore(resolve(directory), content, options),
  };
}
