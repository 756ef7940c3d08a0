import { isPending } from "../../../core/internal.ts";
import type { AssetCode, UtcMillis } from "../../../core/mod.ts";
import type { Import, StoredRecord } from "../shared/imports.ts";
import { cellName, changeCells, type Entry } from "./entries.ts";
import type { PriceState, PriceView } from "./price_state.ts";

/** The entries to store, and the result that the caller gets once they are safe. */
export interface Decided<T> {
  readonly entries: readonly Entry[];
  readonly result: T;
}

/** A state together with the entries that are decided but not stored yet. */
export interface Draft extends PriceView {
  add(entries: readonly Entry[]): void;
}

/** Makes an empty draft over a state. */
export function createDraft(state: PriceState): Draft {
  /** The changed cells, by name: `null` for a removed record. */
  const cells = new Map<string, StoredRecord | null>();
  /** How many more pending records the draft has than the state, for each source. */
  const more = new Map<string, number>();
  const imports = new Map<number, Import>();
  let { lastImport } = state;

  function find(code: AssetCode, time: UtcMillis, source: string | null): StoredRecord | undefined {
    const cell = cells.get(cellName(code, time, source));
    return cell === undefined ? state.find(code, time, source) : (cell ?? undefined);
  }

  function change(code: AssetCode, time: UtcMillis, source: string | null, cell: StoredRecord | null): void {
    if (source !== null) {
      const step = Number(cell !== null) - Number(find(code, time, source) !== undefined);
      more.set(source, (more.get(source) ?? 0) + step);
    }
    cells.set(cellName(code, time, source), cell);
  }

  return {
    find,
    pendingAt(code, time) {
      const known = new Set([...more.keys(), ...state.pendingAt(code, time).map(({ source }) => source)]);
      return [...known].sort().flatMap((source) => find(code, time, source) ?? []);
    },
    countPending: (source) => state.countPending(source) + (more.get(source) ?? 0),
    importOf: (id) => imports.get(id) ?? state.importOf(id),
    get lastImport() {
      return lastImport;
    },
    add(entries) {
      for (const entry of entries) {
        if (entry.type === "import") {
          imports.set(entry.imported.id, entry.imported);
          lastImport = Math.max(lastImport, entry.imported.id);
        }
        changeCells(entry, {
          put(record, { source, import: id }) {
            const pendingOf = isPending(record) ? source : null;
            change(record.code, record.businessTime, pendingOf, { ...record, source, import: id });
          },
          drop(code, times, source) {
            if (source === null || more.has(source) || state.countPending(source) > 0)
              for (const time of times) change(code, time, source, null);
          },
        });
      }
    },
  };
}
