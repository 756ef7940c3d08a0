import type { Neighbours } from "../../core/internal.ts";
import type { Asset, AssetCode, Clock, MaybePromise, ObservationWriter, UtcMillis } from "../../core/mod.ts";
import type { MirrorEvent } from "./events.ts";
import type { MirrorStateStore } from "./state_port.ts";

/** What a mirror needs of the store that it fills. Both stores of this package have it. */
export interface MirrorObservations extends Pick<ObservationWriter, "append" | "maxBatch"> {
  /** What there is at a business time of an asset, and next to it. */
  around(code: AssetCode, businessTime: UtcMillis): MaybePromise<Neighbours>;
}

/** What a mirror is to do, and with what. */
export interface MirrorOptions {
  /** Base URL of the upstream, e.g. `https://api.example.com`; a path is kept. */
  readonly upstream: string;
  /** The key for it. It is sent in a header field, to this upstream alone. */
  readonly key: string;
  readonly observations: MirrorObservations;
  readonly state: MirrorStateStore;
  /** The catalog. Records of other codes are passed over. Default: the assets of the contract. */
  readonly assets?: readonly Asset[];
  /** The codes whose history is wanted, the most important first. Default: the whole catalog. */
  readonly codes?: readonly AssetCode[];
  /** The most units that are spent on one day of the upstream, in UTC. Default: 50. */
  readonly unitsADay?: number;
  /** Provider of the records here. Default: the upstream's host name. */
  readonly provider?: string;
  /** Called with everything worth a line in a log. Default: nobody. */
  readonly onEvent?: (event: MirrorEvent) => void;
  /** Called when the upstream says for the first time, or anew, that its data must be credited. Default: nothing. */
  readonly onAttributionRequired?: () => MaybePromise<void>;
  /** Whether records can be stored just now: if not, no unit is spent. Default: always. */
  readonly canStore?: () => boolean;
  /** The machine's clock. The upstream's own decides about its days. */
  readonly clock?: Clock;
  /** Waits; returns early once `signal` is aborted, without an error. Default: a timer of the machine. */
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Default: that of the runtime. */
  readonly fetch?: typeof fetch;
  /** From 0 to 1, for waits after failures. Default: `Math.random`. */
  readonly chance?: () => number;
}

/** A base URL that can be used, without a slash at its end. Throws `TypeError` for another. */
export function baseUrlOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) throw new TypeError(`Cannot mirror as the upstream must be an http or https URL: received "${text.replace(/\/\/[^/]*@/, "//…@").slice(0, 200)}"`);
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    throw new TypeError("Cannot mirror as the upstream must be a base URL, without a user, a query or a fragment");
  }
  const base = `${url.origin}${url.pathname}`.replace(/\/+$/, "");
  const [, before] = /^(.*?)\/api\/v1(?:\/|$)/.exec(base) ?? [];
  // Not cut off here: the ledger is kept by upstream, and two spellings of one would be two ledgers.
  if (before !== undefined) throw new TypeError(`Cannot mirror as the upstream must be the URL before /api/v1: give "${before}" for "${base.slice(0, 200)}"`);
  return base;
}
