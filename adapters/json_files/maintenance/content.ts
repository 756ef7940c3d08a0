import { join } from "node:path";
import type { CalendarDate, Observation } from "../../../core/mod.ts";
import type { StoreContent } from "../../store/copy.ts";
import type { DayUsage } from "../../store/store.ts";
import { StoreError } from "../../store/store_error.ts";
import type { AccountDocument } from "../accounts.ts";
import { nodeFileSystem } from "../fs.ts";
import type { FileSystem } from "../fs.ts";
import type { ImportDocument } from "../imports/import_files.ts";
import { publicPart, readImports } from "../imports/list.ts";
import { readNotes } from "../imports/notes.ts";
import { whileUncompacted } from "../log/base.ts";
import type { Manifest } from "../manifest.ts";
import { parseBook } from "../parse_accounts.ts";
import { readQuotaDays } from "../quota/usage.ts";
import { readStoreFiles } from "../read_store.ts";
import { fileSystemAt } from "./point_in_time.ts";
import { pointInTimeOfHolder } from "./verify.ts";

const REMEDY = "Run verify, then repair it or restore a backup";

/**
 * Reads the whole store in `directory` without a lock, and changes nothing. While a process holds the store, it is read as
 * it was at one moment. Throws a `StoreError` where a part is damaged, as the content would lack it without a trace.
 */
export function readContent(directory: string, fs: FileSystem = nodeFileSystem): Promise<StoreContent> {
  return whileUncompacted(fs, join(directory, "obs"), async () => {
    const moment = await pointInTimeOfHolder(fs, directory);
    const shown = moment ? fileSystemAt(fs, directory, moment.files) : fs;
    const { manifest, accounts, observations, damages } = await readStoreFiles(directory, shown, moment && { manifest: moment.manifest });
    if (damages.length > 0) throw damaged(directory, `${damages.length} places in its observations cannot be read`);
    const imports = moment?.imports ?? (await readImports(fs, join(directory, "imports"), manifest.storeId));
    return {
      records: observations.records,
      book: moment ? parseBook((moment.accounts as AccountDocument).book) : accounts.book,
      usage: await readCounters(shown, directory, manifest),
      imports: imports.map(publicPart),
      leftOut: [],
      before: ({ id }) => readBefore(shown, directory, imports.find((imported) => imported.id === id)!),
    };
  });
}

async function readCounters(fs: FileSystem, directory: string, manifest: Manifest): Promise<readonly DayUsage[]> {
  const days = new Map<CalendarDate, DayUsage>();
  for await (const day of readQuotaDays(directory, { fs, manifest })) {
    if (day.damaged) throw damaged(directory, `counters of ${day.day} cannot be read`);
    days.set(day.day, day);
  }
  return [...days.values()];
}

async function* readBefore(fs: FileSystem, directory: string, imported: ImportDocument): AsyncGenerator<Observation> {
  const notes = await readNotes(fs, join(directory, "imports"), imported);
  if (notes.damaged) throw damaged(directory, `notes of import ${imported.id} cannot be read`);
  yield* notes.all();
}

function damaged(directory: string, what: string): StoreError {
  return new StoreError(`Cannot copy "${directory}" as ${what}. ${REMEDY}`, 65);
}
