import { createSeriesStore, isPending, isSameRecord, type SeriesStore } from "../../../core/internal.ts";
import type { AssetCode, Observation, ObservationKey, RawRecord, UtcMillis } from "../../../core/mod.ts";
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

/** An observation and its origin. */
type Placed = Observation & { readonly origin: number };

/** Adds observations to a store. Those that are not later than all before wait, until many are put in their places at once. */
interface Appender {
  add(one: Observation, origin: number): void;
  finish(): void;
}

/** How many conflicts are remembered. */
export const SHOWN_CONFLICTS = 3;
/** Records out of order wait until they are this many, or this share of all: few enough to be near in memory, many enough to move the others seldom. */
const [LEAST_WAITING, SHARE_WAITING] = [8_192, 1 / 64];
/** Which members a record states: a bit of its origin each. The line stands above them, and is cut where it would not fit. */
const STATED = ["sourceTime", "provider", "qualityStatus", "qualityMessage"] as const;
const BITS = 2 ** STATED.length;
const STATING: readonly RawRecord[] = Array.from({ length: BITS }, (_, bits) =>
  Object.fromEntries(STATED.flatMap((name, at) => ((bits & (1 << at)) === 0 ? [] : [[name, true]]))),
);
const MAX_LINE = 2 ** (31 - STATED.length) - 1;

/** Makes a stage. */
export function createStage(onConflict: (line: number, other: number) => void = () => undefined): Stage {
  const [settled, pending] = [createSeriesStore(), createSeriesStore()];
  const conflicts: StagedConflict[] = [];
  let [repeated, replaced, conflicting, count] = [0, 0, 0, 0];

  function createAppender(store: SeriesStore): Appender {
    const loader = store.createLoader();
    const assets = new Map<AssetCode, { last: number; readonly waiting: WaitingRows }>();
    let own = { last: -Infinity, waiting: createWaitingRows() };
    let [code, rows, most] = ["" as AssetCode, 0, LEAST_WAITING];

    /** Puts the rows that wait in their places. What came first is compared with what came after it. */
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
      add(one, origin) {
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
      let origin = Math.min(line, MAX_LINE) * BITS;
      for (let at = 0; at < STATED.length; at++) if (record[STATED[at]!] !== undefined) origin += 1 << at;
      appenders[isPending(observation) ? 1 : 0].add(observation, origin);
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

/** Observations of one asset that wait, as columns: objects that stay for a while would cost the garbage collector more than all else. */
interface WaitingRows {
  push(one: Observation, origin: number): void;
  /** Takes all, by business time; of one time, in their order. */
  take(): Placed[];
}

function createWaitingRows(): WaitingRows {
  let columns = emptyColumns();
  return {
    push({ code, insertTime, businessTime, value, sourceTime, provider, qualityStatus, qualityMessage }, origin) {
      // What most rows share is kept once.
      const { kind } = columns;
      if (kind?.provider !== provider || kind.qualityStatus !== qualityStatus || kind.qualityMessage !== qualityMessage)
        columns.kind = { code, insertTime, provider, qualityStatus, qualityMessage };
      columns.kinds.push(columns.kind!);
      columns.times.push(businessTime);
      columns.values.push(value);
      columns.sourceTimes.push(sourceTime ?? NaN);
      columns.origins.push(origin);
    },
    take() {
      const { kinds, times, values, sourceTimes, origins } = columns;
      columns = emptyColumns();
      const order = Uint32Array.from(times.keys()).sort((a, b) => times[a]! - times[b]!);
      return Array.from(order, (row): Placed => {
        const sourceTime = Number.isNaN(sourceTimes[row]) ? null : (sourceTimes[row] as UtcMillis);
        const businessTime = times[row] as UtcMillis;
        // Each member by its name: copying those of the kind together takes ten times as long.
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
