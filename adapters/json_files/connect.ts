import { DirectoryInUse } from "./errors.ts";
import { nodeFileSystem } from "./fs.ts";
import { connectControl } from "./lock/control.ts";
import type { StoreAccess } from "./lock/control.ts";
import { connectToHolder } from "./lock/lock.ts";
import { openJsonFiles } from "./store.ts";
import type { JsonFileOptions } from "./store.ts";

const TRIES = 20;

/** Access to the store in `directory` through the process that holds it; `undefined` when none does. */
export async function connectToStore(directory: string, fs = nodeFileSystem): Promise<(StoreAccess & { close(): Promise<void> }) | undefined> {
  const socket = await connectToHolder(fs, directory);
  return socket && connectControl(socket);
}

/**
 * Access to the store in `directory` for a short task, such as adding a key: opens the store when it is free,
 * or connects to the process that holds it, where a change is then in force immediately.
 */
export async function connectOrOpen(directory: string, options: JsonFileOptions): Promise<StoreAccess & { close(): Promise<void> }> {
  for (let tries = 1; ; tries++) {
    try {
      const store = await openJsonFiles(directory, options);
      return { ...store.access, close: store.close };
    } catch (error) {
      if (!(error instanceof DirectoryInUse)) throw error;
      const access = await connectToStore(directory, options.fs);
      if (access) return access;
      // The holder has ended meanwhile.
      if (tries === TRIES) throw error;
    }
  }
}
