import { createSeriesStore, isPending, isSameRecord, type SeriesStore } from "../../../core/internal.ts";
import type { AssetCode, Observation, ObservationKey, RawRecord, UtcMillis } from "../../../core/mod.ts";
import type { PriceOnLine } from "../../intake/tables/distinguishing_columns.ts";

/** Holds the checked records of one file until they are stored or dropped. A record takes 20 to 40 bytes of memory. */
export type Stage = ReturnType<typeof createStage>;

/** A staged record. */
export interface StagedRecord {
  readonly observation: Observation;
  /** Has `true` as the value of each optional member that the file states for this record. */
  readonly stated: RawRecord;
}

/** Two different values for the same asset and time, with their places: their lines, or their files and lines. */
export interface Conflict<Place> extends ObservationKey {
  readonly values: readonly [number, number];
  readonly places: readonly [Place, Place];
}

type Placed = Observation & { readonly origin: number };

/** How many conflicts are remembered. */
export const SHOWN_CONFLICTS = 3;
/** Records out of order are held back until there are 8,192 of them, or 1/64 of all records, whichever is more. */
const [LEAST_WAITING, SHARE_WAITING] = [8_192, 1 / 64];
/** The low bits of an origin tell which of these members the file states. The bits above them hold the line number. */
const STATED = ["sourceTime", "provider", "qualityStatus", "qualityMessage"] as const;
const BITS = 2 ** STATED.length;
const STATING: readonly RawRecord[] = Array.from({ length: BITS }, (_, bits) =>
  Object.fromEntries(STATED.flatMap((name, at) => ((bits & (1 << at)) === 0 ? [] : [[name, true]]))),
);
const MAX_LINE = 2 ** (31 - STATED.length) - 1;

/** Makes a stage. */
export function createStage(onConflict: (line: number, other: number) => void) {
  const [settled, pending] = [createSeriesStore(), createSeriesStore()];
  const conflicts: Conflict<number>[] = [];
  const counts = { repeated: 0, replaced: 0, conflicting: 0 };
  let count = 0;

  /** Makes a function that adds observations to a store. Observations out of order are inserted later, together. */
  function createAppender(store: SeriesStore) {
    const loader = store.createLoader();
    let own = { last: -Infinity, waiting: createWaitingRows() };
    const assets = new Map<AssetCode, typeof own>();
    let [code, rows, most] = ["" as AssetCode, 0, LEAST_WAITING];

    /** Inserts the waiting rows. Compares each row with the earlier row for the same time. */
    function finish(): void {
      for (const { waiting } of assets.values()) {
        const sorted = waiting.take();
        for (const [at, next] of sorted.entries()) {
          const before = sorted[at - 1];
          const isTwice = before?.businessTime === next.businessTime;
          const earlier = isTwice ? before : store.find(next.code, next.businessTime);
          if (earlier) compare(earlier, next, isTwice ? before.origin : store.originOf(next.code, next.businessTime)!);
        }
        store.putAll(sorted, count);
      }
      rows = 0;
      most = Math.max(LEAST_WAITING, store.size * SHARE_WAITING);
    }

    return {
      add(one: Observation, origin: number): void {
        if (one.code !== code) {
          code = one.code;
          own = assets.get(code) ?? { last: -Infinity, waiting: createWaitingRows() };
          assets.set(code, own);
        }
        if (one.businessTime > own.last) {
          own.last = one.businessTime;
          loader.add(one, count, origin);
          return;
        }
        own.waiting.push(one, origin);
        if (++rows >= most) finish();
      },
      finish,
    };
  }

  function compare(earlier: Observation, later: Placed, origin: number): void {
    const { code, businessTime } = later;
    if (isSameRecord(earlier, later) || (earlier.value === later.value && isAccepted(earlier) && isAccepted(later)))
      return void counts.repeated++;
    counts.replaced++;
    if (!isAccepted(earlier) || !isAccepted(later)) return;
    counts.conflicting++;
    const places = [lineOf(origin), lineOf(later.origin)] as const;
    onConflict(...places);
    if (conflicts.length < SHOWN_CONFLICTS)
      conflicts.push({ code, businessTime, values: [earlier.value, later.value], places });
  }

  const appenders = [createAppender(settled), createAppender(pending)] as const;
  return {
    /** Adds a record, which replaces an earlier record for the same asset and time. */
    add(observation: Observation, record: RawRecord, line: number): void {
      count++;
      let origin = Math.min(line, MAX_LINE) * BITS;
      for (let at = 0; at < STATED.length; at++) if (record[STATED[at]!] !== undefined) origin += 1 << at;
      appenders[isPending(observation) ? 1 : 0].add(observation, origin);
    },
    /** Must be called after the last record is added. */
    finish: () => appenders.forEach(({ finish }) => finish()),
    /** The accepted and rejected records. `lineOf` reads their line from the origin. */
    settled,
    /** All records, by asset and business time. */
    *all(): Generator<StagedRecord> {
      for (const store of [settled, pending])
        for (const observation of store.all()) {
          const origin = store.originOf(observation.code, observation.businessTime) ?? 0;
          yield { observation, stated: STATING[origin % BITS]! };
        }
    },
    /** The accepted prices with their lines, by asset and business time. */
    *prices(): Generator<PriceOnLine> {
      for (const { code, businessTime, value } of settled.all("ACCEPTED"))
        yield { code, businessTime, value, line: lineOf(settled.originOf(code, businessTime)!) };
    },
    /**
     * `repeated`: the number of records that repeat an earlier record. `replaced`: the number that replace a different
     * earlier record. `conflicting`: how many of these replace an accepted record with another accepted value.
     */
    counts: counts as Readonly<typeof counts>,
    /** The first three conflicts, with their lines. */
    conflicts: conflicts as readonly Conflict<number>[],
    get size() {
      return settled.size + pending.size;
    },
  };
}

/** The line of a staged record in its file. */
export function lineOf(origin: number): number {
  return Math.floor(origin / BITS);
}

function isAccepted({ qualityStatus }: Observation): boolean {
  return qualityStatus === "ACCEPTED";
}

/** Holds waiting observations of an asset as columns. With objects, garbage collection would take most of the time. */
function createWaitingRows() {
  let columns = emptyColumns();
  return {
    push(one: Observation, origin: number): void {
      const { code, insertTime, businessTime, value, sourceTime, provider, qualityStatus, qualityMessage } = one;
      // Consecutive rows that agree in these members share one object.
      const { kind } = columns;
      if (kind?.provider !== provider || kind.qualityStatus !== qualityStatus || kind.qualityMessage !== qualityMessage)
        columns.kind = { code, insertTime, provider, qualityStatus, qualityMessage };
      columns.kinds.push(columns.kind!);
      columns.times.push(businessTime);
      columns.values.push(value);
      columns.sourceTimes.push(sourceTime ?? NaN);
      columns.origins.push(origin);
    },
    /** Removes all rows and returns them by business time. Rows with the same time stay in the order of the file. */
    take(): Placed[] {
      const { kinds, times, values, sourceTimes, origins } = columns;
      columns = emptyColumns();
      const order = Uint32Array.from(times.keys()).sort((a, b) => times[a]! - times[b]!);
      return Array.from(order, (row): Placed => {
        const sourceTime = Number.isNaN(sourceTimes[row]) ? null : (sourceTimes[row] as UtcMillis);
        const businessTime = times[row] as UtcMillis;
        // Members are copied by name: spreading `kind` takes ten times as long.
        const { code, insertTime, provider, qualityStatus, qualityMessage } = kinds[row]!;
        const [value, origin] = [values[row]!, origins[row]!];
        return { code, value, businessTime, sourceTime, insertTime, provider, qualityStatus, qualityMessage, origin };
      });
    },
  };
}

type Kind = Pick<Observation, "code" | "insertTime" | "provider" | "qualityStatus" | "qualityMessage">;

function emptyColumns(): Record<"times" | "values" | "sourceTimes" | "origins", number[]> & {
  kinds: Kind[];
  kind: Kind | undefined;
} {
  return { times: [], values: [], sourceTimes: [], origins: [], kinds: [], kind: undefined };
}
