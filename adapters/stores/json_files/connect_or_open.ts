import { setTimeout as delay } from "node:timers/promises";
import { inTime } from "../shared/answer_in_time.ts";
import { StoreError } from "../shared/store_error.ts";
import { DirectoryInUse, type Owner, OwnerGone } from "./errors.ts";
import { type FileSystem, nodeFileSystem } from "./file_system.ts";
import { connectToStore } from "./lock/control_server.ts";
import { accessThrough, callMethod, type FullAccess, type OpenAccess } from "./lock/store_access.ts";
import { type JsonFileOptions, openJsonFiles, withAccounts } from "./store.ts";

// A process that uses a store either owns the store's directory or sends its calls to the owner.
// If neither works, because the owner is ending or is still opening the store, the process tries again for a minute.

/** Called after a second of waiting for another process, with a line that names that process. */
export type NoteWait = (line: string) => void;

interface Reached extends FullAccess {
  /** The process that owns the store; absent if this process has opened it. */
  readonly owner?: Owner;
}

const NOTE_AFTER_MS = 1_000;
/** A command gives up after this time. Opening a store takes less time, even if the store is large. */
const GIVE_UP_AFTER_MS = 60_000;
const MAX_PAUSE_MS = 250;
/** How long a reader waits for an optional answer from the owner. */
const ANSWER_MS = 10_000;
const IN_USE = 69;

/** The longest wait for an answer from another process. */
type Limit = <Value>(owner: Owner, answer: Promise<Value>) => Promise<Value>;

/**
 * Access to the store in `directory`. The first call opens the store if it is free. Otherwise the call connects to the
 * owner, where changes take effect at once. If the owner ends, unanswered calls go to the next owner. If there is no
 * other owner, this process opens the store.
 */
export function sessionWith(directory: string, options: JsonFileOptions, note?: NoteWait): FullAccess {
  /** Shared by all calls, so that this process never opens the store twice. */
  let current: Promise<Reached> | undefined;
  let last: Reached | undefined;
  let isNoted = false;
  function noteOnce(line: string): void {
    // Only the first wait is reported, because an undo makes many calls, and each of them may wait.
    if (!isNoted) note?.(line);
    isNoted = true;
  }

  async function reach(limit: Limit): Promise<Reached> {
    try {
      const { access, close } = await openJsonFiles(directory, options);
      return { ...access, close };
    } catch (error) {
      if (!(error instanceof DirectoryInUse)) throw error;
      const access = await limit(error.owner, connectToStore(directory, options.fs));
      if (!access) throw error; // The owner is about to release the directory, or could not open the store.
      return { ...access, owner: error.owner };
    }
  }

  const access = accessThrough((method, args) =>
    patiently(directory, noteOnce, async (limit) => {
      if (!current && (method === "book" || method === "update")) {
        const book = await withAccounts(directory, options, async (accounts) => accounts[method](args[0] as never));
        if (book) return { value: book };
      }
      const reaching = (current ??= reach(limit));
      let reached: Reached | undefined;
      try {
        last = reached = await reaching;
        const answer = callMethod(reached, method, args);
        return { value: await (reached.owner ? limit(reached.owner, answer) : answer) };
      } catch (error) {
        if (current === reaching && (!reached || error instanceof OwnerGone)) current = undefined;
        if (!(error instanceof OwnerGone || error instanceof DirectoryInUse)) throw error;
        return undefined;
      }
    }),
  );
  return {
    ...access,
    async close() {
      // Does not wait for an opening or a connection in progress, because an interrupted command should end.
      current?.then((reached) => reached.close()).catch(() => undefined);
      await last?.close();
    },
  };
}

/** Access to a store that has been opened or connected to. */
export async function connectOrOpen(directory: string, options: JsonFileOptions): Promise<FullAccess> {
  const access = sessionWith(directory, options);
  await access.info();
  return access;
}

/** Opens the store with `take`. Waits while a command uses the directory, but throws at once if a server uses it. */
export function takeDirectory<Value>(directory: string, take: () => Promise<Value>, note: NoteWait): Promise<Value> {
  return patiently(directory, note, async (limit) => {
    try {
      return { value: await take() };
    } catch (error) {
      if (!(error instanceof DirectoryInUse)) throw error;
      // Only a server reports a status. A server keeps the directory for a long time, a command only briefly.
      const asking = askOwner(directory, (store) => store.status());
      if ((await limit(error.owner, asking)) !== undefined) throw error;
      return undefined;
    }
  });
}

/** Access to the server that owns the directory, or `undefined` if no server answers. Sends nothing to a command. */
export async function connectToServer(directory: string): Promise<FullAccess | undefined> {
  const connecting = connectToStore(directory).then(async (owner) => {
    if ((await owner?.status().catch(() => undefined)) !== undefined) return owner;
    return owner?.close().then(() => undefined);
  });
  return inTime(connecting, ANSWER_MS, () => undefined).catch(() => undefined);
}

/** Calls `ask` with the owner's store; returns `undefined` without an owner, or if the owner ends before it answers. */
export async function askOwner<Value>(
  directory: string,
  ask: (store: OpenAccess) => Promise<Value>,
  fs: FileSystem = nodeFileSystem,
): Promise<Value | undefined> {
  const owner = await connectToStore(directory, fs);
  if (!owner) return undefined;
  try {
    return await inTime(ask(owner), ANSWER_MS, () => {
      const message = `The process that has "${directory}" in use has not answered for ${ANSWER_MS / 1_000} seconds`;
      throw new StoreError(message, IN_USE);
    });
  } catch (error) {
    if (error instanceof OwnerGone) return undefined;
    throw error;
  } finally {
    await owner.close();
  }
}

/** Calls `attempt` until it resolves to a value. Fails if another process keeps the directory for too long. */
async function patiently<Value>(
  directory: string,
  note: NoteWait,
  attempt: (limit: Limit) => Promise<{ readonly value: Value } | undefined>,
): Promise<Value> {
  const seconds = GIVE_UP_AFTER_MS / 1_000;
  let awaited = "";
  const noting = setTimeout(() => {
    if (awaited) note(`Waiting for ${awaited}, which has "${directory}" in use, for at most ${seconds} seconds.`);
  }, NOTE_AFTER_MS);
  const end = performance.now() + GIVE_UP_AFTER_MS;
  const giveUp = (): never => {
    const message = `"${directory}" is in use by ${awaited}, which has neither answered nor ended for ${seconds} seconds; the last request may or may not have been carried out`;
    throw new StoreError(message, IN_USE);
  };
  try {
    for (let pauseMs = 5; ; pauseMs = Math.min(pauseMs * 1.5, MAX_PAUSE_MS)) {
      const done = await attempt((owner, answer) => {
        awaited = `process ${owner.pid} on host "${owner.host}"`;
        return inTime(answer, end - performance.now(), giveUp);
      });
      if (done) return done.value;
      if (performance.now() > end) giveUp();
      // Random, so that several waiting commands do not all try at the same moment.
      await delay(pauseMs * (0.5 + Math.random()));
    }
  } finally {
    clearTimeout(noting);
  }
}
