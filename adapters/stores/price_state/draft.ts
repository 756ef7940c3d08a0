import { isPending } from "../../../core/internal.ts";
import type { AssetCode, Observation, UtcMillis } from "../../../core/mod.ts";
import type { Import, StoredRecord } from "../shared/imports.ts";
import { cellName, changeCells, type Entry, type Origin } from "./entries.ts";
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

/** A record and its origin, or `null` if it was removed. */
type Cell = { readonly record: Observation; readonly origin: Origin } | null;

/** Makes an empty draft over a state. */
export function createDraft(state: PriceState): Draft {
  /** The changed cells, by name. */
  const cells = new Map<string, Cell>();
  /** How many more pending records the draft has than the state, for each source. */
  const more = new Map<string, number>();
  const imports = new Map<number, Import>();
  let { lastImport } = state;

  function find(code: AssetCode, time: UtcMillis, source: string | null): StoredRecord | undefined {
    const cell = cells.get(cellName(code, time, source));
    return cell === undefined ? state.find(code, time, source) : storedIn(cell);
  }

  function change(code: AssetCode, time: UtcMillis, source: string | null, cell: Cell): void {
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
          put(record, origin) {
            const source = isPending(record) ? origin.source : null;
            change(record.code, record.businessTime, source, { record, origin });
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

function storedIn(cell: Cell): StoredRecord | undefined {
  return cell ? { ...cell.record, source: cell.origin.source, import: cell.origin.import } : undefined;
}
