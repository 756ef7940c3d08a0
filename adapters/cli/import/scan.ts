import { DAY_MS, isPending, isSameRecord, type Neighbours, rowFrom, type Zone } from "../../../core/internal.ts";
import type { AppendOutcome, AssetCode, Observation, ObservationKey, RawRecord, UtcMillis } from "../../../core/mod.ts";
import { referencesOf } from "../../intake/levels/expected_prices.ts";
import {
  findSuspiciousLevels,
  type PricesToJudge,
  type SuspiciousLevel,
} from "../../intake/levels/suspicious_levels.ts";
import { completed } from "../../stores/shared/complete_from_stored.ts";
import { type ImportAccess, sizeOfChange, type ValueChange } from "../../stores/shared/imports.ts";
import { createPriceColumns, type PriceColumns } from "./price_columns.ts";

/** Records that were checked: of each, what it says itself, and its place among the lines of all files. */
export interface CheckedRecords {
  readonly observations: readonly Observation[];
  readonly records: readonly RawRecord[];
  readonly places: readonly number[];
}

/** Looks through what an import brings, before anything of it is stored. */
export interface Scan {
  /** Looks at records; resolves to what would become of them. */
  append(checked: CheckedRecords): Promise<AppendOutcome>;
  /** What was seen, when all was looked at. */
  findings(): Promise<ScanResult>;
}

/** What an import brings, and what may be wrong with it. */
export interface ScanResult {
  /** Assets of which nothing is stored, to compare with. */
  readonly first: readonly FirstImport[];
  /** How many values differ from another one of the same asset and time in the same import, and the first three. */
  readonly conflicting: number;
  readonly conflicts: readonly Conflict[];
  /** Records that cannot be what was meant. */
  readonly suspicious: readonly SuspiciousLevel[];
  /** Records that would not be served, as a later one of the same market day is stored. */
  readonly hidden: readonly ObservationKey[];
  /** Accepted records that are stored of the assets of the import, and how many of them change their value. */
  readonly existing: number;
  readonly changed: number;
  /** The largest of these changes, at most three. */
  readonly largest: readonly ValueChange[];
  /** Whether records have to be completed with what is stored of them. */
  readonly isCompleted: boolean;
  /** Whether the import brings an accepted record of this asset and time. */
  brings(key: ObservationKey): boolean;
  /** How many accepted records it brings of each asset. */
  readonly records: ReadonlyMap<AssetCode, number>;
}

/** The prices of an asset that is imported for the first time. */
export interface FirstImport {
  readonly code: AssetCode;
  readonly records: number;
  readonly from: UtcMillis;
  readonly to: UtcMillis;
  readonly lowest: number;
  readonly last: number;
  readonly highest: number;
}

/** Two values of one asset and time. */
export interface Conflict extends ObservationKey {
  readonly values: readonly [number, number];
  readonly places: readonly [number, number];
}

/** What decides how records are stored. */
export interface ScanOptions {
  readonly keepExisting: boolean;
  /** Whether dates without an hour get one from an option, so that they may come before what is stored of their day. */
  readonly hasDayAt: boolean;
  /** The market's. */
  readonly zone: Zone;
  /** How many keys the store is asked for at a time. */
  readonly batchRecords: number;
}

/** What becomes of a record. */
type RecordOutcome = keyof AppendOutcome | "kept";

const SHOWN = 3;

/** Makes the look through an import into a store. Keeps three numbers of each record, and no object. */
export function createScan(
  { around, count }: Pick<ImportAccess, "around" | "count">,
  { keepExisting, hasDayAt, zone, batchRecords }: ScanOptions,
): Scan {
  const brought = new Map<AssetCode, PriceColumns>();
  const stored = new Map<AssetCode, PriceColumns>();
  const conflicts: Conflict[] = [];
  const hidden: ObservationKey[] = [];
  let largest: readonly ValueChange[] = [];
  let [changed, conflicting, isCompleted] = [0, 0, false];

  function see({ before, at, after }: Neighbours): void {
    for (const one of [before, at, after]) {
      if (one?.qualityStatus !== "ACCEPTED") continue;
      const columns = columnsOf(stored, one.code);
      if (columns.rowOf(one.businessTime) === undefined) columns.push(one.businessTime, one.value);
    }
  }

  /** Takes a record; returns what becomes of it. */
  function take({ observations, records, places }: CheckedRecords, i: number, near: Neighbours): RecordOutcome {
    const observation = observations[i]!;
    const [record, place] = [records[i]!, places[i]!];
    const { code, businessTime, value } = observation;
    const { at, after, pending } = near;
    see(near);
    const meant = completed(observation, record, near);
    isCompleted ||= meant !== observation;
    const isUnchanged = at !== undefined && isSameRecord(at, meant);
    const own = columnsOf(brought, code);
    if (isPending(meant)) {
      if ((at?.qualityStatus === "ACCEPTED" && at.value === value) || pending?.some((one) => isSameRecord(one, meant)))
        return "unchanged";
      if (keepExisting && (pending || (at && at.value !== value))) return "kept";
      return pending ? "replaced" : "accepted";
    }
    if (at && !isUnchanged && keepExisting) return "kept";
    const row = meant.qualityStatus === "ACCEPTED" ? own.rowOf(businessTime) : undefined;
    if (row !== undefined) {
      const earlier = own.at(row);
      if (earlier.value === value) return "unchanged";
      if (conflicts.length < SHOWN)
        conflicts.push({ code, businessTime, values: [earlier.value, value], places: [earlier.place, place] });
      conflicting++;
      own.replace(row, value, place);
      return "replaced";
    }
    if (meant.qualityStatus === "ACCEPTED") own.push(businessTime, value, place);
    if (isUnchanged) return "unchanged";
    if (at && at.qualityStatus === "ACCEPTED" && at.value !== value) {
      changed++;
      largest = withLargest(largest, { code, businessTime, from: at.value, to: value });
    }
    const isHidden = hasDayAt && meant.qualityStatus === "ACCEPTED" && after !== undefined && after.value !== value;
    if (isHidden && isSameDay(businessTime, after.businessTime)) hidden.push({ code, businessTime });
    return at ? "replaced" : "accepted";
  }

  function isSameDay(earlier: UtcMillis, later: UtcMillis): boolean {
    return later - earlier < DAY_MS && zone.dateAt(earlier) === zone.dateAt(later);
  }

  /** Looks up what the assets of the import are compared with, on its days. */
  async function seeReferences(): Promise<void> {
    const days = new Map<AssetCode, Set<number>>();
    for (const [code, columns] of brought) {
      for (const reference of referencesOf(code)) {
        const own = days.get(reference) ?? days.set(reference, new Set()).get(reference)!;
        for (const time of columns.sorted().times) own.add(Math.floor(time / DAY_MS));
      }
    }
    const keys = [...days].flatMap(([code, all]) =>
      [...all].map((day) => ({ code, businessTime: (day * DAY_MS + DAY_MS / 2) as UtcMillis })),
    );
    for (let at = 0; at < keys.length; at += batchRecords)
      for (const near of await around(keys.slice(at, at + batchRecords))) see(near);
  }

  return {
    async append(checked) {
      const found = await around(checked.observations.map(({ code, businessTime }) => ({ code, businessTime })));
      const outcome = { accepted: 0, replaced: 0, unchanged: 0, kept: 0 };
      found.forEach((near, i) => outcome[take(checked, i, near)]++);
      return outcome;
    },
    async findings() {
      await seeReferences();
      const codes = [...brought].flatMap(([code, { size }]) => (size > 0 ? [code] : []));
      const prices = new Map<AssetCode, PricesToJudge>();
      for (const code of new Set([...codes, ...stored.keys()])) {
        prices.set(code, { batch: columnsOf(brought, code).sorted(), stored: columnsOf(stored, code).sorted() });
      }
      const brings = ({ code, businessTime }: ObservationKey): boolean =>
        brought.get(code)?.rowOf(businessTime) !== undefined;
      const isLastOfDay = ({ code, businessTime }: ObservationKey): boolean => {
        const { times } = prices.get(code)!.batch;
        const next = times[rowFrom(times, businessTime + 1)] as UtcMillis | undefined;
        return next === undefined || !isSameDay(businessTime, next);
      };
      return {
        first: codes.flatMap((code) =>
          stored.get(code)!.size > 0 ? [] : [firstImport(code, prices.get(code)!.batch)],
        ),
        suspicious: findSuspiciousLevels(prices),
        hidden: hidden.filter(isLastOfDay),
        existing: await count([...brought.keys()]),
        ...{
          records: new Map(codes.map((code) => [code, brought.get(code)!.size])),
          conflicting,
          conflicts,
          changed,
          largest,
          isCompleted,
          brings,
        },
      };
    },
  };
}

function columnsOf(all: Map<AssetCode, PriceColumns>, code: AssetCode): PriceColumns {
  let columns = all.get(code);
  if (!columns) all.set(code, (columns = createPriceColumns()));
  return columns;
}

function firstImport(code: AssetCode, { times, values }: PricesToJudge["batch"]): FirstImport {
  let [lowest, highest] = [Infinity, 0];
  for (let row = 0; row < values.length; row++)
    [lowest, highest] = [Math.min(lowest, values[row]!), Math.max(highest, values[row]!)];
  const end = values.length - 1;
  return {
    code,
    records: values.length,
    from: times[0] as UtcMillis,
    to: times[end] as UtcMillis,
    lowest,
    last: values[end]!,
    highest,
  };
}

function withLargest(largest: readonly ValueChange[], change: ValueChange): readonly ValueChange[] {
  if (largest.length === SHOWN && sizeOfChange(change) <= sizeOfChange(largest[SHOWN - 1]!)) return largest;
  return [...largest, change].sort((a, b) => sizeOfChange(b) - sizeOfChange(a)).slice(0, SHOWN);
}
