import { setTimeout as delay } from "node:timers/promises";
import { inTime } from "../shared/answer_in_time.ts";
import { StoreError } from "../shared/store_error.ts";
import { DirectoryInUse, type Owner, OwnerGone } from "./errors.ts";
import { type FileSystem, nodeFileSystem } from "./file_system.ts";
import { connectToStore } from "./lock/control_server.ts";
import { accessThrough, callMethod, type FullAccess, type OpenAccess } from "./lock/store_access.ts";
import { type JsonFileOptions, openJsonFiles, withAccounts } from "./store.ts";

// Whoever wants to work with a store either owns its directory or asks the process that does. Where neither works just
// now, as that process is about to end, or opens the store, it is tried again for a minute.

/** How a command waits for another process. */
export interface OpenWait {
  /** Called once, after a second, with a line that names the other process. Default: no line. */
  readonly note?: (line: string) => void;
}

/** A store as it can be reached just now. */
interface Reached extends FullAccess {
  /** The process through which it is reached; absent when this one has opened it. */
  readonly owner?: Owner;
}

const NOTE_AFTER_MS = 1_000;
/** Time after which a command fails. Even a large store has been opened in it. */
const GIVE_UP_AFTER_MS = 60_000;
const MAX_PAUSE_MS = 250;
/** How long an owner may take for an answer that a reader can do without. */
const ANSWER_MS = 10_000;
const IN_USE = 69;

/** Limits how long another process is waited for; to be given what it is asked for. */
type Limit = <Value>(owner: Owner, answer: Promise<Value>) => Promise<Value>;

/**
 * Access to the store in `directory`: on first use, opens it when it is free, or connects to the process that owns it, where a
 * change is then in force at once. When that process ends, calls that it has not answered go to the next owner, or this
 * process takes the store over.
 */
export function sessionWith(directory: string, options: JsonFileOptions, { note }: OpenWait = {}): FullAccess {
  /** One for all calls at a time, so that this process never opens the store twice. */
  let current: Promise<Reached> | undefined;
  let last: Reached | undefined;
  let isNoted = false;
  const waiting: OpenWait = {
    note(text) {
      // Once, as an undo is asked for again and again.
      if (!isNoted) note?.(text);
      isNoted = true;
    },
  };

  async function reach(limit: Limit): Promise<Reached> {
    try {
      const { access, close } = await openJsonFiles(directory, options);
      return { ...access, close };
    } catch (error) {
      if (!(error instanceof DirectoryInUse)) throw error;
      const access = await limit(error.owner, connectToStore(directory, options.fs));
      if (!access) throw error; // It is releasing the directory, or could not open the store.
      return { ...access, owner: error.owner };
    }
  }

  const access = accessThrough((method, args) =>
    patiently(directory, waiting, async (limit) => {
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
      // A way to the store that is still sought is not waited for: whoever was interrupted wants to end.
      current?.then((reached) => reached.close()).catch(() => undefined);
      await last?.close();
    },
  };
}

/** The same, once the store has been reached for the first time. */
export async function connectOrOpen(directory: string, options: JsonFileOptions): Promise<FullAccess> {
  const access = sessionWith(directory, options);
  await access.info();
  return access;
}

/**
 * Calls `take`, which opens the store in `directory`. Waits while the directory is in use by a command; where a server has it,
 * the error of `take` is thrown at once.
 */
export function takeDirectory<Value>(directory: string, take: () => Promise<Value>, waiting: OpenWait): Promise<Value> {
  return patiently(directory, waiting, async (limit) => {
    try {
      return { value: await take() };
    } catch (error) {
      if (!(error instanceof DirectoryInUse)) throw error;
      // A server says what it does, and keeps the directory for long; a command, such as an import, says nothing.
      if (
        (await limit(
          error.owner,
          askOwner(directory, (store) => store.status()),
        )) !== undefined
      )
        throw error;
      return undefined;
    }
  });
}

/**
 * Access to the server that holds the directory; `undefined` where none answers, be it stopped, of another version or of another
 * user: then the files are read. A command, such as an import, holds it for a short time, and is not asked.
 */
export async function connectToServer(directory: string): Promise<FullAccess | undefined> {
  const connecting = connectToStore(directory).then(async (owner) => {
    if ((await owner?.status().catch(() => undefined)) !== undefined) return owner;
    return owner?.close().then(() => undefined);
  });
  return inTime(connecting, ANSWER_MS, () => undefined).catch(() => undefined);
}

/** Asks the process that owns the directory; `undefined` where there is none, or it ends before it answers. */
export async function askOwner<Value>(
  directory: string,
  ask: (store: OpenAccess) => Promise<Value>,
  fs: FileSystem = nodeFileSystem,
): Promise<Value | undefined> {
  const owner = await connectToStore(directory, fs);
  if (!owner) return undefined;
  try {
    return await inTime(ask(owner), ANSWER_MS, () => {
      throw new StoreError(
        `The process that has "${directory}" in use has not answered for ${ANSWER_MS / 1_000} seconds`,
        IN_USE,
      );
    });
  } catch (error) {
    if (error instanceof OwnerGone) return undefined;
    throw error;
  } finally {
    await owner.close();
  }
}

/** Calls `attempt` until it resolves to a value. Fails when the time is up in which another process has the directory. */
async function patiently<Value>(
  directory: string,
  { note = () => undefined }: OpenWait,
  attempt: (limit: Limit) => Promise<{ readonly value: Value } | undefined>,
): Promise<Value> {
  const seconds = GIVE_UP_AFTER_MS / 1_000;
  let awaited = "";
  const noting = setTimeout(() => {
    if (awaited) note(`Waiting for ${awaited}, which has "${directory}" in use, for at most ${seconds} seconds.`);
  }, NOTE_AFTER_MS);
  let giveUp: () => void = () => undefined;
  const over = new Promise<void>((resolve) => (giveUp = resolve)).then(() => {
    const message = `"${directory}" is in use by ${awaited}, which has not answered or ended for ${seconds} seconds; what was asked of it may or may not be done`;
    throw new StoreError(message, IN_USE);
  });
  const givingUp = setTimeout(giveUp, GIVE_UP_AFTER_MS);
  over.catch(() => undefined); // While this process opens the store itself, nobody waits for it.
  try {
    for (let pauseMs = 5; ; pauseMs = Math.min(pauseMs * 1.5, MAX_PAUSE_MS)) {
      const done = await attempt((owner, answer) => {
        awaited = `process ${owner.pid} on host "${owner.host}"`;
        return Promise.race([answer, over]);
      });
      if (done) return done.value;
      // Random, so that commands which wait for the same process do not all try at the same moment.
      await Promise.race([delay(pauseMs * (0.5 + Math.random())), over]);
    }
  } finally {
    clearTimeout(noting);
    clearTimeout(givingUp);
  }
}
