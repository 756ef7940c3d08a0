import { join } from "node:path";
import { crc32Hex } from "../../core/internal.ts";
import type { AccountBook, Observation, Observations } from "../../core/mod.ts";
import { readAccounts } from "./accounts.ts";
import { StoreError } from "./errors.ts";
import { nodeFileSystem } from "./fs.ts";
import type { FileSystem } from "./fs.ts";
import type { FileDamage } from "./log/open_log.ts";
import { scanSegments } from "./log/segments.ts";
import { readManifest } from "./manifest.ts";
import { OBSERVATIONS, marketReader, readSide } from "./observations.ts";

/** The content of a store when it was read. */
export interface ReadStore {
  readonly storeId: string;
  readonly observations: Observations & { records(): Iterable<Observation> };
  readonly book: AccountBook;
}

/**
 * Reads the store in `directory` without a lock and changes nothing. Works while another process holds the
 * store; what that process is writing at the time may be missing.
 */
export async function readJsonFiles(directory: string, fs: FileSystem = nodeFileSystem): Promise<ReadStore> {
  const manifest = await readManifest(fs, directory);
  if (!manifest) throw new StoreError(`Cannot read a store as there is none in "${directory}"`, 65);
  const { storeId, epoch } = manifest;
  const { market, ...reader } = marketReader();
  const segments = await scanSegments<Observation>(fs, join(directory, "obs"), { kind: OBSERVATIONS, storeId, ...reader });
  const damages = segments.flatMap(({ name, scan }) => scan.damages.map((damage) => ({ ...damage, file: name })));
  const suffix = damageSuffix(damages);
  const { book } = await readAccounts(fs, join(directory, "accounts"), manifest);
  return { storeId, observations: readSide(market, (code) => `${epoch}.${market.sequence(code)}${suffix}`), book };
}

/** What versions end in when a part of the log could not be read: they must differ from those of the whole log. */
export function damageSuffix(damages: readonly FileDamage[]): string {
  return damages.length === 0 ? "" : `.${crc32Hex(damages.map(({ file, offset }) => `${file}:${offset}`).join())}`;
}
