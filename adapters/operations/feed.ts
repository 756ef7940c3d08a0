import { formatTimestamp } from "../../core/internal.ts";
import type { AssetCode, Clock, Observations, UtcMillis } from "../../core/mod.ts";
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

  function troubles(): readonly Trouble[] {
    if (maxAgeMinutes === undefined || version === undefined) return [];
    if (newest === undefined) return [{ code: "stale-feed", message: "There are no records" }];
    if (clock() - newest <= maxAgeMinutes * MINUTE_MS) return [];
    return [{ code: "stale-feed", message: `The newest record is of ${formatTimestamp(newest)}, more than ${maxAgeMinutes} minutes ago` }];
  }

  return {
    troubles,
    async sweep() {
      const found = await observations.version();
      if (found === version) return;
      const latest = await observations.latest(codes);
      newest = latest.value.reduce((top: UtcMillis | undefined, one) => (one && one.businessTime > (top ?? -Infinity) ? one.businessTime : top), undefined);
      version = found;
    },
    newest: () => newest,
  };
}
