import { setTimeout as delay } from "node:timers/promises";
import { DirectoryInUse, HolderGone, connectToStore } from "../json_files/mod.ts";
import type { Holder, StoreAccess } from "../json_files/mod.ts";
import { CommandFailure, EXIT } from "./failure.ts";

/** What a command does with a store: each name is one act of `StoreAccess`. */
export type Acts<Name extends keyof StoreAccess> = Pick<StoreAccess, Name>;

/** A store that this process opens, or reaches through the process that holds its directory. */
export interface StoreSession<Name extends keyof StoreAccess> {
  /**
   * Does an act. When the process that holds the directory goes meanwhile, it is done again, by another
   * process or this one: so it must be an act that may be done twice, as all of `StoreAccess` are.
   */
  use<Value>(act: (access: Acts<Name>) => Promise<Value>): Promise<Value>;
  close(): Promise<void>;
}

/** How a command waits for another process. */
export interface Waiting {
  /** Told once, after a second, for whom. */
  readonly note: (line: string) => void;
  /** After which time without an answer the command fails. Default: a minute, in which a large store is opened. */
  readonly giveUpAfterMs?: number;
}

interface Closable {
  close(): Promise<void>;
}

const NOTE_AFTER_MS = 1_000;
const GIVE_UP_AFTER_MS = 60_000;
const MAX_PAUSE_MS = 250;

/** Makes a session with the store in `directory`; `open` opens it where it is free, when it is first used. */
export function createSession<Name extends keyof StoreAccess>(
  directory: string,
  open: () => Promise<Acts<Name> & Closable>,
  waiting: Waiting,
): StoreSession<Name> {
  let access: (Acts<Name> & Closable) | undefined;
  /** The process through which the store is reached, where it is not this one. */
  let holder: Holder | undefined;

  async function reach(): Promise<(Acts<Name> & Closable) | undefined> {
    try {
      const opened = await open();
      holder = undefined;
      return opened;
    } catch (error) {
      if (!(error instanceof DirectoryInUse)) throw error;
      holder = error.holder;
      return connectToStore(directory);
    }
  }

  return {
    use: (act) =>
      withPatience(directory, waiting, async (patience) => {
        for (;;) {
          access ??= await reach();
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
 * Does `take`, which opens the store in `directory`. While a command holds it that only changes accounts,
 * which takes a moment, that is waited for; any other holder is an error.
 */
export function takeDirectory<Value>(directory: string, take: () => Promise<Value>, waiting: Waiting): Promise<Value> {
  return withPatience(directory, waiting, async (patience) => {
    for (;;) {
      try {
        return await take();
      } catch (error) {
        if (!(error instanceof DirectoryInUse)) throw error;
        const access = await connectToStore(directory);
        try {
          // Whoever answers holds the whole store, and for long.
          if (access && (await patience.waitFor(error.holder, access.info()))) throw error;
        } catch (gone) {
          if (!(gone instanceof HolderGone)) throw gone;
        } finally {
          await access?.close();
        }
        await patience.pause(error.holder);
      }
    }
  });
}

interface Patience {
  /** The outcome of what the holder was asked. Rejects when that takes too long. */
  waitFor<Value>(holder: Holder, answer: Promise<Value>): Promise<Value>;
  /** Lets some time pass before the next try. Throws when there were tries for too long. */
  pause(holder: Holder | undefined): Promise<void>;
}

async function withPatience<Value>(
  directory: string,
  { note, giveUpAfterMs = GIVE_UP_AFTER_MS }: Waiting,
  act: (patience: Patience) => Promise<Value>,
): Promise<Value> {
  const since = performance.now();
  let awaited: Holder | undefined;
  let pauseMs = 5;
  let giveUp: () => void = () => undefined;
  const over = new Promise<void>((resolve) => (giveUp = resolve));
  const timers = [
    setTimeout(() => awaited && note(`Waiting for ${inWords(awaited)}, which holds "${directory}".`), NOTE_AFTER_MS),
    setTimeout(() => giveUp(), giveUpAfterMs),
  ];
  const failed = (holder: Holder, what: string): CommandFailure =>
    new CommandFailure(`"${directory}" is held by ${inWords(holder)}, which ${what}`, EXIT.inUse);

  try {
    return await act({
      async waitFor(holder, answer) {
        awaited = holder;
        const tooLong = over.then(() => {
          throw failed(holder, `has not answered for ${giveUpAfterMs / 1_000} seconds; what was asked may or may not be done`);
        });
        return Promise.race([answer, tooLong]);
      },
      async pause(holder) {
        awaited = holder;
        if (holder && performance.now() - since >= giveUpAfterMs) {
          throw failed(holder, "ends every connection; it may have no file descriptor left");
        }
        // At random, so that many commands which wait for the same one do not all try at the same moment.
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
