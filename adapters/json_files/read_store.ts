import { join } from "node:path";
import { crc32Hex, createVersionNames } from "../../core/internal.ts";
import type { AccountBook, Observations } from "../../core/mod.ts";
import { readAccounts } from "./accounts.ts";
import type { ReadAccounts } from "./accounts.ts";
import { readCheckpoint } from "./checkpoint/checkpoint.ts";
import { StoreError } from "../store/store_error.ts";
import { nodeFileSystem } from "./fs.ts";
import type { FileSystem } from "./fs.ts";
import { BASE, findBegin, readBase, whileUncompacted } from "./log/base.ts";
import type { FileDamage } from "./log/damage.ts";
import { findLostEnd } from "./log/high_water.ts";
import type { MarketLine } from "./log/removal_line.ts";
import { scanSegments } from "./log/segments.ts";
import { readManifest } from "./manifest.ts";
import type { Manifest } from "./manifest.ts";
import { OBSERVATIONS, marketReader, marketSide } from "./observations.ts";
import type { ObservationLog } from "./observations.ts";

/** The content of a store when it was read. */
export interface ReadStore {
  readonly storeId: string;
  readonly observations: Observations & Pick<ObservationLog, "find" | "around" | "records" | "size">;
  readonly book: AccountBook;
  /** Places in the log of observations that could not be read; the rest is in `observations`. */
  readonly damages: readonly FileDamage[];
  /** Incomplete writes at the end of that log: a crash left them, or another process is writing just now. */
  readonly torn: readonly FileDamage[];
}

/**
 * Reads the store in `directory` without a lock and changes nothing. Works while another process holds the
 * store; what that process is writing at the time may be missing.
 */
export async function readJsonFiles(directory: string, fs: FileSystem = nodeFileSystem, options: ReadOptions = {}): Promise<ReadStore> {
  const { manifest, observations, accounts, damages, torn } = await readStoreFiles(directory, fs, options);
  return { storeId: manifest.storeId, observations, book: accounts.book, damages, torn };
}

/** How a store is read. */
export interface ReadOptions {
  /** Whether a checkpoint that fits the log is read instead of the lines that it covers, whose damage is then not noticed. Default `false`. */
  readonly fastStart?: boolean;
  /** The manifest of a point in time, to which the files are limited. Default: as it is now. */
  readonly manifest?: Manifest | undefined;
}

/** What `readStoreFiles` has read. */
export interface StoreFiles {
  readonly manifest: Manifest;
  readonly accounts: ReadAccounts;
  readonly observations: ReadStore["observations"];
  /** Places in the files of observations that could not be read. */
  readonly damages: readonly FileDamage[];
  /** Incomplete writes at their ends. */
  readonly torn: readonly FileDamage[];
}

/** Reads the manifest, the accounts and the observations of a store. Throws a `StoreError` where there is none. */
export function readStoreFiles(directory: string, fs: FileSystem, options: ReadOptions = {}): Promise<StoreFiles> {
  return whileUncompacted(fs, join(directory, "obs"), () => readOnce(directory, fs, options));
}

async function readOnce(directory: string, fs: FileSystem, { fastStart = false, manifest: known }: ReadOptions): Promise<StoreFiles> {
  const manifest = known ?? (await readManifest(fs, directory));
  if (!manifest) throw new StoreError(`Cannot read a store as there is none in "${directory}"`, 65);
  const { storeId, epoch, highWater = {} } = manifest;
  const { market, reader, finish } = marketReader();
  const files = join(directory, "obs");
  const resume = fastStart ? await readCheckpoint(fs, files, manifest, market) : undefined;
  const base = resume
    ? { begin: await findBegin(fs, files), damages: [] }
    : await readBase<MarketLine>(fs, files, { storeId, ...reader }, highWater[BASE]);
  const plan = { kind: OBSERVATIONS, storeId, highWater: highWater[OBSERVATIONS], begin: base.begin, resume, ...reader };
  const segments = await scanSegments<MarketLine>(fs, files, plan);
  finish();
  const damages: FileDamage[] = [...base.damages];
  for (const { name, scan } of segments) damages.push(...scan.damages.map((damage) => ({ ...damage, file: name })));
  const lost = findLostEnd(segments, OBSERVATIONS, plan.highWater, base.begin);
  if (lost) damages.push(lost);
  const suffix = damageSuffix(damages);
  const accounts = await readAccounts(fs, join(directory, "accounts"), manifest);
  const observations = marketSide(market, createVersionNames(market, (sequence) => `${epoch}.${sequence}${suffix}`));
  const torn = segments.flatMap(({ name, scan }) => (scan.torn ? [{ ...scan.torn, file: name }] : []));
  return { manifest, accounts, observations, damages, torn };
}

/** What versions end in when a part of the log could not be read: they must differ from those of the whole log. */
export function damageSuffix(damages: readonly FileDamage[]): string {
  return damages.length === 0 ? "" : `.${crc32Hex(damages.map(({ file, offset }) => `${file}:${offset}`).join())}`;
}
