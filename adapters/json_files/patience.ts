import { setTimeout as delay } from "node:timers/promises";
import { StoreError } from "../store/store_error.ts";
import type { Holder } from "./errors.ts";

/** How a command waits for another process. */
export interface Waiting {
  /** Called once, after a second, with a line that names the other process. Default: nobody is told. */
  readonly note?: (line: string) => void;
  /** Time after which the command fails. Default: a minute, in which even a large store has been opened. */
  readonly giveUpAfterMs?: number;
}

/** The patience of one call. */
export interface Patience {
  /** Waits for the answer of the process that holds the directory. Rejects when that takes too long. */
  waitFor<Value>(holder: Holder, answer: Promise<Value>): Promise<Value>;
  /**
   * Pauses before the next try. Throws when the time is up.
   *
   * @param isWorking Whether the process has answered, and only has not finished yet.
   */
  pause(holder: Holder | undefined, isWorking?: boolean): Promise<void>;
}

const NOTE_AFTER_MS = 1_000;
const GIVE_UP_AFTER_MS = 60_000;
const MAX_PAUSE_MS = 250;
const IN_USE = 69;

/** Runs `work`, which waits for whoever holds `directory`, for as long as `waiting` says. */
export async function withPatience<Value>(
  directory: string,
  { note = () => undefined, giveUpAfterMs = GIVE_UP_AFTER_MS }: Waiting,
  work: (patience: Patience) => Promise<Value>,
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

  function failed(holder: Holder): StoreError {
    const problem =
      holder.pid === working
        ? `has not finished its work for ${giveUpAfterMs / 1_000} seconds; try again when it has`
      : holder.pid === endedBy
        ? "ends every connection; it may have no file descriptor left"
        : `has not answered for ${giveUpAfterMs / 1_000} seconds; what was asked may or may not be done`;
    return new StoreError(`"${directory}" is held by ${inWords(holder)}, which ${problem}`, IN_USE);
  }

  try {
    return await work({
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
