import { isPending } from "../../../core/internal.ts";
import type { AssetCode, Observation, UtcMillis } from "../../../core/mod.ts";
import type { Import, StoredRecord } from "../shared/imports.ts";
import { changeCells, type Entry, type Origin } from "./entries.ts";
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
  /** The changed cells by asset and time: decided cells, and the pending cells of each source. */
  const decided: Cells = new Map();
  const pending = new Map<string, Cells>();
  /** How many more pending records the draft has than the state, for each source. */
  const more = new Map<string, number>();
  const imports = new Map<number, Import>();
  let { lastImport } = state;

  function findPending(code: AssetCode, time: UtcMillis, source: string): StoredRecord | undefined {
    const cell = pending.get(source)?.get(code)?.get(time);
    return cell === undefined ? state.findPending(code, time, source) : storedIn(cell);
  }

  function changePending(code: AssetCode, time: UtcMillis, source: string, cell: Cell): void {
    const step = Number(cell !== null) - Number(findPending(code, time, source) !== undefined);
    more.set(source, (more.get(source) ?? 0) + step);
    let own = pending.get(source);
    if (!own) pending.set(source, (own = new Map()));
    put(own, code, time, cell);
  }

  return {
    find(code, time) {
      const cell = decided.get(code)?.get(time);
      return cell === undefined ? state.find(code, time) : storedIn(cell);
    },
    findPending,
    pendingAt(code, time) {
      const known = new Set([...pending.keys(), ...state.pendingAt(code, time).map(({ source }) => source)]);
      return [...known].sort().flatMap((source) => findPending(code, time, source) ?? []);
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
            const { code, businessTime } = record;
            if (isPending(record)) changePending(code, businessTime, origin.source, { record, origin });
            else put(decided, code, businessTime, { record, origin });
          },
          drop(code, times, source) {
            if (source === null) for (const time of times) put(decided, code, time, null);
            else if (pending.has(source) || state.countPending(source) > 0)
              for (const time of times) changePending(code, time, source, null);
          },
        });
      }
    },
  };
}

type Cells = Map<AssetCode, Map<UtcMillis, Cell>>;

function put(cells: Cells, code: AssetCode, time: UtcMillis, cell: Cell): void {
  const own = cells.get(code);
  if (own) own.set(time, cell);
  else cells.set(code, new Map([[time, cell]]));
}

function storedIn(cell: Cell): StoredRecord | undefined {
  return cell ? { ...cell.record, source: cell.origin.source, import: cell.origin.import } : undefined;
}
