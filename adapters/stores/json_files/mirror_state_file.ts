import { join } from "node:path";
import type { MirrorStateStore } from "../shared/store.ts";
import type { StoreError } from "../shared/store_error.ts";
import { MIRROR } from "./data_directory.ts";
import { createHealth } from "./errors.ts";
import { type FileSystem, nodeFileSystem } from "./file_system.ts";
import { readDocument, replaceDocument } from "./replace_document.ts";

const PLAN = {
  kind: "mirror",
  schema: 1,
  remedy:
    "Put it back from a backup. Or remove it: the mirror then starts over, as if it had not spent any of today's units",
};

/**
 * Keeps the state of a mirror in a data directory owned by this process: `mirror/HOST.json`, one file for each
 * upstream, replaced and synced.
 *
 * @param onFatal Called when a sync has failed. The program should then end.
 */
export function mirrorStateFile(
  directory: string,
  upstream: string,
  {
    onFatal = () => undefined,
    fs = nodeFileSystem,
  }: { readonly onFatal?: (error: StoreError) => void; readonly fs?: FileSystem } = {},
): MirrorStateStore {
  const folder = join(directory, MIRROR);
  const path = join(folder, `${fileNameOf(upstream)}.json`);
  const health = createHealth(onFatal);
  let hasFolder = false;
  return {
    load: async () => (await readDocument<{ readonly state: unknown }>(fs, path, PLAN))?.state,
    async save(state) {
      if (!hasFolder) {
        await fs.makeDirectory(folder);
        await health.synced(fs.syncDirectory(directory));
        hasFolder = true;
      }
      await replaceDocument({ fs, health }, path, PLAN, { state });
    },
  };
}

/** Makes a file name from host, port and path of a URL. The mirror's key and number of units do not change the name. */
function fileNameOf(upstream: string): string {
  const { host, pathname } = new URL(upstream);
  return `${host}${pathname}`
    .toLowerCase()
    .replace(/\/*(\/api\/v1)?\/*$/, "")
    .replace(/[^a-z0-9.-]+/g, "_");
}
