import { formatTimestamp, HOUR_MS, MINUTE_MS } from "../../../core/internal.ts";
import type { AssetCode, Observations, UtcClock, UtcMillis } from "../../../core/mod.ts";
import type { MirrorStatus } from "../../feeds/mirror/mod.ts";
import type { NodeLoad } from "../../http/node/mod.ts";
import type { Store } from "../../stores/shared/store.ts";
import type { Trouble } from "../../stores/shared/store_troubles.ts";
import type { ReadinessReport } from "./readiness.ts";

/** There is no warning if a clock jumps, or is behind the newest price, by less than this. */
const CLOCK_TOLERANCE_MS = HOUR_MS;

/**
 * Watches the age of the newest record, and whether the clock is behind that record. The feed is stale if that record is
 * older than `maxAgeMinutes`; `undefined` for no limit.
 */
export function watchFeed(
  observations: Pick<Observations, "latest" | "version">,
  { codes, clock, maxAgeMinutes }: { codes: readonly AssetCode[]; clock: UtcClock; maxAgeMinutes: number | undefined },
) {
  let version: string | undefined;
  let newest: UtcMillis | undefined;
  let newestOf: ReadonlyMap<AssetCode, UtcMillis> = new Map();

  function message(): string | undefined {
    if (maxAgeMinutes === undefined || version === undefined) return undefined;
    if (newest === undefined) return "There are no records";
    if (clock() - newest <= maxAgeMinutes * MINUTE_MS) return undefined;
    return `The newest record is from ${formatTimestamp(newest)}, more than ${maxAgeMinutes} minutes ago`;
  }

  function clockMessage(): string | undefined {
    if (newest === undefined || newest - clock() <= CLOCK_TOLERANCE_MS) return undefined;
    return `The clock of this machine is behind the newest price, which is of ${formatTimestamp(newest)}: set the clock, or withdraw prices that are too new`;
  }

  return {
    troubles: () => [...troublesOf("clock-behind", clockMessage()), ...troublesOf("stale-feed", message())],
    async sweep(): Promise<void> {
      const found = await observations.version();
      if (found === version) return;
      const latest = await observations.latest(codes);
      newestOf = new Map(latest.value.flatMap((one) => (one ? [[one.code, one.businessTime] as const] : [])));
      newest = newestOf.size === 0 ? undefined : (Math.max(...newestOf.values()) as UtcMillis);
      version = found;
    },
    /** The business time of the newest accepted record at the last sweep. */
    newest: () => newest,
    /** The business time of the newest accepted record of each asset. */
    newestOf: () => newestOf,
  };
}

/** Counts pending values and unreadable places. Both need attention, but the server stays ready. */
export function watchCounts({ info }: Pick<Store, "info">) {
  let counts: Pick<ReadinessReport, "pending" | "damages"> = { pending: null, damages: null };
  return {
    troubles: (): readonly Trouble[] => [],
    async sweep(): Promise<void> {
      const { pending, damages } = await info();
      counts = { pending, damages };
    },
    counts: () => counts,
  };
}

/** Reports a jump of the clock since the last call, e.g. after the machine has slept. */
export function watchClock(clock: UtcClock): () => string | undefined {
  let ahead = clock() - performance.now();
  return () => {
    const before = ahead;
    ahead = clock() - performance.now();
    const jump = ahead - before;
    if (Math.abs(jump) <= CLOCK_TOLERANCE_MS) return undefined;
    const hours = (Math.abs(jump) / HOUR_MS).toFixed(1);
    return `The clock went ${jump > 0 ? "forward" : "back"} by ${hours} hours, to ${formatTimestamp(clock())}: quota days and the ages of prices now follow this clock`;
  };
}

/** If fewer file descriptors than this are left, the next file or connection may be refused. */
const SPARE_FILES = 8;

/**
 * Makes a function that reports which limits were reached since its last call. `openFiles` counts the open files, which
 * include sockets. It and `maxFiles` are `undefined` if the system does not report the number.
 */
export function watchLimits(
  load: () => NodeLoad,
  { openFiles, maxFiles }: { openFiles: () => Promise<number | undefined>; maxFiles: number | undefined },
  report: (kind: string, message: string) => void,
): () => Promise<void> {
  let before = load().connectionsRefused;
  return async () => {
    const { connectionsLimit, connectionsRefused } = load();
    const limit = connectionsRefused.limit - before.limit;
    const address = connectionsRefused.address - before.address;
    before = connectionsRefused;
    if (limit > 0)
      report("connections", `All ${connectionsLimit} allowed connections were open: ${limit} more were closed at once`);
    if (address > 0)
      report("address", `A client address reached its limit of connections: ${address} more were closed at once`);
    const open = maxFiles === undefined ? undefined : await openFiles();
    if (open !== undefined && open + SPARE_FILES >= maxFiles!)
      report("files", `This process has ${open} files and sockets open, and may have at most ${maxFiles}`);
  };
}

/** The trouble of a mirror that lacks current values in the right unit; empty for any other mirror, or for none. */
export function mirrorTroubles(mirror: MirrorStatus | undefined): readonly Trouble[] {
  if (!mirror?.isUnready) return [];
  const { state, message, until, lastRefresh } = mirror;
  const values = lastRefresh === null ? "no values yet" : `values of ${lastRefresh}`;
  const end = until === null ? "" : ` until ${until} or earlier`;
  return troublesOf("mirror-failing", `The mirror has ${values}, and is ${state}${end}: ${message}`);
}

/** A list with one trouble, or an empty list if `message` is `undefined`. */
export function troublesOf(code: Trouble["code"], message: string | undefined): readonly Trouble[] {
  return message === undefined ? [] : [{ code, message }];
}
