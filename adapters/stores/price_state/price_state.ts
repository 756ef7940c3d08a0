import { createSeriesStore, isPending, type Neighbours, type SeriesStore } from "../../../core/internal.ts";
import {
  type AssetCode,
  type Observation,
  QUALITY_STATUSES,
  type QualityStatus,
  type TimeWindow,
  type UtcMillis,
} from "../../../core/mod.ts";
import type { Import, StoredRecord } from "../shared/imports.ts";
import { cellName, changeCells, copyOf, type Entry, type Origin, type RecordsEntry } from "./entries.ts";
import { createReferences } from "./references.ts";
import { rememberImports } from "./remembered_imports.ts";

/** The readable part of a price state, or of a draft of it. */
export interface PriceView {
  /** The pending record of a source at an asset's business time or, with `null`, the decided record there. */
  find(code: AssetCode, time: UtcMillis, source: string | null): StoredRecord | undefined;
  /** The pending records at an asset's business time, by source. */
  pendingAt(code: AssetCode, time: UtcMillis): readonly StoredRecord[];
  countPending(source: string): number;
  /** The import with this number, or `undefined` if it is not remembered. */
  importOf(id: number): Import | undefined;
  /** The highest number of an import; 0 if there is none. */
  readonly lastImport: number;
}

/** All prices and imports after applying the entries of a log. Replaced records are kept only in the log. */
export type PriceState = ReturnType<typeof createPriceState>;

/**
 * Makes an empty state.
 *
 * @param replacedSince Values that feeds replace at or after this time are kept as references. Default: none.
 */
export function createPriceState(replacedSince = Infinity) {
  const market = createSeriesStore();
  const loader = market.createLoader();
  const pending = new Map<string, SeriesStore>();
  const imports = rememberImports();
  /** For each record, the series contain the index of its origin in this list. */
  const origins: Origin[] = [];
  const originNumbers = new Map<string, number>();
  let sequence = 0;
  /** The number that all entries of a base have. Set if the base has `replaced` entries, which have all kept records. */
  let baseNumber: number | undefined;
  /** The number of the origin of the entry that is being applied. */
  let originNumber = 0;
  let applied = 0;
  /** Called before a cell changes. Set while the state is frozen. */
  let beforeChange: ((code: AssetCode, time: UtcMillis, source: string | null) => void) | undefined;

  function numberOf({ source, import: id }: Origin): number {
    const key = `${id} ${source}`;
    const number = originNumbers.get(key) ?? origins.push({ source, import: id }) - 1;
    originNumbers.set(key, number);
    return number;
  }

  /** Keeps records that a feed had replaced before a compaction. */
  function keepSuperseded({ code, records, source, import: id, by, at }: RecordsEntry): void {
    baseNumber = sequence;
    applied += records.length;
    const rows = records.map((one, i) => ({ record: { ...one, source, import: id }, at: at![i]!, by: by! }));
    references.keep(
      code,
      rows.filter((row) => row.at >= replacedSince),
    );
  }

  /** Keeps the accepted records that a feed is about to replace. */
  function keepReplaced({ code, records, source, import: id }: RecordsEntry): void {
    if (records[0]!.insertTime < replacedSince || imports.isByPerson(id)) return;
    loader.finish();
    const replaced = records.flatMap(({ businessTime, insertTime }) => {
      const record = find(code, businessTime, null);
      const isReplaced = record?.qualityStatus === "ACCEPTED" && record.insertTime < insertTime;
      return isReplaced ? [{ record, at: insertTime, by: source }] : [];
    });
    references.keep(code, replaced);
  }

  const references = createReferences({
    market,
    originOf: (number) => origins[number]!,
    isByPerson: imports.isByPerson,
  });

  const cells = {
    put(record: Observation, origin: Origin): void {
      applied++;
      const source = isPending(record) ? origin.source : null;
      beforeChange?.(record.code, record.businessTime, source);
      if (source === null) {
        loader.add(record, sequence, originNumber);
        return;
      }
      const series = pending.get(source) ?? createSeriesStore();
      pending.set(source, series);
      series.putAll([{ ...record, origin: originNumber }], sequence);
    },
    drop(code: AssetCode, times: readonly UtcMillis[], source: string | null, by: number | null): void {
      for (const time of times) beforeChange?.(code, time, source);
      const series = source === null ? undefined : pending.get(source);
      if (source === null) loader.removeAll(code, times, sequence);
      else if (series?.removeAll(code, times, sequence)) {
        imports.noteTaken(by);
        if (series.size === 0) pending.delete(source);
      }
    },
  };

  /** Like `apply`, but much faster for many entries. Call `finishLoading` before reading anything. */
  function load(entry: Entry, number: number): void {
    sequence = number;
    if (entry.type === "import") {
      imports.remember(entry.imported);
      return;
    }
    imports.noteChange(entry);
    if (entry.type === "replaced") keepSuperseded(entry);
    else if (entry.type === "observations" && number !== baseNumber) keepReplaced(entry);
    if (entry.type !== "removal") originNumber = numberOf(entry);
    changeCells(entry, cells);
  }

  function find(code: AssetCode, time: UtcMillis, source: string | null): StoredRecord | undefined {
    const series = source === null ? market : pending.get(source);
    const record = series?.find(code, time);
    return record && storedIn(series!, record);
  }

  /** Adds the origin to a record that was just read from a series. */
  function storedIn(series: SeriesStore, record: Observation): StoredRecord {
    return Object.assign(record, origins[series.originOf(record.code, record.businessTime)!]!);
  }

  function pendingAt(code: AssetCode, time: UtcMillis): readonly StoredRecord[] {
    return [...pending.keys()].sort().flatMap((source) => find(code, time, source) ?? []);
  }

  /** The number of records of an import that still exist. */
  function countStoredBy(id: number): number {
    let count = 0;
    for (const [number, origin] of origins.entries())
      if (origin.import === id) for (const series of [market, ...pending.values()]) count += series.countOf(number);
    return count;
  }

  function* recordsOf(code: AssetCode, status: QualityStatus, window?: TimeWindow): Generator<StoredRecord> {
    if (status !== "PENDING") {
      for (const record of market.all(status, code, window)) yield storedIn(market, record);
      return;
    }
    const found: StoredRecord[] = [];
    for (const series of pending.values())
      for (const record of series.all(status, code, window)) found.push(storedIn(series, record));
    yield* pending.size > 1 ? found.sort(inOrder) : found;
  }

  /** The codes of assets that have a record or once had one. */
  function codes(): ReadonlySet<AssetCode> {
    return new Set([market, ...pending.values()].flatMap((series) => [...series.codes()]));
  }

  /** The records of a status, asset and window (by default, all), in the order of `ObservationWriter.records`. */
  function* records(status?: QualityStatus, code?: AssetCode, window?: TimeWindow): Generator<StoredRecord> {
    for (const one of code === undefined ? codes() : [code])
      for (const each of status ? [status] : QUALITY_STATUSES) yield* recordsOf(one, each, window);
  }

  /** Keeps the records of this moment readable until `end`, while the state changes. Only one freeze at a time. */
  function freeze(): { records(): Generator<StoredRecord>; end(): void } {
    /** The names of the cells that have changed since the freeze, and their records before the change. */
    const changed = new Set<string>();
    const kept = createPriceState();
    const past = new Set<AssetCode>();
    let last: StoredRecord | undefined;
    let isLast = false;
    const isPast = (one: StoredRecord): boolean =>
      isLast || past.has(one.code) || (last?.code === one.code && inOrder(one, last) <= 0);
    beforeChange = (code, time, source) => {
      const cell = cellName(code, time, source);
      if (changed.has(cell)) return;
      changed.add(cell);
      const now = find(code, time, source);
      // A record that was already read must not be read again when it changes.
      if (now && !isPast(now))
        kept.apply({ type: "restored", source: now.source, import: now.import, code, records: [now] }, 1);
    };
    return {
      *records() {
        for (const one of records()) {
          const { code, businessTime, source } = one;
          if (last && last.code !== code) past.add(last.code);
          last = one;
          if (!changed.has(cellName(code, businessTime, isPending(one) ? source : null))) yield one;
        }
        isLast = true;
        yield* kept.records();
      },
      end: () => (beforeChange = undefined),
    };
  }

  return {
    market,
    find,
    pendingAt,
    countPending: (source: string): number => pending.get(source)?.size ?? 0,
    importOf: imports.importOf,
    get lastImport(): number {
      return imports.lastImport;
    },
    /** @param number The number of this change, higher than the numbers of all earlier changes. */
    apply(entry: Entry, number: number): void {
      load(entry, number);
      loader.finish();
    },
    load,
    finishLoading: (): void => void loader.finish(),
    imports: imports.imports,
    rangesOf: imports.rangesOf,
    hasTaken: imports.hasTaken,
    codes,
    countStoredBy,
    records,
    references: references.references,
    superseded: references.kept,
    freeze,
    around(code: AssetCode, time: UtcMillis): Neighbours {
      const pending = pendingAt(code, time).map((one) => ({ ...copyOf(one), source: one.source }));
      return { ...market.around(code, time), ...(pending.length > 0 && { pending }) };
    },
    /** Number of records that were applied, including records that were replaced or removed later. */
    get applied(): number {
      return applied;
    },
    /** The number of records of all statuses, and the number of pending records. */
    get size(): number {
      return market.size + this.pending;
    },
    get pending(): number {
      return [...pending.values()].reduce((sum, { size }) => sum + size, 0);
    },
  };
}

function inOrder(a: StoredRecord, b: StoredRecord): number {
  const byStatus = QUALITY_STATUSES.indexOf(a.qualityStatus) - QUALITY_STATUSES.indexOf(b.qualityStatus);
  const bySource = Number(a.source > b.source) - Number(a.source < b.source);
  return byStatus || a.businessTime - b.businessTime || (isPending(a) ? bySource : 0);
}
