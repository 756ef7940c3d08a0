import { HOUR_MS } from "../../core/internal.ts";
import type { UtcMillis } from "../../core/mod.ts";
import { type Import, isPushed, storedBy } from "../stores/shared/imports.ts";
import { listNames } from "./text_table.ts";

/** The state of an import, for people. */
export type ImportState = "done" | "stopped" | "open" | "running" | "interrupted" | "undone" | "partly undone";

const SHOWN_SUBJECTS = 2;
const MAX_SUBJECTS = 50;
const MAX_SUBJECT_LENGTH = 200;

/**
 * The state of an import. An undo cannot remove records that a newer import has replaced. The import is then partly
 * undone, because these records come back when the newer import is undone. An unfinished import is running if its
 * process runs, which only the same host can check. An import of pushed prices is open during its hour. Afterwards it
 * is done, even if the server crashed, because every acknowledged price is stored.
 */
export function stateOfImport(
  imported: Omit<Import, "id" | "type" | "subjects">,
  { host, now }: { readonly host: string; readonly now: UtcMillis },
): ImportState {
  const { time, by, summary, undone } = imported;
  const reversed = undone ? undone.restored + undone.removed : 0;
  if (undone && (!summary || reversed >= storedBy(summary))) return "undone";
  if (reversed > 0) return "partly undone";
  if (summary) return summary.complete ? "done" : "stopped";
  if (isPushed(imported)) return Math.floor(now / HOUR_MS) > Math.floor(time / HOUR_MS) ? "done" : "open";
  return by.host === host && isAlive(by.pid) ? "running" : "interrupted";
}

/** The subject of an import for people, e.g. the names of its files. */
export function subjectOf({ type, subjects }: Pick<Import, "type" | "subjects">): string {
  const names = listNames(subjects, SHOWN_SUBJECTS);
  return type === "withdrawal" ? `withdrawal of ${names}` : names;
}

/** The subjects of an import of files: their names or, for many files, the first name and the number of others. */
export function subjectsOf(names: readonly string[]): readonly string[] {
  const named = names.length > MAX_SUBJECTS ? [names[0]!, `${names.length - 1} other files`] : names;
  return named.map((name) => (name.length > MAX_SUBJECT_LENGTH ? `…${name.slice(1 - MAX_SUBJECT_LENGTH)}` : name));
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // EPERM: the process belongs to another user.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
