import { join } from "node:path";
import type { UtcMillis } from "../../../core/mod.ts";
import { DataDamaged } from "../errors.ts";
import type { Health } from "../errors.ts";
import { codeOf } from "../fs.ts";
import type { FileSystem } from "../fs.ts";
import type { LogEnd } from "../log/log.ts";
import { readDocument, replaceDocument } from "../replace.ts";
import type { Document } from "../replace.ts";
import type { Act, ActPlan } from "../../store/acts.ts";

/** The file of an act: what `imports list` shows of it. */
export interface ActDocument extends Document, Act {
  readonly storeId: string;
  /** Where the notes of a finished act end; `null` where it has none. */
  readonly notes: LogEnd | null;
}

/** The highest schema of these files that this version reads, and the one it writes. */
const ACT_SCHEMA = 1;

const KIND = "import";
const REMEDY = "This act can no longer be undone; withdraw takes records back";

/** Name of the file of an act. */
export function actFile(id: number): string {
  return `${notesLog(id)}.json`;
}

/** Name of the log that holds the observations that an act has replaced, as they were before. */
export function notesLog(id: number): string {
  return `${KIND}-${id}`;
}

/** Whether a log is one of `notesLog`. */
export function isNotesLog(log: string): boolean {
  return /^import-\d+$/.test(log);
}

/** Numbers of the acts that have a file in the directory, ascending. */
export async function listActs(fs: FileSystem, directory: string): Promise<number[]> {
  const names = await fs.list(directory).catch((error: unknown) => {
    if (codeOf(error) !== "ENOENT") throw error;
    return []; // The directory of a store of an earlier version.
  });
  const numbers = names.flatMap((name) => /^import-(\d{1,9})\.json$/.exec(name)?.[1] ?? []);
  return numbers.map(Number).sort((a, b) => a - b);
}

/** Reads the file of an act; `undefined` where there is none. Throws `DataDamaged` for one that cannot be used. */
export async function readAct(fs: FileSystem, directory: string, storeId: string, id: number): Promise<ActDocument | undefined> {
  const path = join(directory, actFile(id));
  const document = await readDocument(fs, path, { kind: KIND, schema: ACT_SCHEMA, remedy: REMEDY });
  if (!document) return undefined;
  const { kind, schema, type, time, subjects, by, summary, undone, notes, ...owner } = document as ActDocument; // Its checksum is right, so it is as this program wrote it.
  if (owner.storeId !== storeId || owner.id !== id) throw new DataDamaged(path, "belongs to another store or act", REMEDY);
  return { kind, schema, storeId, id, type, time, subjects, by, summary, undone, notes };
}

/** Writes the file of an act; resolves when it is on the device. */
export function writeAct(fs: FileSystem, health: Health, directory: string, act: ActDocument): Promise<void> {
  return replaceDocument(fs, health, join(directory, actFile(act.id)), act);
}

/** The file of an act that begins. */
export function newAct(storeId: string, id: number, time: UtcMillis, { type, subjects, by }: ActPlan): ActDocument {
  return { kind: KIND, schema: ACT_SCHEMA, storeId, id, type, time, subjects, by, summary: null, undone: null, notes: null };
}
