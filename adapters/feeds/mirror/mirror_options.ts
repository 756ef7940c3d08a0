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
import type { MirrorStatus } from "./mirror_status.ts";
import type { DayRange } from "./planner/mod.ts";

export type { MirrorStateStore } from "../../stores/shared/store.ts";

/** A running mirror. */
export interface Mirror {
  status(): MirrorStatus;
  /** Requests days of an asset again. Throws `RangeError` for an unknown code, invalid days, or too many days. */
  again(code: AssetCode, range: DayRange): true;
  /** Stops the mirror and aborts its current request. Resolves when the mirror has stopped writing. */
  close(): Promise<void>;
}

/** The `observations` methods that a mirror uses. `around` finds the records at and next to a business time. */
export interface MirrorObservations extends Pick<ObservationWriter, "append" | "maxBatch">, ReferenceAccess {
  around(code: AssetCode, businessTime: UtcMillis): MaybePromise<Neighbours>;
}

/** A new state or a finding, for a log. `message` is a sentence without a full stop. */
export interface MirrorEvent {
  readonly level: "info" | "warn" | "error";
  readonly kind:
    | MirrorStatus["state"]
    | "smaller-plan"
    | "clock"
    | "refused"
    | "pending"
    | "assets"
    | "history"
    | "not-stored";
  readonly message: string;
}

/** Options of a mirror. */
export interface MirrorOptions {
  /** Base URL of the upstream, such as `https://api.example.com`; a path is kept, but a final `/api/v1` is ignored. */
  readonly upstream: string;
  /** The key, or a function that reads it before each request. The key is sent only to this upstream, in a header. */
  readonly key: string | (() => MaybePromise<string>);
  readonly observations: MirrorObservations;
  readonly state: MirrorStateStore;
  /** The catalog. Records of other codes are ignored. Default: the assets of the contract. */
  readonly assets?: readonly Asset[];
  /** The codes to fill with history, the most important first. Default: the catalog, with ten popular codes first. */
  readonly codes?: readonly AssetCode[];
  /** The most units to spend in any 24 hours. Default: 50. */
  readonly unitsADay?: number;
  /** Values are refreshed just before and after each midnight of this zone. Default: `Asia/Tehran`. */
  readonly marketTimeZone?: string;
  /** Provider of the stored records. Default: the upstream's host name. */
  readonly provider?: string;
  /** Called with each event that deserves a line in a log. */
  readonly onEvent?: (event: MirrorEvent) => void;
  /** Called when the upstream begins to require attribution. */
  readonly onAttributionRequired?: () => MaybePromise<void>;
  /** Called with the new records of each answer once they are accepted or pending. */
  readonly onJudged?: ((records: readonly Observation[]) => void) | undefined;
  /** Whether records can be stored now; if not, no unit is spent. Default: always. */
  readonly canStore?: () => boolean;
  /** For tests: these replace the clock, the elapsed time, the wait (which `signal` can end early), and `fetch`. */
  readonly clock?: Clock;
  readonly elapsed?: () => number;
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<unknown>;
  readonly fetch?: typeof fetch;
}

/** The most popular codes, which are filled first if no codes are given. */
export const FIRST_CODES: readonly string[] =
  "USD_RLS SEKKEH_RLS GOLD_18_RLS EUR_RLS USDT_RLS BTC_USD GOLD_OUNCE_USD ETH_USD AED_RLS NIM_SEKKEH_RLS".split(" ");

/** Reads the key. Rejects with `TypeError` for a key with blanks or unprintable characters. */
export async function readMirrorKey(given: MirrorOptions["key"]): Promise<string> {
  const key: unknown = typeof given === "function" ? await given() : given;
  if (typeof key === "string" && /^[\x21-\x7e]+$/.test(key)) return key;
  throw new TypeError("Cannot mirror because the key must be a text of printable characters without blanks");
}
