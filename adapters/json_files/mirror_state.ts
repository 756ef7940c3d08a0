import { join } from "node:path";
import { createHealth } from "./errors.ts";
import type { StoreError } from "../store/store_error.ts";
import { nodeFileSystem } from "./fs.ts";
import type { FileSystem } from "./fs.ts";
import { readDocument, replaceDocument } from "./replace.ts";
import type { Document } from "./replace.ts";
import type { MirrorStateStore } from "../mirror/state_port.ts";

/** The state in a file. */
interface StateDocument extends Document {
  readonly revision: number;
  readonly state: unknown;
}

const KIND = "mirror";
const SCHEMA = 1;
const FOLDER = "mirror";
const PLAN = { kind: KIND, schema: SCHEMA, remedy: "Put it back from a backup. Or remove it: the mirror then begins anew, and takes the units of this day as not spent yet" };

/**
 * Keeps the state in the data directory of a store, which one process at a time holds: `mirror/HOST.json`, one file for each
 * upstream. It is replaced as a whole and synced. A second process that writes the same file stops the first.
 *
 * @param onFatal Called when a sync has failed: the program should end, as for a store.
 */
export function mirrorStateFile(
  directory: string,
  upstream: string,
  { onFatal = () => undefined, fs = nodeFileSystem }: { readonly onFatal?: (error: StoreError) => void; readonly fs?: FileSystem } = {},
): MirrorStateStore {
  const folder = join(directory, FOLDER);
  const path = join(folder, `${fileNameOf(upstream)}.json`);
  const health = createHealth(onFatal);
  let revision: number | undefined;

  async function read(): Promise<StateDocument | undefined> {
    return (await readDocument(fs, path, PLAN)) as StateDocument | undefined; // Its checksum is right, so it is as `save` wrote it.
  }

  return {
    async load() {
      const found = await read();
      revision = found?.revision ?? 0;
      return found?.state;
    },
    async save(state) {
      const before = (await read())?.revision ?? 0;
      if (revision !== undefined && before !== revision) throw new Error(`Cannot save the state of the mirror as another process has changed "${path}"`);
      if (before === 0) {
        await fs.makeDirectory(folder);
        await health.synced(fs.syncDirectory(directory));
      }
      const document: StateDocument = { kind: KIND, schema: SCHEMA, revision: before + 1, state };
      await replaceDocument(fs, health, path, document);
      revision = before + 1;
    },
  };
}

/** Host, port and path of a URL, as a file may be called: the same upstream, however its key or its units change. */
function fileNameOf(upstream: string): string {
  const { host, pathname } = new URL(upstream);
  return `${host}${pathname}`.toLowerCase().replace(/\/+$/, "").replace(/[^a-z0-9.-]+/g, "_");
}
