import { randomBytes } from "node:crypto";
import { dirname } from "node:path";
import { Unavailable } from "../../../core/mod.ts";
import type { Device } from "./data_directory.ts";
import { DataDamaged, SchemaTooNew } from "./errors.ts";
import { type FileSystem, ifThere, readWhole, removeIfThere, withFile, writeAll } from "./file_system.ts";
import { seal, unseal } from "./log/sealed_line.ts";

/** A small JSON file of a store, read and written as a whole. */
export interface Document {
  readonly kind: string;
  readonly schema: number;
}

/** The document of a million keys is smaller. The limit prevents a foreign file from filling the memory. */
const MAX_DOCUMENT_BYTES = 384 << 20;

/** The end of every temporary file name. */
export const TEMPORARY_ENDING = /\.[0-9a-f]{16}\.tmp$/;

/** A unique name in the directory of `path`. Opening the store removes such files. */
export function temporaryName(path: string): string {
  return `${path}.${randomBytes(8).toString("hex")}.tmp`;
}

/** Writes a document to a new file. Resolves when the content is on disk; the file's name may not be on disk yet. */
export async function writeDocument<T extends Document>(
  { fs, health }: Device,
  path: string,
  document: T,
): Promise<void> {
  const bytes = Buffer.from(`${seal(JSON.stringify(document).slice(0, -1), 0)}\n`);
  if (bytes.length > MAX_DOCUMENT_BYTES) {
    throw new RangeError(
      `Cannot write "${path}" because it must have at most ${MAX_DOCUMENT_BYTES} bytes: received "${bytes.length}"`,
    );
  }
  await withFile(fs, path, "create", async (file) => {
    await writeAll(file, bytes);
    await health.synced(file.sync());
  });
}

/**
 * Replaces the document at `path` atomically: a reader finds the complete old or new document, even after a power cut.
 * Resolves when the new document is on disk.
 *
 * @param options.previous Path under which to keep the old document.
 */
export async function replaceDocument<T extends Document>(
  { fs, health }: Device,
  path: string,
  document: T,
  { previous }: { readonly previous?: string } = {},
): Promise<void> {
  const temporary = temporaryName(path);
  // Opened first, so that nothing changes if no file descriptor is free.
  const directory = await fs.openDirectory(dirname(path)).catch((error: unknown) => {
    throw cannotReplace(path, error);
  });
  try {
    await writeDocument({ fs, health }, temporary, document);
    if (previous !== undefined) {
      await removeIfThere(fs, previous);
      await ifThere(fs.link(path, previous)); // At first, there is no old document.
    }
    await fs.rename(temporary, path);
    // If this sync fails, a power cut may leave the old or the new document.
    await health.synced(directory.sync());
  } catch (error) {
    await fs.remove(temporary).catch(() => {});
    throw error instanceof Unavailable ? error : cannotReplace(path, error);
  } finally {
    await directory.close().catch(() => {}); // An error is harmless: the name is synced, or this call fails anyway.
  }
}

function cannotReplace(path: string, cause: unknown): Unavailable {
  return new Unavailable(`Cannot replace "${path}": ${String(cause)}`, 5, { cause });
}

/** The requirements of a document. */
export interface DocumentPlan {
  readonly kind: string;
  /** The highest readable schema. */
  readonly schema: number;
  /** The end of the message about a damaged document, with advice for the operator. */
  readonly remedy: string;
}

/** Reads a document; returns `undefined` if there is none. Throws if it is damaged or too new. */
export async function readDocument<T extends Document>(
  fs: FileSystem,
  path: string,
  { kind, schema, remedy }: DocumentPlan,
): Promise<T | undefined> {
  const bytes = await readWhole(fs, path, MAX_DOCUMENT_BYTES);
  if (bytes === undefined) return undefined;
  const value = unseal(bytes.at(-1) === 10 ? bytes.subarray(0, -1) : bytes, 0);
  if (typeof value === "string") throw new DataDamaged(path, `is damaged: ${value}`, remedy);
  const { k: _, ...document } = value as Document & { readonly k: string }; // The checksum is right.
  if (document.kind !== kind) throw new DataDamaged(path, `holds "${document.kind}"`, remedy);
  if (document.schema > schema) throw new SchemaTooNew(path, document.schema, schema);
  return document as Document as T;
}
