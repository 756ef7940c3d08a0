import { DAY_MS, formatTimestamp, HOUR_MS, MINUTE_MS } from "../../../core/internal.ts";
import type { AssetCode, Observations, UtcClock, UtcMillis } from "../../../core/mod.ts";
import type { MirrorStatus } from "../../feeds/mirror/mod.ts";
import type { NodeLoad } from "../../http/node/mod.ts";
import type { Store } from "../../stores/shared/store.ts";
import type { Trouble, Watcher } from "../../stores/shared/store_troubles.ts";
import type { ReadinessReport } from "./readiness.ts";

/** Watches the age of the newest record, and whether the clock can be right about it. */
export interface FeedWatcher extends Watcher {
  sweep(): Promise<void>;
  /** Business time of the newest accepted record, as found by the last sweep. */
  newest(): UtcMillis | undefined;
  /** The same of each asset that has one. */
  newestOf(): ReadonlyMap<AssetCode, UtcMillis>;
}

/** How far a clock may be set, or be behind the newest price, without a word: quota days, ages and expiries follow it. Ingest takes prices up to five minutes ahead. */
const CLOCK_TOLERANCE_MS = HOUR_MS;

/** @param maxAgeMinutes Age of the newest record above which the feed is stale; `undefined` for no limit. */
export function watchFeed(
  observations: Pick<Observations, "latest" | "version">,
  {
    codes,
    clock,
    maxAgeMinutes,
  }: { readonly codes: readonly AssetCode[]; readonly clock: UtcClock; readonly maxAgeMinutes: number | undefined },
): FeedWatcher {
  let version: string | undefined;
  let newest: UtcMillis | undefined;
  let newestOf: ReadonlyMap<AssetCode, UtcMillis> = new Map();

  function message(): string | undefined {
    if (maxAgeMinutes === undefined || version === undefined) return undefined;
    if (newest === undefined) return "There are no records";
    if (clock() - newest <= maxAgeMinutes * MINUTE_MS) return undefined;
    return `The newest record is of ${formatTimestamp(newest)}, more than ${maxAgeMinutes} minutes ago`;
  }

  function clockMessage(): string | undefined {
    const behindMs = newest === undefined ? 0 : newest - clock();
    if (behindMs <= CLOCK_TOLERANCE_MS) return undefined;
    const [width, unit] = behindMs < 2 * DAY_MS ? [HOUR_MS, "hour"] : [DAY_MS, "day"];
    const count = Math.floor(behindMs / width);
    return `The clock of this machine is ${count} ${unit}${count === 1 ? "" : "s"} behind the newest price: set the clock, or withdraw prices that are too new`;
  }

  return {
    troubles: () => [...troublesOf("clock-behind", clockMessage()), ...troublesOf("stale-feed", message())],
    async sweep() {
      const found = await observations.version();
      if (found === version) return;
      const latest = await observations.latest(codes);
      newestOf = new Map(latest.value.flatMap((one) => (one ? [[one.code, one.businessTime] as const] : [])));
      newest = newestOf.size === 0 ? undefined : (Math.max(...newestOf.values()) as UtcMillis);
      version = found;
    },
    newest: () => newest,
    newestOf: () => newestOf,
  };
}

/** What a person should decide about, which is no trouble, as the last sweep has found it. */
export interface CountWatcher extends Required<Watcher> {
  counts(): Pick<ReadinessReport, "pending" | "damages">;
}

/** Counts the values that wait for a decision, and the places that could not be read. */
export function watchCounts({ info }: Pick<Store, "info">): CountWatcher {
  let counts: Pick<ReadinessReport, "pending" | "damages"> = { pending: null, damages: null };
  return {
    troubles: () => [],
    async sweep() {
      const { pending, damages } = await info();
      counts = { pending, damages };
    },
    counts: () => counts,
  };
}

/** Watches the clock against the time that has passed since the last call; reports a jump. A machine that slept is reported, too. */
export function watchClock(
  clock: UtcClock,
  monotonic: () => number = () => performance.now(),
): () => string | undefined {
  let ahead = clock() - monotonic();
  return () => {
    const before = ahead;
    ahead = clock() - monotonic();
    const jump = ahead - before;
    if (Math.abs(jump) <= CLOCK_TOLERANCE_MS) return undefined;
    const hours = (Math.abs(jump) / HOUR_MS).toFixed(1);
    return `The clock went ${jump > 0 ? "forward" : "back"} by ${hours} hours, to ${formatTimestamp(clock())}: quota days and ages follow it`;
  };
}

/** What a server may have open, besides connections. */
export interface FileLimits {
  /** `undefined` where the system does not tell. */
  readonly openFiles: () => Promise<number | undefined>;
  readonly maxFiles: number | undefined;
}

/** With fewer file descriptors left, the next file or connection may be refused. */
const SPARE_FILES = 8;

/** Tells which limits were reached since the last call, each with its kind. */
export function watchLimits(
  load: () => NodeLoad,
  { openFiles, maxFiles }: FileLimits,
): () => Promise<readonly (readonly [kind: string, message: string])[]> {
  let before = load().connectionsRefused;
  return async () => {
    const {
      connectionsLimit,
      connectionsRefused: { limit, address },
    } = load();
    const reached: (readonly [string, string])[] = [];
    if (limit > before.limit)
      reached.push([
        "connections",
        `All ${connectionsLimit} connections that are allowed were open: ${limit - before.limit} more were closed at once`,
      ]);
    if (address > before.address)
      reached.push([
        "connections-of-address",
        `An address had all its connections open: ${address - before.address} more were closed at once`,
      ]);
    before = { limit, address };
    const open = maxFiles === undefined ? undefined : await openFiles();
    if (open !== undefined && open + SPARE_FILES >= maxFiles!)
      reached.push(["files", `${open} of the ${maxFiles} files and sockets that this process may open are open`]);
    return reached;
  };
}

/** What is wrong with a mirror: one that has never got an answer, has got none for long, or gets values in other units is what a balancer should pass by. */
export function mirrorTroubles({ isUnready, state, message, until, lastRefresh }: MirrorStatus): readonly Trouble[] {
  const values = lastRefresh === null ? "no values yet" : `values of ${lastRefresh}`;
  return isUnready
    ? troublesOf(
        "mirror-failing",
        `The mirror has ${values}, and is ${state}${until === null ? "" : ` until ${until} or earlier`}: ${message}`,
      )
    : [];
}

/** The trouble that this message tells, if there is one. */
export function troublesOf(code: Trouble["code"], message: string | undefined): readonly Trouble[] {
  return message === undefined ? [] : [{ code, message }];
}
