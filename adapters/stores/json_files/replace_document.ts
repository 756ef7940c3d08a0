import { randomBytes } from "node:crypto";
import { dirname } from "node:path";
import { Unavailable } from "../../../core/mod.ts";
import type { Folder } from "./data_directory.ts";
import { DataDamaged, SchemaTooNew } from "./errors.ts";
import {
  type FileSystem,
  ifThere,
  type OpenDirectory,
  readAt,
  removeIfThere,
  withFile,
  writeAll,
} from "./file_system.ts";
import { seal, unseal } from "./log/sealed_line.ts";

/** A kind of document: a small JSON file of a store, read and written as a whole. */
export interface DocumentPlan {
  readonly kind: string;
  /** The schema that is written, and the highest that can be read. */
  readonly schema: number;
  /** The end of the message about a damaged document, with advice for the operator. */
  readonly remedy: string;
  /** The path under which `replaceDocument` keeps the old document. Default: it is not kept. */
  readonly previous?: string | undefined;
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
export async function writeDocument(
  { fs, health }: Omit<Folder, "directory">,
  path: string,
  { kind, schema }: DocumentPlan,
  content: object,
): Promise<void> {
  const bytes = Buffer.from(`${seal(JSON.stringify({ kind, schema, ...content }).slice(0, -1), 0)}\n`);
  if (bytes.length > MAX_DOCUMENT_BYTES)
    throw new RangeError(`A document must have at most ${MAX_DOCUMENT_BYTES} bytes: received "${bytes.length}"`);
  await withFile(fs, path, "create", async (file) => {
    await writeAll(file, bytes);
    await health.synced(file.sync());
  });
}

/**
 * Replaces the document at `path` atomically: a reader finds the complete old or new document, even after a power cut.
 * Resolves when the new document is on disk.
 */
export async function replaceDocument(
  { fs, health }: Omit<Folder, "directory">,
  path: string,
  plan: DocumentPlan,
  content: object,
): Promise<void> {
  const temporary = temporaryName(path);
  let directory: OpenDirectory | undefined;
  try {
    // Opened first, so that nothing changes if no file descriptor is free.
    directory = await fs.openDirectory(dirname(path));
    await writeDocument({ fs, health }, temporary, plan, content);
    if (plan.previous !== undefined) {
      await removeIfThere(fs, plan.previous);
      await ifThere(fs.link(path, plan.previous)); // At first, there is no old document.
    }
    await fs.rename(temporary, path);
    // If this sync fails, a power cut may leave the old or the new document.
    await health.synced(directory.sync());
  } catch (error) {
    await fs.remove(temporary).catch(() => {});
    if (error instanceof Unavailable) throw error;
    throw new Unavailable(`Cannot replace "${path}": ${String(error)}`, 5, { cause: error });
  } finally {
    await directory?.close().catch(() => {}); // An error is harmless: the name is synced, or this call fails anyway.
  }
}

/** Reads the content of a document; returns `undefined` if there is none. Throws if it is damaged or too new. */
export async function readDocument<T extends object>(
  fs: FileSystem,
  path: string,
  { kind, schema, remedy }: DocumentPlan,
): Promise<T | undefined> {
  const reading = withFile(fs, path, "read", async (file) => {
    const size = await file.size();
    if (size > MAX_DOCUMENT_BYTES) throw new DataDamaged(path, `is damaged: it has ${size} bytes`, remedy);
    return readAt(file, 0, size);
  });
  const bytes = await ifThere(reading);
  if (bytes === undefined) return undefined;
  const value = unseal(bytes.at(-1) === 10 ? bytes.subarray(0, -1) : bytes, 0);
  if (typeof value === "string") throw new DataDamaged(path, `is damaged: ${value}`, remedy);
  // The checksum is right, so this program has written the document.
  const { k: _, kind: found, schema: wanted, ...content } = value as DocumentPlan & { readonly k: string };
  if (found !== kind) throw new DataDamaged(path, `holds "${found}"`, remedy);
  if (wanted > schema) throw new SchemaTooNew(path, wanted, schema);
  return content as object as T;
}
