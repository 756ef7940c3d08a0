import { join } from "node:path";
import { isPushed, REMEMBERED_IMPORTS } from "../../shared/imports.ts";
import type { Folder } from "../data_directory.ts";
import { removeIfThere, sizeOf } from "../file_system.ts";
import { listSegments, logsIn } from "../log/segments.ts";
import { type ImportFolder, importFileName, listImports, readImport, undoLog } from "./import_files.ts";

/** Bytes that their undo records may take: some two million replaced records. Those of the last import may take more. */
export const REMEMBERED_BYTES = 256 << 20;

/**
 * Removes the files of the oldest imports, so that those of all others stay within the limits; also undo records without an
 * import, which an interrupted removal has left. The file of an import goes first: without its undo records, an import would be
 * undone as if all of its records had been new. What is pushed counts apart, so that a feed of each hour does not push others out.
 *
 * @param busy Imports that are not removed.
 * @param pushed Whether imports are of pushed prices, as far as it was read before: to read 1,500 files anew takes half a second.
 */
export async function forgetOldImports(
  folder: Folder & ImportFolder,
  busy: ReadonlySet<number>,
  pushed: Map<number, boolean>,
): Promise<void> {
  const { fs, health, directory } = folder;
  const imports = await listImports(fs, directory);
  const segments = new Map<string, readonly string[]>();
  for (const log of logsIn(await fs.list(directory)))
    segments.set(
      log,
      (await listSegments(fs, directory, log)).map(({ name }) => name),
    );
  const forgotten: string[] = [];
  const counts = { own: 0, pushed: 0 };
  let bytes = 0;
  for (const id of imports.toReversed()) {
    // Only where some may be forgotten, their files are read; a damaged one is not of a push.
    if (imports.length > REMEMBERED_IMPORTS && !pushed.has(id))
      pushed.set(
        id,
        await readImport(folder, id).then(
          (found) => found !== undefined && isPushed(found),
          () => false,
        ),
      );
    const nth = ++counts[pushed.get(id) ? "pushed" : "own"];
    const files = segments.get(undoLog(id)) ?? [];
    for (const name of files) bytes += await sizeOf(fs, join(directory, name));
    if (id === imports.at(-1) || busy.has(id) || (nth <= REMEMBERED_IMPORTS && bytes <= REMEMBERED_BYTES)) {
      segments.delete(undoLog(id));
    } else {
      forgotten.push(importFileName(id));
      pushed.delete(id);
    }
  }
  for (const name of forgotten) await removeIfThere(fs, join(directory, name));
  if (forgotten.length > 0) await health.synced(fs.syncDirectory(directory));
  for (const name of [...segments.values()].flat()) await removeIfThere(fs, join(directory, name));
}
