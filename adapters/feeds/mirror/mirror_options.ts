import type { Neighbours } from "../../../core/internal.ts";
import type {
  Asset,
  AssetCode,
  Clock,
  MaybePromise,
  Observation,
  ObservationWriter,
  ReferenceAccess,
  UtcMillis,
} from "../../../core/mod.ts";
import type { MirrorStateStore } from "../../stores/shared/store.ts";

export type { MirrorStateStore } from "../../stores/shared/store.ts";

/** What a mirror needs of the store that it fills: `around` finds what there is at a business time, and next to it. `observations` of the stores in memory and in files have it all. */
export interface MirrorObservations extends Pick<ObservationWriter, "append" | "maxBatch">, ReferenceAccess {
  around(code: AssetCode, businessTime: UtcMillis): MaybePromise<Neighbours>;
}

/** A state that has begun, or something that was found, for a log. `message` is a sentence without a full stop. */
export interface MirrorEvent {
  readonly level: "info" | "warn" | "error";
  readonly kind:
    | "running"
    | "resting"
    | "failing"
    | "late"
    | "smaller-plan"
    | "clock"
    | "refused"
    | "pending"
    | "assets"
    | "history"
    | "not-stored";
  readonly message: string;
}

/** What a mirror is to do, and with what. */
export interface MirrorOptions {
  /** Base URL of the upstream, e.g. `https://api.example.com`; a path is kept, `/api/v1` at its end does not matter. */
  readonly upstream: string;
  /** The key for it, or what reads it: before each request, and each minute while the upstream refuses it. It is sent in a header field, to this upstream alone. */
  readonly key: string | (() => MaybePromise<string>);
  readonly observations: MirrorObservations;
  readonly state: MirrorStateStore;
  /** The catalog. Records of other codes are passed over. Default: the assets of the contract. */
  readonly assets?: readonly Asset[];
  /** The codes whose history is wanted, the most important first. Default: the whole catalog, ten codes that most ask for before the others. */
  readonly codes?: readonly AssetCode[];
  /** The most units that are spent in any 24 hours. Default: 50. */
  readonly unitsADay?: number;
  /** Just before and after its midnights values are refreshed. Default: `Asia/Tehran`. */
  readonly marketTimeZone?: string;
  /** Provider of the records here. Default: the upstream's host name. */
  readonly provider?: string;
  /** Called with everything worth a line in a log, and when the upstream says for the first time, or anew, that its data must be credited. */
  readonly onEvent?: (event: MirrorEvent) => void;
  readonly onAttributionRequired?: () => MaybePromise<void>;
  /** Called with the new records of each answer after they were judged: accepted, or pending. */
  readonly onJudged?: ((records: readonly Observation[]) => void) | undefined;
  /** Whether records can be stored just now: if not, no unit is spent. Default: always. */
  readonly canStore?: () => boolean;
  /** For tests: the machine's clock, the milliseconds that have passed, waits that end early once `signal` is aborted, and requests. */
  readonly clock?: Clock;
  readonly elapsed?: () => number;
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<unknown>;
  readonly fetch?: typeof fetch;
}

/** What most ask for: filled first where no codes are named. */
export const FIRST_CODES: readonly string[] = [
  "USD_RLS",
  "SEKKEH_RLS",
  "GOLD_18_RLS",
  "EUR_RLS",
  "USDT_RLS",
  "BTC_USD",
  "GOLD_OUNCE_USD",
  "ETH_USD",
  "AED_RLS",
  "NIM_SEKKEH_RLS",
];
