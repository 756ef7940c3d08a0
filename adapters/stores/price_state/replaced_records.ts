import { isPending } from "../../../core/internal.ts";
import type { AssetCode, UtcMillis } from "../../../core/mod.ts";
import type { StoredRecord } from "../shared/imports.ts";
import type { ChangeEntry, Entry } from "./entries.ts";
import { createPriceState } from "./price_state.ts";

/** What an import has replaced or taken away at a business time of an asset. */
export interface Replaced {
  readonly import: number;
  readonly code: AssetCode;
  readonly time: UtcMillis;
  /** That of a pending record; `null` for the decided one. */
  readonly source: string | null;
  /** `taken`: what was pending is taken away, and nothing else stands in its place. `restored`: an undo has brought back what was there. */
  readonly act: "replaced" | "taken" | "restored";
  /** What stood there before, which may be a record of the import itself where that takes it away; `undefined` where nothing did. */
  readonly record: StoredRecord | undefined;
}

/** Which changes are looked at. */
export interface ReplacedBy {
  readonly imports: ReadonlySet<number>;
  /** Whether a record is kept in memory. It has to be, if one of these imports has changed it. */
  touches(code: AssetCode, time: UtcMillis): boolean;
}

/**
 * Finds what imports have replaced or taken away, of the entries of a log that it is given from the first one on. Of several
 * findings for one import, asset, time and source, the last counts. What an undo has brought back is as it was before,
 * and a pending record is not brought back twice.
 *
 * @returns What takes the entries.
 */
export function createReplacedFinder(
  { imports, touches }: ReplacedBy,
  found: (replaced: Replaced) => void,
): (entry: Entry) => void {
  const state = createPriceState();
  let sequence = 0;

  function report(entry: ChangeEntry): void {
    const { code, source } = entry;
    const id = entry.type === "restored" ? entry.undo : entry.import;
    if (id === undefined || id === null || !imports.has(id)) return;
    const look = (time: UtcMillis, source: string | null, isPut: boolean): void => {
      const record = source === null ? state.find(code, time) : state.findPending(code, time, source);
      const act = isPut ? "replaced" : "taken";
      // It does not replace what it has stored itself.
      if (isPut ? record?.import !== id : record) found({ import: id, code, time, source, act, record });
    };
    if (entry.type === "removal") {
      for (const time of entry.times) look(time, source, false);
      return;
    }
    for (const one of entry.records) {
      const { businessTime: time } = one;
      if (entry.type === "observations" || entry.type === "decision") look(time, null, true);
      if (entry.type === "observations" || entry.type === "pending") look(time, source, entry.type === "pending");
      // What was taken away is there again: what becomes of it from now on is nothing to this import.
      if (entry.type === "restored" && isPending(one))
        found({ import: id, code, time, source, act: "restored", record: undefined });
    }
  }

  return (entry) => {
    if (entry.type === "import") return;
    const looked = within(entry, touches);
    if (!looked) return;
    report(looked);
    state.apply(looked, ++sequence);
  };
}

/** The part of an entry that is looked at; `undefined` where that is nothing. */
function within(entry: ChangeEntry, touches: ReplacedBy["touches"]): ChangeEntry | undefined {
  const { code } = entry;
  if (entry.type === "removal") {
    const times = entry.times.filter((time) => touches(code, time));
    return times.length === 0 ? undefined : { ...entry, times };
  }
  const records = entry.records.filter(({ businessTime }) => touches(code, businessTime));
  return records.length === 0 ? undefined : { ...entry, records };
}
