import type { ClosableAccess } from "./lock/control_client.ts";
import { accessThrough, createSession } from "./session.ts";
import type { StoreSession } from "./session.ts";
import type { StoreAccess } from "./lock/control.ts";
import { openJsonFiles } from "./store.ts";
import type { JsonFileOptions } from "./store.ts";

/** How long a call waits while other processes take and release the directory. */
const WAIT_MS = 30_000;

/**
 * Access to the store in `directory` for a short task, such as adding a key: opens the store when it is free,
 * or connects to the process that holds it, where a change is then in force immediately. When that process
 * closes the store, calls that it has not carried out go to the next holder, or this process takes the store over.
 */
export async function connectOrOpen(directory: string, options: JsonFileOptions): Promise<ClosableAccess> {
  const session: StoreSession<StoreAccess> = createSession(directory, () => openAccess(directory, options), {
    ...{ giveUpAfterMs: WAIT_MS, leavesDoubt: true },
    ...(options.fs && { fs: options.fs }),
  });
  await session.use(async () => undefined);
  return { ...accessThrough(session.use), close: session.close };
}

/** Opens a store for callers to whom it does not matter which process holds it. */
export async function openAccess(directory: string, options: JsonFileOptions): Promise<ClosableAccess> {
  const { access, close } = await openJsonFiles(directory, options);
  return { ...access, close };
}
