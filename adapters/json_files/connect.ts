import { setTimeout as delay } from "node:timers/promises";
import { DirectoryInUse, HolderLeft } from "./errors.ts";
import { importsThrough } from "./imports/requests.ts";
import type { StoreAccess } from "./lock/control.ts";
import { connectToStore } from "./lock/control_client.ts";
import type { ClosableAccess } from "./lock/control_client.ts";
import { openJsonFiles } from "./store.ts";
import type { JsonFileOptions } from "./store.ts";

/** How long a call waits while other processes take and release the directory. */
const WAIT_MS = 30_000;
const PAUSE_MS = 20;

/**
 * Access to the store in `directory` for a short task, such as adding a key: opens the store when it is free,
 * or connects to the process that holds it, where a change is then in force immediately. When that process
 * closes the store, calls that it has not carried out go to the next holder, or this process takes the store over.
 */
export async function connectOrOpen(directory: string, options: JsonFileOptions): Promise<ClosableAccess> {
  let current = attach(directory, options);
  await current;

  async function run<T>(call: (store: StoreAccess) => Promise<T>): Promise<T> {
    const deadline = performance.now() + WAIT_MS;
    for (;;) {
      const used = current;
      try {
        return await call(await used);
      } catch (error) {
        if (!(error instanceof HolderLeft) || performance.now() > deadline) throw error;
        if (current === used) current = attach(directory, options);
      }
    }
  }

  return {
    append: (batch) => run((store) => store.append(batch)),
    removeProvider: (provider) => run((store) => store.removeProvider(provider)),
    coverage: (codes) => run((store) => store.coverage(codes)),
    book: () => run((store) => store.book()),
    update: (changes) => run((store) => store.update(changes)),
    used: (account, day) => run((store) => store.used(account, day)),
    usage: () => run((store) => store.usage()),
    info: () => run((store) => store.info()),
    status: () => run((store) => store.status()),
    compact: () => run((store) => store.compact()),
    pointInTime: () => run((store) => store.pointInTime()),
    imports: importsThrough(run),
    close: () => current.then((store) => store.close(), () => {}),
  };
}

async function attach(directory: string, options: JsonFileOptions): Promise<ClosableAccess> {
  for (const deadline = performance.now() + WAIT_MS; ; ) {
    try {
      const store = await openJsonFiles(directory, options);
      return { ...store.access, close: store.close };
    } catch (error) {
      if (!(error instanceof DirectoryInUse)) throw error;
      const holder = await connectToStore(directory, options.fs);
      if (holder) return holder;
      // The holder is releasing the directory, or could not open the store.
      if (performance.now() > deadline) throw error;
      await delay(Math.random() * PAUSE_MS);
    }
  }
}
