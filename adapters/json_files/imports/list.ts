import type { Observation, UtcMillis } from "../../../core/mod.ts";
import type { Act, ActEntry } from "../../store/acts.ts";
import { StoreError } from "../../store/store_error.ts";
import type { FileSystem } from "../fs.ts";
import { listActs, readAct } from "./act_files.ts";
import type { ActDocument } from "./act_files.ts";
import { countStanding } from "./standing.ts";

/** Lists the acts of a store, the last one first. */
export async function listEntries(fs: FileSystem, directory: string, storeId: string, records: () => Iterable<Observation>): Promise<readonly ActEntry[]> {
  const entries: ActEntry[] = [];
  for (const id of (await listActs(fs, directory)).toReversed()) entries.push(await readEntry(fs, directory, storeId, id));
  const unfinished = new Set<UtcMillis>(entries.flatMap(({ act }) => (act && isUnfinished(act) ? [act.time] : [])));
  const standing = countStanding(unfinished.size > 0 ? records() : [], unfinished);
  return entries.map((entry) => (entry.act && isUnfinished(entry.act) ? { ...entry, stored: standing.get(entry.act.time) ?? 0 } : entry));
}

async function readEntry(fs: FileSystem, directory: string, storeId: string, id: number): Promise<ActEntry> {
  try {
    const act = await readAct(fs, directory, storeId, id);
    return { id, act: act ? publicPart(act) : null, damage: act ? null : "is missing", stored: null };
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return { id, act: null, damage: error.message, stored: null };
  }
}

/** The files of all acts that can be read, as a copy of the store holds them. */
export async function readActs(fs: FileSystem, directory: string, storeId: string): Promise<readonly ActDocument[]> {
  const acts: ActDocument[] = [];
  for (const id of await listActs(fs, directory)) {
    try {
      const act = await readAct(fs, directory, storeId, id);
      if (act) acts.push(act);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error; // A damaged one is of no use in a copy; verify tells of it.
    }
  }
  return acts;
}

/** An act without what only its file needs. */
export function publicPart({ id, type, time, subjects, by, summary, undone }: Act): Act {
  return { id, type, time, subjects, by, summary, undone };
}

function isUnfinished({ summary, undone }: Act): boolean {
  return summary === null && undone === null;
}
