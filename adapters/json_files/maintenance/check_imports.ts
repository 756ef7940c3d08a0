import { join } from "node:path";
import { StoreError } from "../../store/store_error.ts";
import type { FileSystem } from "../fs.ts";
import { actFile, listActs, notesLog, readAct } from "../imports/act_files.ts";
import type { ActDocument } from "../imports/act_files.ts";
import { listLogs } from "../log/segments.ts";
import type { Manifest } from "../manifest.ts";
import { documentReport } from "./report.ts";
import type { Report } from "./report.ts";

/** Checks one log, whose marks the manifest has. */
type CheckLog = (fs: FileSystem, directory: string, log: string, manifest: Manifest) => Promise<Report[]>;

/**
 * Checks the files of all acts. Damage in them keeps no store from opening; an act with damaged notes cannot be undone
 * completely.
 *
 * @param known The acts at the point in time that is checked, as their files may be newer. Default: as the files have them.
 */
export async function checkImports(fs: FileSystem, directory: string, manifest: Manifest, known: readonly ActDocument[] | undefined, checkLog: CheckLog): Promise<Report[]> {
  const folder = join(directory, "imports");
  const reports: Report[] = [];
  const notes = new Map<string, ActDocument["notes"]>();
  for (const log of await listLogs(fs, folder)) notes.set(log, null);
  for (const id of await listActs(fs, folder)) {
    const file = `imports/${actFile(id)}`;
    const report = await documentReport(fs, directory, file);
    try {
      const act = await readAct(fs, folder, manifest.storeId, id);
      const end = (known ? known.find((one) => one.id === id) : act)?.notes;
      if (end) notes.set(notesLog(id), end);
      reports.push(report);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      reports.push({ ...report, bad: [{ offset: 0, length: report.bytes, reason: error.message }] });
    }
  }
  for (const [log, end] of notes) reports.push(...(await checkNotes(log, end)));
  return reports;

  async function checkNotes(log: string, end: ActDocument["notes"]): Promise<Report[]> {
    try {
      return await checkLog(fs, directory, log, { ...manifest, highWater: end ? { [log]: end } : {} });
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      const report = await documentReport(fs, directory, `imports/${log}`);
      return [{ ...report, bad: [{ offset: 0, length: 0, reason: error.message }] }];
    }
  }
}
