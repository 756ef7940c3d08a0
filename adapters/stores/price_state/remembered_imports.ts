import type { AssetCode, UtcMillis } from "../../../core/mod.ts";
import { type Import, isPushed, REMEMBERED_IMPORTS, REMEMBERED_RECORDS } from "../shared/imports.ts";
import type { ChangeEntry } from "./entries.ts";

/** The earliest and the latest business time of records. */
export interface TimeRange {
  readonly from: UtcMillis;
  readonly to: UtcMillis;
}

interface Remembered {
  /** `undefined` until its entry is applied. A damaged log may lack the entry, but have the records of the import. */
  imported?: Import;
  readonly ranges: Map<AssetCode, TimeRange>;
  hasTaken: boolean;
}

/** Makes an empty memory of imports and of the places that they have changed. Forgets old imports. */
export function rememberImports() {
  const remembered = new Map<number, Remembered>();
  let lastImport = 0;

  /** The import with this number, or `undefined` if it was forgotten. Its number is not given to another import. */
  function met(id: number): Remembered | undefined {
    if (id > lastImport) {
      lastImport = id;
      remembered.set(id, { ranges: new Map(), hasTaken: false });
    }
    return remembered.get(id);
  }

  function imports(): readonly Import[] {
    return [...remembered.values()].flatMap(({ imported }) => imported ?? []);
  }

  function importOf(id: number): Import | undefined {
    return remembered.get(id)?.imported;
  }

  /** Forgets old imports. Imports of pushed prices are counted separately, so that they do not displace others. */
  function forget(): void {
    const counts = { own: 0, pushed: 0 };
    let replaced = 0;
    for (const one of imports().toReversed()) {
      const nth = ++counts[isPushed(one) ? "pushed" : "own"];
      if (one.id !== lastImport && (nth > REMEMBERED_IMPORTS || replaced > REMEMBERED_RECORDS))
        remembered.delete(one.id);
      replaced += one.summary?.replaced ?? 0;
    }
  }

  return {
    imports,
    importOf,
    get lastImport(): number {
      return lastImport;
    },
    isByPerson(id: number | null): boolean {
      const imported = id === null ? undefined : importOf(id);
      return imported !== undefined && !isPushed(imported);
    },
    /** The time ranges in which an import has stored or taken away records, by asset. */
    rangesOf: (id: number): ReadonlyMap<AssetCode, TimeRange> => remembered.get(id)?.ranges ?? new Map(),
    /** Whether an import has taken away pending records. */
    hasTaken: (id: number): boolean => remembered.get(id)?.hasTaken ?? false,
    /** Begins or changes an import. */
    remember(imported: Import): void {
      const own = met(imported.id);
      if (!own) return;
      own.imported = imported;
      forget();
    },
    /** Notes the place of a change by an import. */
    noteChange(entry: ChangeEntry): void {
      const ranges = entry.import === null ? undefined : met(entry.import)?.ranges;
      if (!ranges) return;
      const times = entry.type === "removal" ? entry.times : entry.records.map(({ businessTime }) => businessTime);
      const { from, to } = ranges.get(entry.code) ?? { from: Infinity, to: -Infinity };
      ranges.set(entry.code, {
        from: Math.min(from, ...times) as UtcMillis,
        to: Math.max(to, ...times) as UtcMillis,
      });
    },
    /** Notes that an import has taken away a pending record. */
    noteTaken(id: number | null): void {
      const own = id === null ? undefined : remembered.get(id);
      if (own) own.hasTaken = true;
    },
  };
}
