import { formatTimestamp } from "../../core/internal.ts";
import type { AssetCode, Clock, Observations, UtcMillis } from "../../core/mod.ts";
import type { MirrorStatus } from "../mirror/mod.ts";
import type { Store } from "../store/store.ts";
import type { Trouble, Watcher } from "../store/watcher.ts";

/** Watches the age of the newest record. */
export interface FeedWatcher extends Watcher {
  sweep(): Promise<void>;
  /** Business time of the newest accepted record, as found by the last sweep. */
  newest(): UtcMillis | undefined;
}

const MINUTE_MS = 60_000;

/** @param maxAgeMinutes Age of the newest record above which the feed is stale; `undefined` for no limit. */
export function watchFeed(
  observations: Pick<Observations, "latest" | "version">,
  { codes, clock, maxAgeMinutes }: { readonly codes: readonly AssetCode[]; readonly clock: Clock; readonly maxAgeMinutes: number | undefined },
): FeedWatcher {
  let version: string | undefined;
  let newest: UtcMillis | undefined;

  function message(): string | undefined {
    if (maxAgeMinutes === undefined || version === undefined) return undefined;
    if (newest === undefined) return "There are no records";
    if (clock() - newest <= maxAgeMinutes * MINUTE_MS) return undefined;
    return `The newest record is of ${formatTimestamp(newest)}, more than ${maxAgeMinutes} minutes ago`;
  }

  return {
    troubles: () => troublesOf("stale-feed", message()),
    async sweep() {
      const found = await observations.version();
      if (found === version) return;
      const latest = await observations.latest(codes);
      const times = latest.value.flatMap((one) => one?.businessTime ?? []);
      newest = times.length === 0 ? undefined : (Math.max(...times) as UtcMillis);
      version = found;
    },
    newest: () => newest,
  };
}

/** Counts the values that wait for a decision, which is no trouble: `count` is what the last sweep has found. */
export function watchHeld({ observations, info }: { readonly observations: Pick<Observations, "version"> } & Pick<Store, "info">): Required<Watcher> & { count(): number | null } {
  let version: string | undefined;
  let held: number | null = null;
  return {
    troubles: () => [],
    async sweep() {
      const found = await observations.version();
      if (found !== version) held = (await info()).held;
      version = found;
    },
    count: () => held,
  };
}

/** What is wrong with a mirror: one that has never got an answer, has got none for long, or gets values in other units is what a balancer should pass by. */
export function mirrorTroubles({ isUnready, state, message, until, lastRefresh }: MirrorStatus): readonly Trouble[] {
  const values = lastRefresh === null ? "no values yet" : `values of ${lastRefresh}`;
  return isUnready ? troublesOf("mirror-failing", `The mirror has ${values}, and is ${state}${until === null ? "" : ` until ${until} or earlier`}: ${message}`) : [];
}

/** The trouble that this message tells, if there is one. */
export function troublesOf(code: Trouble["code"], message: string | undefined): readonly Trouble[] {
  return message === undefined ? [] : [{ code, message }];
}
