import { join } from "node:path";
import { DataDamaged } from "../errors.ts";
import { removeIfThere } from "../fs.ts";
import { importFile, listImports, notesLog, readImport } from "../imports/import_files.ts";
import { listSegments } from "../log/segments.ts";
import type { Manifest } from "../manifest.ts";
import type { RepairJob } from "./repair.ts";

/** Moves imports whose files cannot be read to the quarantine, with their notes. Their records stay as they are. */
export async function repairImports({ fs, health, directory, repairs, quarantineFile }: RepairJob, { storeId }: Manifest): Promise<void> {
  const folder = join(directory, "imports");
  for (const id of await listImports(fs, folder)) {
    try {
      await readImport(fs, folder, storeId, id);
    } catch (error) {
      if (!(error instanceof DataDamaged)) throw error;
      const notes = await listSegments(fs, folder, notesLog(id));
      const files = [importFile(id), ...notes.map(({ name }) => name)];
      for (const file of files) await quarantineFile(`imports/${file}`);
      for (const file of files) await removeIfThere(fs, join(folder, file));
      await health.synced(fs.syncDirectory(folder));
      repairs.push({ file: `imports/${importFile(id)}`, what: "was taken out: its import can no longer be listed or undone, and its records stay" });
    }
  }
}
