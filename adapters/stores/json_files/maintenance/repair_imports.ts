import { join } from "node:path";
import { DataDamaged } from "../errors.ts";
import { removeIfThere } from "../file_system.ts";
import { importFileName, listImports, newImport, readImport, undoLog } from "../imports/import_files.ts";
import { readUndoRecords } from "../imports/undo_records.ts";
import { listSegments, logsIn } from "../log/segments.ts";
import type { RepairJob, RepairStep } from "./repair.ts";

/**
 * Takes imports out whose file or whose undo records cannot be read: undoing one would take away what it has replaced. Their
 * records stay, and their numbers are not given again.
 */
export async function repairImports(
  job: RepairJob,
): Promise<{ readonly steps: readonly RepairStep[]; readonly lastTaken: number }> {
  const { fs, health, directory, quarantineFile } = job;
  const files = join(directory, "imports");
  const ids = new Set([
    ...(await listImports(fs, files)),
    ...logsIn(await fs.list(files)).map((log) => Number(log.replace(/^import-/, ""))),
  ]);
  const steps: RepairStep[] = [];
  let lastTaken = 0;
  for (const id of ids) {
    if (!Number.isSafeInteger(id) || !(await isDamaged(job, files, id))) continue;
    lastTaken = Math.max(lastTaken, id);

    async function apply(): Promise<void> {
      const names = [importFileName(id), ...(await listSegments(fs, files, undoLog(id))).map(({ name }) => name)];
      for (const name of names) await quarantineFile(`imports/${name}`);
      for (const name of names) await removeIfThere(fs, join(files, name));
      await health.synced(fs.syncDirectory(files));
    }
    steps.push({
      file: `imports/${importFileName(id)}`,
      what: "is taken out: its import can no longer be listed or undone, and its records stay",
      apply,
    });
  }
  return { steps, lastTaken };
}

async function isDamaged({ fs, manifest, now }: RepairJob, files: string, id: number): Promise<boolean> {
  try {
    const imported = await readImport({ fs, directory: files, storeId: manifest.storeId }, id);
    // Undo records without an import are those of an interrupted removal.
    return (
      await readUndoRecords(
        fs,
        files,
        imported ?? newImport(manifest.storeId, id, now, { type: "import", subjects: [], by: { pid: 0, host: "" } }),
      )
    ).damaged;
  } catch (error) {
    if (!(error instanceof DataDamaged)) throw error;
    return true;
  }
}
