import { randomBytes } from "node:crypto";
import { dirname } from "node:path";
import { Unavailable } from "../../core/mod.ts";
import { DataDamaged, SchemaTooNew } from "./errors.ts";
import type { Health } from "./errors.ts";
import { codeOf, readWhole, removeIfThere, writeAll } from "./fs.ts";
import type { FileSystem } from "./fs.ts";
import { seal, unseal } from "./log/line.ts";

/** What every small file of the store holds beside its content. */
export interface Document {
  readonly kind: string;
  readonly schema: number;
}

/** A new name in the directory of `path`. Such files are removed when the store is opened. */
export function temporaryName(path: string): string {
  return `${path}.${randomBytes(8).toString("hex")}.tmp`;
}

/** Writes a document to a new file and returns when its content is on the device; its name may not be yet. */
export async function writeDocument(fs: FileSystem, health: Health, path: string, document: Document): Promise<void> {
  const file = await fs.open(path, "create");
  try {
    await writeAll(file, Buffer.from(`${seal(JSON.stringify(document).slice(0, -1), 0)}\n`));
    await health.synced(file.sync());
  } finally {
    await file.close();
  }
}

/**
 * Puts a document in the place of the one at `path`: whoever reads it, also after a power cut, finds
 * the old one or the new one, whole. Returns when the new one is on the device.
 *
 * @param previous Where the old one is kept.
 */
export async function replaceDocument(
  fs: FileSystem,
  health: Health,
  path: string,
  document: Document,
  previous?: string,
): Promise<void> {
  const temporary = temporaryName(path);
  try {
    await writeDocument(fs, health, temporary, document);
    if (previous !== undefined) {
      await removeIfThere(fs, previous);
      await fs.link(path, previous).catch((error: unknown) => {
        if (codeOf(error) !== "ENOENT") throw error; // There is none before the first.
      });
    }
    await fs.rename(temporary, path);
  } catch (error) {
    await fs.remove(temporary).catch(() => {});
    if (error instanceof Unavailable) throw error;
    throw new Unavailable(`Cannot replace "${path}": ${String(error)}`, 5, { cause: error });
  }
  // When this fails, nobody knows which of the two a power cut would leave.
  await health.synced(fs.syncDirectory(dirname(path)));
}

/** Reads a document of a kind; `undefined` when there is none. Throws when it is damaged or too new. */
export async function readDocument(
  fs: FileSystem,
  path: string,
  kind: string,
  schema: number,
  todo: string,
): Promise<Document | undefined> {
  const bytes = await readWhole(fs, path);
  if (bytes === undefined) return undefined;
  const value = unseal(bytes, 0, bytes.at(-1) === 10 ? bytes.length - 1 : bytes.length, 0);
  if (typeof value === "string") throw new DataDamaged(path, `is damaged: ${value}`, todo);
  const document = value as Document; // Its checksum is right, so it is as this program wrote it.
  if (document.kind !== kind) throw new DataDamaged(path, `holds "${document.kind}"`, todo);
  if (document.schema > schema) throw new SchemaTooNew(path, document.schema, schema);
  return document;
}
