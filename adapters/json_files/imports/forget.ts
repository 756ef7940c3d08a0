import { join } from "node:path";
import { REMEMBERED_ACTS } from "../../store/acts.ts";
import type { Health } from "../errors.ts";
import { removeIfThere, sizeOf } from "../fs.ts";
import type { FileSystem } from "../fs.ts";
import { listLogs, listSegments } from "../log/segments.ts";
import { actFile, listActs, notesLog } from "./act_files.ts";

/** Bytes that their notes may take: some two million replaced records. The notes of the last act may take more. */
export const REMEMBERED_BYTES = 256 << 20;

/**
 * Removes the files of the oldest acts, so that those of all others stay within the limits; also notes without an act,
 * which an interrupted removal has left. The file of an act goes first: without its notes, an act would be undone
 * as if all of its records had been new.
 *
 * @param busy Acts that are not removed.
 */
export async function forgetOldActs(fs: FileSystem, health: Health, directory: string, busy: ReadonlySet<number>): Promise<void> {
  const acts = await listActs(fs, directory);
  const segments = new Map<string, readonly string[]>();
  for (const log of await listLogs(fs, directory)) segments.set(log, (await listSegments(fs, directory, log)).map(({ name }) => name));
  const forgotten: string[] = [];
  let bytes = 0;
  for (const [index, id] of acts.toReversed().entries()) {
    const notes = segments.get(notesLog(id)) ?? [];
    for (const name of notes) bytes += await sizeOf(fs, join(directory, name));
    if (index === 0 || busy.has(id) || (index < REMEMBERED_ACTS && bytes <= REMEMBERED_BYTES)) segments.delete(notesLog(id));
    else forgotten.push(actFile(id));
  }
  for (const name of forgotten) await removeIfThere(fs, join(directory, name));
  if (forgotten.length > 0) await health.synced(fs.syncDirectory(directory));
  for (const name of [...segments.values()].flat()) await removeIfThere(fs, join(directory, name));
}
