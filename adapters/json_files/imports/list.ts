import type { Observation, UtcMillis } from "../../../core/mod.ts";
import { StoreError } from "../errors.ts";
import type { FileSystem } from "../fs.ts";
import type { Act } from "./act.ts";
import { listActs, readAct } from "./act_files.ts";
import type { ActDocument } from "./act_files.ts";
import { countStanding } from "./standing.ts";

/** An act in the list of all. */
export interface ActEntry {
  readonly id: number;
  /** `null` where its file is damaged. */
  readonly act: Act | null;
  /** What is wrong with its file, if anything. */
  readonly damage: string | null;
  /** How many records stand as an unfinished act has stored them; `null` for all other acts, whose summary says it. */
  readonly stored: number | null;
}

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
