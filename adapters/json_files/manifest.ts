import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { base62 } from "../../core/internal.ts";
import { DataDamaged } from "./errors.ts";
import type { Health } from "./errors.ts";
import type { FileSystem } from "./fs.ts";
import { readDocument, replaceDocument } from "./replace.ts";
import type { Document } from "./replace.ts";

/** What a directory says of the store in it. */
export interface Manifest extends Document {
  readonly storeId: string;
  /** Begins every version. A restored or repaired store gets another, as its sequence numbers come again. */
  readonly epoch: string;
  readonly createdAt: number;
}

/** Name of the manifest's file. */
export const MANIFEST = "MANIFEST.json";

const SCHEMA = 1;

/** Reads the manifest of a store; `undefined` when there is none. Throws when it is damaged or too new. */
export async function readManifest(fs: FileSystem, directory: string): Promise<Manifest | undefined> {
  const todo = "Restore it from a backup, or run the repair command";
  return (await readDocument(fs, join(directory, MANIFEST), "store", SCHEMA, todo)) as Manifest | undefined;
}

/** Writes a manifest with an epoch that no store had before. */
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

/** Reads the manifest, or makes that of a new store. Clears away what interrupted replacements left. */
export async function openManifest(fs: FileSystem, health: Health, directory: string, now: number): Promise<Manifest> {
  const places = [directory, join(directory, "accounts"), join(directory, "obs")];
  const names = await Promise.all(places.map((place) => fs.list(place)));
  for (const [i, place] of places.entries()) {
    for (const name of names[i]!) {
      // Of a replacement that did not get through. One who contends for the lock just tries again.
      if (name.endsWith(".tmp")) await fs.remove(join(place, name)).catch(() => {});
    }
  }
  const found = await readManifest(fs, directory);
  if (found) return found;
  for (const place of ["obs", "accounts", "quota"]) {
    if ((await fs.list(join(directory, place))).length === 0) continue;
    throw new DataDamaged(join(directory, MANIFEST), "is missing beside data of a store", "Restore it from a backup, or run the repair command");
  }
  return writeManifest(fs, health, directory, { storeId: base62(randomBytes(16), 22), createdAt: now });
}
