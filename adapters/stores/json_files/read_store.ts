import { join } from "node:path";
import { crc32Hex } from "../../../core/internal.ts";
import type { AccountBook } from "../../../core/mod.ts";
import { observationsOf } from "../price_state/observations.ts";
import type { PriceState } from "../price_state/price_state.ts";
import { findReplacedBefore, type ReplacedBefore } from "../price_state/replaced_records.ts";
import { readAccounts } from "./accounts.ts";
import { type FileSystem, nodeFileSystem } from "./file_system.ts";
import type { FileDamage } from "./log/damage.ts";
import { whileFilesStay } from "./log/log_base.ts";
import { demandManifest } from "./manifest.ts";
import { readPriceLog, readPrices } from "./price_log.ts";

// Backup, copy and verify always read the files. Other readers do so only if no server answers.
// Reading works even while a command writes: logs only grow, so the files look as they would after a crash.

/** The content of a store when it was read. */
export interface ReadStore {
  readonly storeId: string;
  readonly state: PriceState;
  readonly before: ReplacedBefore;
  readonly observations: ReturnType<typeof observationsOf>;
  readonly book: AccountBook;
  /** Unreadable places in the log of observations; the rest is in `observations`. */
  readonly damages: readonly FileDamage[];
}

/**
 * Reads a store without a lock, even while it is in use; with `withReplaced`, also the records that imports have
 * replaced. Throws a `StoreError` if there is no store. Without `isBackup`, also throws for a backup.
 */
export function readJsonFiles(
  directory: string,
  fs: FileSystem = nodeFileSystem,
  { isBackup = false, withReplaced = false }: { readonly isBackup?: boolean; readonly withReplaced?: boolean } = {},
): Promise<ReadStore> {
  const files = join(directory, "obs");
  return whileFilesStay(fs, files, async () => {
    const manifest = await demandManifest(fs, directory, isBackup);
    const { storeId, epoch } = manifest;
    const prices = { fs, directory: files, storeId, marks: manifest.highWater };
    const { state, read } = await readPrices(prices);
    const { damages, next } = read;
    const before: ReplacedBefore = withReplaced
      ? await findReplacedBefore(state, async (take) => {
          await readPriceLog(prices, (entry, sequence) => sequence < next && take(entry));
        })
      : new Map();
    const book = await readAccounts(fs, directory, manifest);
    const observations = observationsOf(state, (sequence) => versionName(epoch, damages, sequence));
    return { storeId, book, state, before, observations, damages };
  });
}

/** A version of observations. If part of the log is unreadable, no version equals a version of the complete log. */
export function versionName(epoch: string, damages: readonly FileDamage[], sequence: number): string {
  const suffix =
    damages.length === 0 ? "" : `.${crc32Hex(damages.map(({ file, offset }) => `${file}:${offset}`).join())}`;
  return `${epoch}.${sequence}${suffix}`;
}
