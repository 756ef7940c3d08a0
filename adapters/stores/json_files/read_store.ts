import { join } from "node:path";
import { crc32Hex, createVersionNames } from "../../../core/internal.ts";
import { type AccountBook, EMPTY_BOOK, type Observations } from "../../../core/mod.ts";
import { ACCOUNTS, readAccounts } from "./accounts.ts";
import { type FileSystem, nodeFileSystem } from "./file_system.ts";
import type { FileDamage } from "./log/damage.ts";
import { OBSERVATIONS, whileFilesStay } from "./log/log_base.ts";
import { readLog } from "./log/read_log.ts";
import type { MarketLine } from "./log/removal_line.ts";
import { demandManifest, type Manifest } from "./manifest.ts";
import { marketReader, marketSide, type ObservationLog } from "./observation_log.ts";

// A process that only reads reads the files themselves, also while another one owns the directory: its work must not slow
// the server down. Logs only grow, so the files at any moment are what a crash at that moment would leave, and hold
// everything that was acknowledged before.

/** The content of a store when it was read. */
export interface ReadStore {
  readonly storeId: string;
  readonly observations: Observations & Pick<ObservationLog, "find" | "around" | "records" | "size" | "pending">;
  readonly book: AccountBook;
  /** Places in the log of observations that could not be read; the rest is in `observations`. */
  readonly damages: readonly FileDamage[];
  /** Incomplete writes at the end of that log: a crash left them, or another process is writing just now. */
  readonly torn: readonly FileDamage[];
  readonly manifest: Manifest;
}

/** How a store is read. */
export interface ReadOptions {
  /** Whether it is a backup. Default: `false`, a backup is refused. */
  readonly isBackup?: boolean;
}

/**
 * Reads the store in `directory` without a lock and changes nothing. Works while another process owns the
 * store; what that process is writing at the time may be missing. Throws a `StoreError` where there is no store.
 */
export function readJsonFiles(
  directory: string,
  fs: FileSystem = nodeFileSystem,
  { isBackup = false }: ReadOptions = {},
): Promise<ReadStore> {
  const files = join(directory, "obs");
  return whileFilesStay(fs, files, async () => {
    const manifest = await demandManifest(fs, directory, isBackup);
    const { storeId, epoch } = manifest;
    const { market, reader, finish } = marketReader();
    const { damages, torn, unreadable } = await readLog<MarketLine>(fs, files, {
      kind: OBSERVATIONS,
      storeId,
      marks: manifest.highWater,
      ...reader,
    });
    finish();
    const all = unreadable ? [...damages, unreadable] : damages;
    const book = (await readAccounts(fs, join(directory, "accounts", ACCOUNTS), manifest)) ?? EMPTY_BOOK;
    const version = createVersionNames(market, (sequence) => versionName(epoch, all, sequence));
    return {
      manifest,
      storeId,
      book,
      observations: marketSide(market, version),
      damages: all,
      torn: torn ? [torn] : [],
    };
  });
}

/** A version of observations. When a part of the log could not be read, it must differ from those of the whole log. */
export function versionName(epoch: string, damages: readonly FileDamage[], sequence: number): string {
  const suffix =
    damages.length === 0 ? "" : `.${crc32Hex(damages.map(({ file, offset }) => `${file}:${offset}`).join())}`;
  return `${epoch}.${sequence}${suffix}`;
}
