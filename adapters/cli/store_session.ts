import { setTimeout as delay } from "node:timers/promises";
import { DirectoryInUse, HolderGone, connectToStore } from "../json_files/mod.ts";
import type { Holder, StoreAccess } from "../json_files/mod.ts";
import { CommandFailure, EXIT } from "./failure.ts";

/** The methods of `StoreAccess` that a command uses. */
export type Acts<Name extends keyof StoreAccess> = Pick<StoreAccess, Name>;

/** A store that this process has opened itself, or reaches through the process that holds its directory. */
export interface StoreSession<Name extends keyof StoreAccess> {
  /**
   * Calls a method of the store. When the process that holds the directory ends before it has answered, the
   * method is called again on the store as it can then be reached. It must be safe to call twice, as all
   * methods of `StoreAccess` are.
   */
  use<Value>(act: (access: Acts<Name>) => Promise<Value>): Promise<Value>;
  close(): Promise<void>;
}

/** How a command waits for another process. */
export interface Waiting {
  /** Called once, after a second, with a line that names the other process. */
  readonly note: (line: string) => void;
  /** Time after which the command fails. Default: a minute, in which even a large store has been opened. */
  readonly giveUpAfterMs?: number;
}

interface Closable {
  close(): Promise<void>;
}

const NOTE_AFTER_MS = 1_000;
const GIVE_UP_AFTER_MS = 60_000;
const MAX_PAUSE_MS = 250;

/** Makes a session with the store in `directory`. On first use, `open` opens the store unless another process holds it. */
export function createSession<Name extends keyof StoreAccess>(
  directory: string,
  open: () => Promise<Acts<Name> & Closable>,
  waiting: Waiting,
): StoreSession<Name> {
  let access: (Acts<Name> & Closable) | undefined;
  /** The process through which the store is reached; `undefined` when this one has opened it. */
  let holder: Holder | undefined;

  async function reach(patience: Patience): Promise<(Acts<Name> & Closable) | undefined> {
    try {
      const opened = await open();
      holder = undefined;
      return opened;
    } catch (error) {
      if (!(error instanceof DirectoryInUse)) throw error;
      holder = error.holder;
      return patience.waitFor(holder, connectToStore(directory));
    }
  }

  return {
    use: (act) =>
      withPatience(directory, waiting, async (patience) => {
        for (;;) {
          access ??= await reach(patience);
          try {
            if (access) return await (holder ? patience.waitFor(holder, act(access)) : act(access));
          } catch (error) {
            if (!(error instanceof HolderGone)) throw error;
            access = undefined;
          }
          await patience.pause(holder);
        }
      }),
    async close() {
      await access?.close();
    },
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

interface Patience {
  /** Waits for the answer of the process that holds the directory. Rejects when that takes too long. */
  waitFor<Value>(holder: Holder, answer: Promise<Value>): Promise<Value>;
  /**
   * Pauses before the next try. Throws when the time is up.
   *
   * @param isWorking Whether the process has answered, and only has not finished yet.
   */
  pause(holder: Holder | undefined, isWorking?: boolean): Promise<void>;
}

async function withPatience<Value>(
  directory: string,
  { note, giveUpAfterMs = GIVE_UP_AFTER_MS }: Waiting,
  act: (patience: Patience) => Promise<Value>,
): Promise<Value> {
  const since = performance.now();
  let awaited: Holder | undefined;
  /** The process that has ended a connection before it answered, or that is working. */
  let endedBy: number | undefined;
  let working: number | undefined;
  let pauseMs = 5;
  let giveUp: () => void = () => undefined;
  const over = new Promise<void>((resolve) => (giveUp = resolve));
  const timers = [
    setTimeout(() => awaited && note(`Waiting for ${inWords(awaited)}, which holds "${directory}", for at most ${giveUpAfterMs / 1_000} seconds.`), NOTE_AFTER_MS),
    setTimeout(() => giveUp(), giveUpAfterMs),
  ];

  function failed(holder: Holder): CommandFailure {
    const problem =
      holder.pid === working
        ? `has not finished its work for ${giveUpAfterMs / 1_000} seconds; try again when it has`
      : holder.pid === endedBy
        ? "ends every connection; it may have no file descriptor left"
        : `has not answered for ${giveUpAfterMs / 1_000} seconds; what was asked may or may not be done`;
    return new CommandFailure(`"${directory}" is held by ${inWords(holder)}, which ${problem}`, EXIT.inUse);
  }

  try {
    return await act({
      async waitFor(holder, answer) {
        awaited = holder;
        const tooLong = over.then(() => {
          throw failed(holder);
        });
        return Promise.race([answer, tooLong]);
      },
      async pause(holder, isWorking = false) {
        awaited = holder;
        working = isWorking ? holder?.pid : undefined;
        endedBy = holder?.pid;
        if (holder && performance.now() - since >= giveUpAfterMs) throw failed(holder);
        // Random, so that commands which wait for the same process do not all try at the same moment.
        await delay(pauseMs * (0.5 + Math.random()));
        pauseMs = Math.min(pauseMs * 1.5, MAX_PAUSE_MS);
      },
    });
  } finally {
    for (const timer of timers) clearTimeout(timer);
  }
}

function inWords({ pid, host }: Holder): string {
  return `process ${pid} on host "${host}"`;
}
