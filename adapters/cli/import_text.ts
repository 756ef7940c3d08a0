import { HOUR_MS } from "../../core/internal.ts";
import type { UtcMillis } from "../../core/mod.ts";
import { type Import, isPushed, storedBy } from "../stores/shared/imports.ts";

/** What has become of an import. */
export type ImportState = "done" | "stopped" | "open" | "running" | "interrupted" | "undone" | "partly undone";

const SHOWN_SUBJECTS = 2;
const MAX_SUBJECTS = 50;
const MAX_SUBJECT_LENGTH = 200;

/**
 * The state of an import. While records of it are covered by newer ones it is only partly undone, as they may come back. One
 * that is not finished runs if its process does; only processes of this host are known. One of pushed prices is open in its hour
 * and done after it, also where the server was killed: what it had said to be stored is stored.
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

/** What an import is of, e.g. the names of its files. */
export function subjectOf({ type, subjects }: Pick<Import, "type" | "subjects">): string {
  const more = subjects.length - SHOWN_SUBJECTS;
  const names = subjects.slice(0, SHOWN_SUBJECTS).join(", ") + (more > 0 ? ` and ${more} more` : "");
  return type === "withdrawal" ? `withdrawal of ${names}` : names;
}

/** The names of files as the subjects of an import: of very many, the first and how many others. */
export function subjectsOf(names: readonly string[]): readonly string[] {
  const named = names.length > MAX_SUBJECTS ? [names[0]!, `${names.length - 1} other files`] : names;
  return named.map((name) => (name.length > MAX_SUBJECT_LENGTH ? `…${name.slice(1 - MAX_SUBJECT_LENGTH)}` : name));
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // EPERM: it is another user's process.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
