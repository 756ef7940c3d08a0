import { readContent } from "../../json_files/maintenance/content.ts";
import { makeStore } from "../../json_files/maintenance/make_store.ts";
import { isStoreDirectory } from "../../json_files/mod.ts";
import type { Copying } from "../../store/copy.ts";
import { wrongUsage } from "../failure.ts";
import { absolutePath, readable } from "../make_directory.ts";

/** Copies from and to a directory of files. */
export function filesCopying(directory: string): Copying {
  return {
    async withContent(use) {
      const path = absolutePath(directory);
      if (!(await readable(path, directory, () => isStoreDirectory(path)))) throw wrongUsage(`There is no store in "${path}"; check --from, or mount it`);
      return use(await readContent(path));
    },
    make: (content, options) => makeStore(absolutePath(directory), content, options),
  };
}
