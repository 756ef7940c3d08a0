import { setTimeout as delay } from "node:timers/promises";
import type { ObservationWriter } from "../../../core/mod.ts";
import type { Engine, StoreAccess } from "../../stores/shared/engine.ts";
import type { ImportAccess } from "../../stores/shared/imports.ts";
import { ConnectionLost } from "../../stores/shared/store_error.ts";
import { CommandFailure, EXIT } from "../command_failure.ts";

/** Appends to a store through the server that has it open, and looks into it. */
export interface PatientStore extends Pick<ObservationWriter, "append" | "maxBatch">, Pick<ImportAccess, "around"> {
  close(): Promise<void>;
}

/** What the store needs besides its engine. */
export interface PatientStoreOptions {
  /** Called with a line for people, when the waiting begins and when it ends. */
  note(line: string): void;
  /** Ends the waiting: a call that waits then rejects. */
  readonly stop: Promise<void>;
}

const PAUSE_MS = 250;
/** As many records as one message to a server takes. */
const MAX_BATCH = 2_000;

/**
 * Makes the way to a store through whichever server has it open, today's and tomorrow's. It waits for one as long as there
 * is none, and never opens the store itself: a server that is restarted could not open it then.
 */
export function createRetryingStore(
  { name, connect }: Pick<Engine, "name" | "connect">,
  { note, stop }: PatientStoreOptions,
): PatientStore {
  let reached: StoreAccess | undefined;
  let isStopped = false;
  const stopped = stop.then(() => {
    isStopped = true;
    return undefined;
  });

  async function patiently<T>(use: (store: StoreAccess) => T | Promise<T>): Promise<T> {
    for (let tries = 0; ; tries++) {
      let reason = "";
      try {
        reached ??= await Promise.race([connect(), stopped]);
        if (reached) {
          if (tries > 0) note("Connected to the server; going on.");
          return await use(reached);
        }
      } catch (error) {
        // What was sent may be stored: appended again, it is unchanged.
        if (!(error instanceof ConnectionLost)) throw error;
        if (error.cause instanceof Error) reason = `: ${error.cause.message}`;
        reached?.close().catch(() => undefined); // What is lost may not even close.
        reached = undefined;
      }
      if (isStopped) throw new CommandFailure(`No server serves "${name}"`, EXIT.failed);
      if (tries === 0) note(`Waiting for a server on "${name}"${reason}. What was acknowledged is stored.`);
      await delay(PAUSE_MS);
    }
  }

  return {
    append: (batch) => patiently(({ append }) => append(batch, "import")),
    around: (keys) => patiently(({ imports }) => imports.around(keys)),
    maxBatch: MAX_BATCH,
    async close() {
      await reached?.close();
    },
  };
}
