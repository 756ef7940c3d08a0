import { setTimeout as delay } from "node:timers/promises";
import type { AppendOutcome, ObservationWriter } from "../../../core/mod.ts";
import { HolderGone, connectToStore } from "../../json_files/mod.ts";
import type { StoreAccess } from "../../json_files/mod.ts";
import { CommandFailure, EXIT } from "../failure.ts";

/** Appends to a store through the process that holds it. */
export interface PatientStore extends Pick<ObservationWriter, "append" | "maxBatch"> {
  close(): Promise<void>;
}

/** What the store needs besides its directory. */
export interface PatientStoreOptions {
  /** Called with a line for people, when the waiting begins and when it ends. */
  note(line: string): void;
  /** Ends the waiting: an `append` that waits then rejects. */
  readonly stop: Promise<void>;
  /** Called once with the store, before the first append. What it throws ends the import. */
  check(access: StoreAccess): Promise<void>;
}

const PAUSE_MS = 250;
/** As many records as one message to the holder takes. */
const MAX_BATCH = 2_000;

/**
 * Makes the way to the store in `directory` through whichever process holds it, today's server and tomorrow's. It waits
 * for one as long as there is none, and never opens the store itself: a server that is restarted could not open it then.
 */
export function createPatientStore(directory: string, { note, stop, check }: PatientStoreOptions): PatientStore {
  let access: Awaited<ReturnType<typeof connectToStore>>;
  let isChecked = false;
  let isStopped = false;
  const stopped = stop.then(() => {
    isStopped = true;
    return undefined;
  });

  async function append(batch: Parameters<ObservationWriter["append"]>[0]): Promise<AppendOutcome> {
    for (let tries = 0; ; tries++) {
      try {
        access ??= await Promise.race([connectToStore(directory), stopped]);
        if (access) {
          if (!isChecked) await check(access);
          isChecked = true;
          if (tries > 0) note("Connected to the server; going on.");
          return await access.append(batch);
        }
      } catch (error) {
        // What was sent may be stored: appended again, it is unchanged.
        if (!(error instanceof HolderGone)) throw error;
        access = undefined;
      }
      if (isStopped) throw new CommandFailure(`No server serves "${directory}"`, EXIT.failed);
      if (tries === 0) note(`Waiting for a server on "${directory}". What was acknowledged is stored.`);
      await delay(PAUSE_MS);
    }
  }

  return {
    append,
    maxBatch: MAX_BATCH,
    async close() {
      await access?.close();
    },
  };
}
