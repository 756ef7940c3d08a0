import { join } from "node:path";
import { BACKUP, MANIFEST } from "../directory.ts";
import { StoreError } from "../../store/store_error.ts";
import { DataDamaged } from "../errors.ts";
import { codeOf } from "../fs.ts";
import type { FileSystem } from "../fs.ts";
import { readDocument } from "../replace.ts";
import type { Document } from "../replace.ts";
import { digestOf } from "./copy_file.ts";
import type { FileDigest } from "./copy_file.ts";

/** The content of a backup's `BACKUP.json`. */
export interface Backup extends Document {
  readonly storeId: string;
  /** ISO 8601. */
  readonly takenAt: string;
  readonly files: readonly BackupFile[];
}

/** A file of a backup, by its path in the backup. */
export interface BackupFile extends FileDigest {
  readonly file: string;
}

/** The highest schema of backups that this version reads, and the one it writes. */
export const BACKUP_SCHEMA = 1;
/** Path of the accounts in a backup. */
export const BACKUP_ACCOUNTS = "accounts/accounts.json";

/** The files that a backup may hold: one from elsewhere must not make us read or write any other path. */
const FILE = /^(?:MANIFEST\.json|accounts\/accounts\.json|imports\/import-\d+\.json|(?:obs|quota|imports)\/[a-z]+(?:-\d+)+\.ndjson)$/;
const SHA256 = /^[0-9a-f]{64}$/;
const REMEDY = "Use another backup";

/** Reads the `BACKUP.json` of a backup, which may come from elsewhere; `undefined` when there is none. Throws for one that is damaged. */
export async function readBackup(fs: FileSystem, directory: string): Promise<Backup | undefined> {
  const path = join(directory, BACKUP);
  const document = await readDocument(fs, path, { kind: "backup", schema: BACKUP_SCHEMA, remedy: REMEDY, mode: "read-no-link" });
  if (!document) return undefined;
  const { storeId, takenAt, files } = document as { storeId?: unknown; takenAt?: unknown; files?: unknown };
  if (typeof storeId !== "string" || typeof takenAt !== "string" || !Array.isArray(files)) {
    throw new DataDamaged(path, "lacks the store's id, its time or its files", REMEDY);
  }
  const parsed = files.map((file: unknown) => parseFile(file, path));
  const names = new Set(parsed.map(({ file }) => file));
  if (names.size < parsed.length) throw new DataDamaged(path, "lists a file twice", REMEDY);
  for (const file of [MANIFEST, BACKUP_ACCOUNTS]) if (!names.has(file)) throw new DataDamaged(path, `does not list "${file}"`, REMEDY);
  return { kind: "backup", schema: document.schema, storeId, takenAt, files: parsed };
}

function parseFile(value: unknown, path: string): BackupFile {
  const { file, length, sha256 } = (value ?? {}) as { file?: unknown; length?: unknown; sha256?: unknown };
  if (typeof file !== "string" || !FILE.test(file)) {
    throw new DataDamaged(path, `lists "${String(file).slice(0, 64)}", and a backup has no such file`, REMEDY);
  }
  if (!Number.isSafeInteger(length) || (length as number) < 0 || typeof sha256 !== "string" || !SHA256.test(sha256)) {
    throw new DataDamaged(path, `lists "${file}" without its length and SHA-256`, REMEDY);
  }
  return { file, length: length as number, sha256 };
}

/** Reads a file of a backup by `read`, e.g. copies it. Throws a `StoreError` when the file is not as the backup lists it. */
export async function demandListed(
  { file, length, sha256 }: BackupFile,
  read: (options: { readonly atMost: number; readonly mode: "read-no-link" }) => Promise<FileDigest>,
): Promise<void> {
  // One byte more than listed shows that the file is longer.
  const found = await read({ atMost: length + 1, mode: "read-no-link" }).catch((error: unknown) => {
    throw codeOf(error) === "ENOENT" ? new StoreError(`The backup lacks "${file}". ${REMEDY}`, 65) : error;
  });
  if (found.length === length && found.sha256 === sha256) return;
  throw new StoreError(`"${file}" of the backup is damaged: its length or checksum is wrong. ${REMEDY}`, 65);
}

/** What is wrong with a file of a backup compared with the list, if anything. */
export async function problemOf(fs: FileSystem, directory: string, listed: BackupFile): Promise<string | undefined> {
  try {
    await demandListed(listed, (options) => digestOf(fs, join(directory, listed.file), options));
    return undefined;
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return error.message;
  }
}
