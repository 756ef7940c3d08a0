import { DirectoryInUse, HolderGone, HolderLeft } from "./errors.ts";
import type { Holder } from "./errors.ts";
import { nodeFileSystem } from "./fs.ts";
import type { FileSystem } from "./fs.ts";
import { importsThrough } from "./imports/requests.ts";
import type { StoreAccess } from "./lock/control.ts";
import { connectToStore } from "./lock/control_client.ts";
import { withPatience } from "./patience.ts";
import type { Patience, Waiting } from "./patience.ts";

/** A store that this process has opened itself, or reaches through the process that holds its directory. */
export interface StoreSession<Access> {
  /**
   * Calls a method of the store. When the process that holds the directory ends before it has answered, the
   * method is called again on the store as it can then be reached. It must be safe to call twice, as all
   * methods of `StoreAccess` are.
   */
  use<Value>(work: (access: Access) => Promise<Value>): Promise<Value>;
  close(): Promise<void>;
}

/** How a session waits for other processes. */
export interface SessionOptions extends Waiting {
  /**
   * Whether the caller decides what becomes of a call whose answer was lost, and may wait for an answer without a limit.
   * Only what was surely not carried out is then called again. Default: false.
   */
  readonly leavesDoubt?: boolean;
  /** Default: this machine's. */
  readonly fs?: FileSystem;
}

interface Closable {
  close(): Promise<void>;
}

/** A store as it can be reached just now. */
interface Reached<Access> {
  readonly access: Access & Closable;
  /** The process through which it is reached; `undefined` when this one has opened it. */
  readonly holder: Holder | undefined;
}

/** Makes a session with the store in `directory`. On first use, `open` opens the store unless another process holds it. */
export function createSession<Access extends Partial<StoreAccess>>(
  directory: string,
  open: () => Promise<Access & Closable>,
  { leavesDoubt = false, fs = nodeFileSystem, ...waiting }: SessionOptions,
): StoreSession<Access> {
  let current: Promise<Reached<Access>> | undefined;
  let last: Reached<Access> | undefined;

  async function reach(patience: Patience): Promise<Reached<Access>> {
    for (;;) {
      try {
        return { access: await open(), holder: undefined };
      } catch (error) {
        if (!(error instanceof DirectoryInUse)) throw error;
        const { holder } = error;
        try {
          const access = await patience.waitFor(holder, connectToStore(directory, fs));
          if (access) return { access: access as StoreAccess as Access & Closable, holder };
        } catch (gone) {
          if (!(gone instanceof HolderGone)) throw gone;
        }
        // It is releasing the directory, or could not open the store.
        await patience.pause(holder);
      }
    }
  }

  /** One for all calls at a time, so that this process never opens the store twice. */
  function reached(patience: Patience): Promise<Reached<Access>> {
    const reaching = (current ??= reach(patience));
    reaching.catch(() => {
      if (current === reaching) current = undefined;
    });
    return reaching;
  }

  return {
    use: (imported) =>
      withPatience(directory, waiting, async (patience) => {
        for (;;) {
          const reaching = reached(patience);
          const { access, holder } = (last = await reaching);
          try {
            return await (holder && !leavesDoubt ? patience.waitFor(holder, imported(access)) : imported(access));
          } catch (error) {
            if (!(leavesDoubt ? error instanceof HolderLeft : error instanceof HolderGone)) throw error;
            if (current === reaching) current = undefined;
          }
          await patience.pause(holder);
        }
      }),
    async close() {
      // A way to the store that is still sought is not waited for: whoever was interrupted wants to end.
      current?.then(({ access }) => access.close()).catch(() => undefined);
      await last?.access.close();
    },
  };
}

/** All methods of a store, each of which finds it anew, as the process that holds it may change. */
export function accessThrough(use: StoreSession<StoreAccess>["use"]): StoreAccess {
  return {
    append: (batch) => use((store) => store.append(batch)),
    removeProvider: (provider) => use((store) => store.removeProvider(provider)),
    coverage: (codes) => use((store) => store.coverage(codes)),
    book: () => use((store) => store.book()),
    update: (changes) => use((store) => store.update(changes)),
    used: (account, day) => use((store) => store.used(account, day)),
    usage: () => use((store) => store.usage()),
    info: () => use((store) => store.info()),
    status: () => use((store) => store.status()),
    compact: () => use((store) => store.compact()),
    pointInTime: () => use((store) => store.pointInTime()),
    imports: importsThrough(use),
  };
}

/**
 * Calls `take`, which opens the store in `directory`. Waits while the directory is held by a command, for as long as
 * `waiting` says; where a server holds it, the error of `take` is thrown at once.
 */
export function takeDirectory<Value>(directory: string, take: () => Promise<Value>, waiting: Waiting): Promise<Value> {
  return withPatience(directory, waiting, async (patience) => {
    for (;;) {
      try {
        return await take();
      } catch (error) {
        if (!(error instanceof DirectoryInUse)) throw error;
        const access = await patience.waitFor(error.holder, connectToStore(directory));
        let isWorking = false;
        try {
          // A server says what it does, and holds the directory for long; a command, such as an import, says nothing.
          if (access && (await patience.waitFor(error.holder, access.status())) !== undefined) throw error;
          isWorking = access !== undefined;
        } catch (gone) {
          if (!(gone instanceof HolderGone)) throw gone;
        } finally {
          await access?.close();
        }
        await patience.pause(error.holder, isWorking);
      }
    }
  });
}
