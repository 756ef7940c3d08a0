import { access, constants } from "node:fs/promises";
import { join, resolve } from "node:path";
import { jsonFilesEngine } from "../../stores/json_files/engine.ts";
import { ifThere, nodeFileSystem } from "../../stores/json_files/file_system.ts";
import { makeStore } from "../../stores/json_files/maintenance/make_store_from_content.ts";
import { demandWhole, readContent } from "../../stores/json_files/maintenance/read_content.ts";
import { isStoreDirectory } from "../../stores/json_files/mod.ts";
import type { Engine } from "../../stores/shared/engine.ts";
import type { Copying } from "../../stores/shared/store_copying.ts";
import { MissingStore } from "../../stores/shared/store_error.ts";
import { type CommandFailure, codeOf, EXIT, messageOf, wrongSetting, wrongUsage } from "../command_failure.ts";
import type { SettingValues } from "../settings.ts";
import type { EngineContext } from "./engine.ts";

/** The engine of a data directory. If a server owns the directory, commands change the data through that server. */
export function filesEngine({ data }: Pick<SettingValues, "data">, { terminal, clock }: EngineContext): Engine {
  return {
    ...jsonFilesEngine(data, { clock, noteWait: terminal.note }),
    async demand(init) {
      if (await hasStore(data)) return;
      // Messages show the absolute path, because a relative one may lead to an unexpected place.
      const path = resolve(data);
      if (!init)
        throw new MissingStore(
          `There is no store in "${path}"; check --data, or ${init === undefined ? "mount it" : "make a new store with --init"}`,
          EXIT.usage,
        );
      await nodeFileSystem.makeDirectory(path).catch((error: unknown) => {
        throw unusable(data, error);
      });
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
      const content = await readContent(path);
      demandWhole(path, content);
      return use(content);
    },
    make: (content, options) => makeStore(resolve(directory), content, options),
  };
}

/**
 * Whether a data directory has a store or the remains of a store. Throws a failure with exit code 78 if the path is
 * not a directory, or not readable.
 */
async function hasStore(data: string): Promise<boolean> {
  const path = resolve(data);
  try {
    if (!(await isStoreDirectory(path))) return false;
    await ifThere(access(join(path, "MANIFEST.json"), constants.R_OK));
    return true;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return false;
    throw unusable(data, error);
  }
}

function unusable(data: string, error: unknown): CommandFailure {
  return wrongSetting(`Cannot use the data directory "${data}": ${messageOf(error)}`, error);
}
