import {
  createSeriesStore,
  DAY_MS,
  isPending,
  isSameRecord,
  type Neighbours,
  type PriceColumns,
} from "../../../core/internal.ts";
import type { AssetCode, ObservationKey, UtcMillis } from "../../../core/mod.ts";
import { referencesOf } from "../../intake/levels/expected_prices.ts";
import type { PriceSeries, PricesToJudge } from "../../intake/levels/price_chain.ts";
import { findSuspiciousLevels } from "../../intake/levels/suspicious_levels.ts";
import { completed } from "../../stores/shared/complete_from_stored.ts";
import { type ImportAccess, sizeOfChange, type ValueChange } from "../../stores/shared/imports.ts";
import { inBatches } from "../../stores/shared/store_copying.ts";
import type { ImportRequest } from "./run_import.ts";
import { type Conflict, lineOf, SHOWN_CONFLICTS, type Stage, type StagedRecord } from "./stage.ts";

/** The content of an import and its possible faults. */
export type Findings = Awaited<ReturnType<typeof judgeRecords>>;

/** The numbers of records that are new, replace another record, are already stored, or are left out. */
export type Outcome = Record<"accepted" | "replaced" | "unchanged" | "kept", number>;

/** The prices of an asset that is imported for the first time. */
export type FirstImport = Readonly<ReturnType<typeof firstImport>>;

/** A line of one of the files. */
export interface Place {
  readonly file: number;
  readonly line: number;
}

/** How records are judged. */
export interface JudgeOptions extends Pick<ImportRequest, "keepExisting" | "zone"> {
  /** Whether `--day-at` sets the time of dates. If so, a stored record of the same day may be later. */
  readonly hasDayAt: boolean;
  /** How many keys are looked up in the store at once. */
  readonly batchRecords: number;
}

const SHOWN = 3;

/** Compares the records of the files with each other, with the stored records, and with expected prices. */
export async function judgeRecords(
  stages: readonly Stage[],
  around: ImportAccess["around"],
  { keepExisting, hasDayAt, zone, batchRecords }: JudgeOptions,
) {
  // The records of a single file need not be copied.
  const [only] = stages;
  const brought = only && stages.length === 1 ? only.settled : createSeriesStore();
  const stored = createSeriesStore();
  const [conflicts, hidden]: [Conflict<Place>[], ObservationKey[]] = [[], []];
  /** Times of records that are accepted in the file, but inherit another status from a stored record. */
  const decided = new Map<AssetCode, Set<number>>();
  let largest: readonly ValueChange[] = [];
  let [changed, existing, conflicting, isCompleted] = [0, 0, 0, false];

  function see({ before, at, after }: Neighbours): void {
    for (const one of [before, at, after])
      if (one?.qualityStatus === "ACCEPTED" && !stored.find(one.code, one.businessTime)) stored.putAll([one], 1);
  }

  function outcomeOf({ observation, stated }: StagedRecord, near: Neighbours): keyof Outcome {
    const { code, businessTime, value } = observation;
    const { at, after, pending } = near;
    see(near);
    const meant = completed(observation, stated, near);
    isCompleted ||= meant !== observation;
    if (meant.qualityStatus !== observation.qualityStatus)
      (decided.get(code) ?? decided.set(code, new Set()).get(code)!).add(businessTime);
    if (isPending(meant)) {
      if ((at?.qualityStatus === "ACCEPTED" && at.value === value) || pending?.some((one) => isSameRecord(one, meant)))
        return "unchanged";
      if (keepExisting && (pending || (at && at.value !== value))) return "kept";
      return pending ? "replaced" : "accepted";
    }
    if (at?.qualityStatus === "ACCEPTED") existing++;
    if (at && isSameRecord(at, meant)) return "unchanged";
    if (at && keepExisting) return "kept";
    if (at?.qualityStatus === "ACCEPTED" && at.value !== value) {
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

  async function judgeFile(stage: Stage): Promise<Outcome> {
    const outcome = { accepted: 0, replaced: stage.counts.replaced, unchanged: stage.counts.repeated, kept: 0 };
    for await (const batch of inBatches(stage.all(), batchRecords)) {
      const found = await around(batch.map(({ observation: { code, businessTime } }) => ({ code, businessTime })));
      found.forEach((near, i) => outcome[outcomeOf(batch[i]!, near)]++);
    }
    return outcome;
  }

  /** Adds the records of a file, and compares them with the records of earlier files. */
  function bring(stage: Stage, file: number): void {
    conflicting += stage.counts.conflicting;
    for (const { places, ...conflict } of stage.conflicts)
      conflicts.push({ ...conflict, places: places.map((line) => ({ file, line })) as [Place, Place] });
    if (brought === stage.settled) return;
    const loader = brought.createLoader();
    for (const one of stage.settled.all()) {
      const { code, businessTime, value } = one;
      const earlier = brought.find(code, businessTime);
      if (earlier?.qualityStatus === "ACCEPTED" && one.qualityStatus === "ACCEPTED" && earlier.value !== value) {
        conflicting++;
        const before = brought.originOf(code, businessTime)!;
        const places = [before, file].map((file) => {
          return { file, line: lineOf(stages[file]!.settled.originOf(code, businessTime) ?? 0) };
        }) as [Place, Place];
        if (conflicts.length < SHOWN_CONFLICTS)
          conflicts.push({ code, businessTime, values: [earlier.value, value], places });
      }
      loader.add(one, file + 1, file);
    }
    loader.finish();
  }

  /** Reads the prices of reference assets on the days of the import. */
  async function seeReferences(prices: ReadonlyMap<AssetCode, PriceSeries>): Promise<void> {
    const days = new Map<AssetCode, Set<number>>();
    for (const [code, { times }] of prices) {
      for (const reference of referencesOf(code)) {
        const own = days.get(reference) ?? days.set(reference, new Set()).get(reference)!;
        for (let row = 0; row < times.length; row++) own.add(Math.floor(times[row]! / DAY_MS));
      }
    }
    for (const [code, all] of days) {
      const noons = Array.from(all, (day) => ({ code, businessTime: (day * DAY_MS + DAY_MS / 2) as UtcMillis }));
      for await (const keys of inBatches(noons, batchRecords)) for (const near of await around(keys)) see(near);
    }
  }

  for (const [file, stage] of stages.entries()) bring(stage, file);
  const outcomes: Outcome[] = [];
  for (const stage of stages) outcomes.push(await judgeFile(stage));
  const batches = new Map(
    [...brought.codes()].map((code) => [code, withoutTimes(brought.prices(code), decided.get(code))]),
  );
  await seeReferences(batches);
  const codes = [...batches].flatMap(([code, { times }]) => (times.length > 0 ? [code] : []));
  const prices = new Map<AssetCode, PricesToJudge>();
  for (const code of new Set([...codes, ...stored.codes()]))
    prices.set(code, { batch: batches.get(code) ?? brought.prices(code), stored: stored.prices(code) });
  const isLastOfDay = ({ code, businessTime }: ObservationKey): boolean => {
    const { after } = brought.around(code as AssetCode, businessTime);
    return after === undefined || !isSameDay(businessTime, after.businessTime);
  };
  const isFirst = (code: AssetCode): boolean => stored.prices(code).times.length === 0;
  return {
    /** Assets without stored records to compare with. */
    first: codes.filter(isFirst).map((code) => firstImport(code, batches.get(code)!)),
    suspicious: findSuspiciousLevels(prices),
    /** Records that would not be served, because a later record of the same market day is stored. */
    hidden: hidden.filter(isLastOfDay),
    /** The number of accepted records of each asset. */
    records: new Map(codes.map((code) => [code, batches.get(code)!.times.length])) as ReadonlyMap<AssetCode, number>,
    /** Whether the import has an accepted record for this asset and time. */
    brings: ({ code, businessTime }: ObservationKey): boolean =>
      brought.find(code, businessTime)?.qualityStatus === "ACCEPTED",
    /** How many values contradict another value of this import for the same asset and time. */
    conflicting,
    /** The first three conflicts. */
    conflicts,
    /** How many records have the asset and the time of an accepted stored record. */
    existing,
    /** How many stored values change. */
    changed,
    /** The three largest changes. */
    largest,
    /** Whether any record takes members from a stored record, because its file does not state them. */
    isCompleted,
    /** The outcome of the records of each file. */
    outcomes,
  };
}

function withoutTimes({ times, values }: PriceColumns, without: ReadonlySet<number> | undefined): PriceColumns {
  if (!without) return { times, values };
  const isKept = (_: number, row: number): boolean => !without.has(times[row]!);
  return { times: times.filter(isKept), values: values.filter(isKept) };
}

function firstImport(code: AssetCode, { times, values }: PriceSeries) {
  let [lowest, highest] = [Infinity, 0];
  for (let row = 0; row < values.length; row++)
    [lowest, highest] = [Math.min(lowest, values[row]!), Math.max(highest, values[row]!)];
  const end = values.length - 1;
  const [from, to] = [times[0] as UtcMillis, times[end] as UtcMillis];
  return { code, records: values.length, lowest, last: values[end]!, highest, from, to };
}

function withLargest(largest: readonly ValueChange[], change: ValueChange): readonly ValueChange[] {
  if (largest.length === SHOWN && sizeOfChange(change) <= sizeOfChange(largest[SHOWN - 1]!)) return largest;
  return [...largest, change].sort((a, b) => sizeOfChange(b) - sizeOfChange(a)).slice(0, SHOWN);
}
