import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { base62 } from "../../core/internal.ts";
import { DataDamaged } from "./errors.ts";
import type { Health } from "./errors.ts";
import type { FileSystem } from "./fs.ts";
import { readDocument, replaceDocument } from "./replace.ts";
import type { Document } from "./replace.ts";

/** Identifies the store in a directory. */
export interface Manifest extends Document {
  readonly storeId: string;
  /** The first part of every version. A restored or repaired store gets a new one, as its sequence numbers repeat with other content. */
  readonly epoch: string;
  readonly createdAt: number;
}

/** Name of the manifest's file. */
export const MANIFEST = "MANIFEST.json";

const SCHEMA = 1;
const REMEDY = "Restore it from a backup, or run the repair command";

/** Reads the manifest of a store; `undefined` when there is none. Throws when it is damaged or too new. */
export async function readManifest(fs: FileSystem, directory: string): Promise<Manifest | undefined> {
  return (await readDocument(fs, join(directory, MANIFEST), "store", SCHEMA, REMEDY)) as Manifest | undefined;
}

/** Writes a manifest with a new epoch. */
export async function writeManifest(
  fs: FileSystem,
  health: Health,
  directory: string,
  { storeId, createdAt }: Pick<Manifest, "storeId" | "createdAt">,
): Promise<Manifest> {
  const manifest: Manifest = { kind: "store", schema: SCHEMA, storeId, epoch: base62(randomBytes(6), 9), createdAt };
  await replaceDocument(fs, health, join(directory, MANIFEST), manifest);
  return manifest;
}

/** Reads the manifest, or writes that of a new store. Removes the temporary files of interrupted replacements. */
export async function openManifest(fs: FileSystem, health: Health, directory: string, now: number): Promise<Manifest> {
  await Promise.all([directory, join(directory, "accounts"), join(directory, "obs")].map((path) => removeTemporaryFiles(fs, path)));
  const found = await readManifest(fs, directory);
  if (found) return found;
  for (const name of ["obs", "accounts", "quota"]) {
    if ((await fs.list(join(directory, name))).length === 0) continue;
    throw new DataDamaged(join(directory, MANIFEST), "is missing beside the data of a store", REMEDY);
  }
  return writeManifest(fs, health, directory, { storeId: base62(randomBytes(16), 22), createdAt: now });
}

async function removeTemporaryFiles(fs: FileSystem, directory: string): Promise<void> {
  for (const name of await fs.list(directory)) {
    // A process that contends for the lock may lose its file by this, and tries again.
    if (name.endsWith(".tmp")) await fs.remove(join(directory, name)).catch(() => {});
  }
}
