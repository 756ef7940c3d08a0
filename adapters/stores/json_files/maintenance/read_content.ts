import { isPending } from "../../../../core/internal.ts";
import { withoutDoubt } from "../../price_state/content_entries.ts";
import { cellName } from "../../price_state/entries.ts";
import { nothingBefore } from "../../price_state/replaced_records.ts";
import type { StoreContent } from "../../shared/store_copying.ts";
import { StoreError } from "../../shared/store_error.ts";
import { askOwner } from "../connect_or_open.ts";
import { type FileSystem, nodeFileSystem } from "../file_system.ts";
import type { FileDamage } from "../log/damage.ts";
import { segmentName } from "../log/segments.ts";
import { quotaLog, spendUnits } from "../quota/quota_line.ts";
import { readUsage } from "../quota/read_usage.ts";
import { readJsonFiles } from "../read_store.ts";

/** The content of a store in files. */
export interface FilesContent extends StoreContent {
  readonly storeId: string;
  /** The files with an unreadable part, by their paths within the store. */
  readonly damaged: readonly Pick<FileDamage, "file" | "reason">[];
}

/** Reads a store or backup without a lock. Leaves out damaged prices; a day with damaged counters has no units left. */
export async function readContent(
  directory: string,
  { fs = nodeFileSystem, isBackup = false }: { readonly fs?: FileSystem; readonly isBackup?: boolean } = {},
): Promise<FilesContent> {
  const { storeId, state, before, book, damages } = await readJsonFiles(directory, fs, {
    isBackup,
    withReplaced: true,
  });
  const damaged = damages.map(({ file, reason }) => ({ file: `obs/${file}`, reason }));
  // The owner knows the used units of open days. If the owner does not answer, all reserved units count as used.
  const open = isBackup ? undefined : await askOwner(directory, (store) => store.usage(), fs).catch(() => undefined);
  const usage = (await readUsage(directory, { fs, open: open ?? [], isBackup })).map((day) => {
    if (!day.damaged) return day;
    damaged.push({ file: `quota/${segmentName(quotaLog(day.day), 1)}`, reason: "counters cannot be read" });
    return { day: day.day, accounts: spendUnits(day.accounts, book, "all").accounts };
  });
  return {
    ...{ storeId, book, usage, damaged, imports: [...state.imports()] },
    records: damages.length > 0 ? () => withoutDoubt(state, before) : () => state.records(),
    *before({ id }) {
      const own = before.get(id) ?? nothingBefore();
      for (const record of own.records.records()) {
        const { code, businessTime, source } = record;
        const isTaken = isPending(record) && own.taken.has(cellName(code, businessTime, source));
        yield { ...record, ...(isTaken && { isTaken }) };
      }
    },
  };
}

/** Throws a `StoreError` if part of the content is missing, because the copy would hide the loss. */
export function demandWhole(directory: string, { damaged }: Pick<FilesContent, "damaged">): void {
  const [first] = damaged;
  if (!first) return;
  throw new StoreError(
    `Cannot copy "${directory}" because part of it cannot be read, first in ${first.file}: ${first.reason}. Run verify, then repair the directory or use a backup`,
    65,
  );
}
