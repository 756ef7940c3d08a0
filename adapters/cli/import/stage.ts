import { createSeriesStore, isPending, isSameRecord, type SeriesStore } from "../../../core/internal.ts";
import type { AssetCode, Observation, ObservationKey, RawRecord } from "../../../core/mod.ts";
import type { PriceOnLine } from "../../intake/tables/distinguishing_columns.ts";

/** The records of one file that were checked, until it is decided whether they are stored: some 20 to 40 bytes each. */
export interface Stage {
  /** Takes a record. One of the same asset and time that came before gives way. */
  add(observation: Observation, record: RawRecord, line: number): void;
  /** Must be called when all were added. */
  finish(): void;
  /** The accepted and rejected records, whose origin is their place in the file. */
  readonly settled: SeriesStore;
  /** All records, by asset and business time, and what each says itself. */
  all(): Generator<StagedRecord>;
  /** The accepted prices, by asset and business time, and their lines. */
  prices(): Generator<PriceOnLine>;
  /** How many records have given way to one with the same value, and to one with another. */
  readonly repeated: number;
  readonly replaced: number;
  /** How many accepted values differ from an earlier one of the same asset and time; the first three. */
  readonly conflicting: number;
  readonly conflicts: readonly StagedConflict[];
  /** How many records there are. */
  readonly size: number;
}

/** A staged record. */
export interface StagedRecord {
  readonly observation: Observation;
  /** A record with the members that it states; their values are not kept. */
  readonly stated: RawRecord;
}

/** Two values of one asset and time, and their lines. */
export interface StagedConflict extends ObservationKey {
  readonly values: readonly [number, number];
  readonly lines: readonly [number, number];
}

/** An observation that came after a later one, until many are put in their places at once. */
type Waiting = Observation & { readonly origin: number };

/** How many conflicts are remembered. */
export const SHOWN_CONFLICTS = 3;
const MAX_WAITING = 65_536;
/** Which members a record states: a bit of its origin each. The line stands above them, and is cut where it would not fit. */
const STATED = ["sourceTime", "provider", "qualityStatus", "qualityMessage"] as const;
const BITS = 2 ** STATED.length;
const STATING: readonly RawRecord[] = Array.from({ length: BITS }, (_, bits) =>
  Object.fromEntries(STATED.flatMap((name, at) => ((bits & (2 ** at)) === 0 ? [] : [[name, true]]))),
);
const MAX_LINE = 2 ** (31 - STATED.length) - 1;

/** Makes a stage. */
export function createStage(onConflict: (line: number, other: number) => void = () => undefined): Stage {
  const [settled, pending] = [createSeriesStore(), createSeriesStore()];
  const conflicts: StagedConflict[] = [];
  let [repeated, replaced, conflicting, count] = [0, 0, 0, 0];

  function createAppender(store: SeriesStore): { add(one: Waiting): void; finish(): void } {
    const loader = store.createLoader();
    const latest = new Map<AssetCode, number>();
    let waiting: Waiting[] = [];

    /** Puts what waits in its places. What came first is compared with what came after it. */
    function finish(): void {
      const sorted = waiting.sort((a, b) => a.businessTime - b.businessTime);
      const seen = new Map<AssetCode, Waiting>();
      for (const next of sorted) {
        const before = seen.get(next.code);
        const isTwice = before?.businessTime === next.businessTime;
        const earlier = isTwice ? before : store.find(next.code, next.businessTime);
        if (earlier) compare(earlier, next, isTwice ? before.origin : store.originOf(next.code, next.businessTime)!);
        seen.set(next.code, next);
      }
      store.putAll(sorted, count);
      waiting = [];
    }

    return {
      add(one) {
        if (one.businessTime > (latest.get(one.code) ?? -Infinity)) {
          latest.set(one.code, one.businessTime);
          loader.add(one, count, one.origin);
        } else if (waiting.push(one) === MAX_WAITING) finish();
      },
      finish,
    };
  }

  function compare(earlier: Observation, later: Waiting, origin: number): void {
    const { code, businessTime } = later;
    if (isSameRecord(earlier, later) || (earlier.value === later.value && isAccepted(earlier) && isAccepted(later)))
      return void repeated++;
    replaced++;
    if (!isAccepted(earlier) || !isAccepted(later)) return;
    conflicting++;
    const lines = [lineOf(origin), lineOf(later.origin)] as const;
    onConflict(...lines);
    if (conflicts.length < SHOWN_CONFLICTS)
      conflicts.push({ code, businessTime, values: [earlier.value, later.value], lines });
  }

  const appenders = [createAppender(settled), createAppender(pending)] as const;
  return {
    add(observation, record, line) {
      count++;
      const bits = STATED.reduce((sum, name, at) => (record[name] === undefined ? sum : sum + 2 ** at), 0);
      const origin = Math.min(line, MAX_LINE) * BITS + bits;
      appenders[isPending(observation) ? 1 : 0].add({ ...observation, origin });
    },
    finish: () => appenders.forEach(({ finish }) => finish()),
    settled,
    *all() {
      for (const store of [settled, pending])
        for (const observation of store.all()) {
          const origin = store.originOf(observation.code, observation.businessTime) ?? 0;
          yield { observation, stated: STATING[origin % BITS]! };
        }
    },
    *prices() {
      for (const { code, businessTime, value } of settled.all("ACCEPTED"))
        yield { code, businessTime, value, line: lineOf(settled.originOf(code, businessTime)!) };
    },
    get repeated() {
      return repeated;
    },
    get replaced() {
      return replaced;
    },
    get conflicting() {
      return conflicting;
    },
    conflicts,
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
