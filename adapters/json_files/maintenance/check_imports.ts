import { join } from "node:path";
import { StoreError } from "../../store/store_error.ts";
import type { FileSystem } from "../fs.ts";
import { importFile, listImports, notesLog, readImport } from "../imports/import_files.ts";
import type { ImportDocument } from "../imports/import_files.ts";
import { listLogs } from "../log/segments.ts";
import type { Manifest } from "../manifest.ts";
import { documentReport } from "./report.ts";
import type { Report } from "./report.ts";

/** Checks one log, whose marks the manifest has. */
type CheckLog = (fs: FileSystem, directory: string, log: string, manifest: Manifest) => Promise<Report[]>;

/**
 * Checks the files of all imports. Damage in them keeps no store from opening; an import with damaged notes cannot be undone
 * completely.
 *
 * @param known The imports at the point in time that is checked, as their files may be newer. Default: as the files have them.
 */
export async function checkImports(fs: FileSystem, directory: string, manifest: Manifest, known: readonly ImportDocument[] | undefined, checkLog: CheckLog): Promise<Report[]> {
  const folder = join(directory, "imports");
  const reports: Report[] = [];
  const notes = new Map<string, ImportDocument["notes"]>();
  for (const log of await listLogs(fs, folder)) notes.set(log, null);
  for (const id of await listImports(fs, folder)) {
    const file = `imports/${importFile(id)}`;
    const report = await documentReport(fs, directory, file);
    try {
      const imported = await readImport(fs, folder, manifest.storeId, id);
      const end = (known ? known.find((one) => one.id === id) : imported)?.notes;
      if (end) notes.set(notesLog(id), end);
      reports.push(report);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      reports.push({ ...report, bad: [{ offset: 0, length: report.bytes, reason: error.message }] });
    }
  }
  for (const [log, end] of notes) reports.push(...(await checkNotes(log, end)));
  return reports;

  async function checkNotes(log: string, end: ImportDocument["notes"]): Promise<Report[]> {
    try {
      return await checkLog(fs, directory, log, { ...manifest, highWater: end ? { [log]: end } : {} });
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      const report = await documentReport(fs, directory, `imports/${log}`);
      return [{ ...report, bad: [{ offset: 0, length: 0, reason: error.message }] }];
    }
  }
}
