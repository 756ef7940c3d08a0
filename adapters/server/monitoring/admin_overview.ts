import { createZone, DAY_MS, formatTimestamp, HOUR_MS, quotaDayAt } from "../../../core/internal.ts";
import type { UtcClock } from "../../../core/mod.ts";
import type { Store, StoreChange } from "../../stores/shared/store.ts";
import type { KeyTally } from "./exchange_metrics.ts";
import { figure } from "./figures_in_time.ts";

const MAX_CHANGES = 20;
const MAX_KEYS = 50;
const MAX_PENDING_ASSETS = 10;
/** How long the disk is watched before the page estimates when it will be full. */
const MIN_WATCHED_MS = HOUR_MS;

/** Makes the figures of a store for the admin page. Remembers the last changes, and the free bytes at the start. */
export function createOverview(
  { quota, imports }: Pick<Store, "quota" | "imports">,
  { clock, quotaTimeZone }: { readonly clock: UtcClock; readonly quotaTimeZone: string },
) {
  const zone = createZone(quotaTimeZone);
  const changes: (StoreChange & { readonly time: string })[] = [];
  let first: { readonly freeBytes: number; readonly at: number } | undefined;

  async function usageOf({ accountId, ...tally }: KeyTally) {
    const usedToday = await figure(() => quota.used(accountId, quotaDayAt(zone, clock()).date));
    return { accountId, usedToday, ...tally };
  }

  async function pendingAssets() {
    if (!imports) return undefined;
    const { assets } = await imports.pending(null, 0);
    const listed = assets.toSorted((a, b) => b.records - a.records).slice(0, MAX_PENDING_ASSETS);
    const found = await imports.around(listed.map(({ code, last }) => ({ code, businessTime: last! })));
    return listed.map((asset, i) => ({ ...asset, newest: found[i]?.pending?.at(-1) }));
  }

  return {
    noteChange(change: StoreChange): void {
      changes.unshift({ ...change, time: formatTimestamp(clock()) });
      changes.length = Math.min(changes.length, MAX_CHANGES);
    },
    /** Stores the number of free bytes at the start, for the estimate. */
    noteDisk(freeBytes: number | undefined): void {
      if (freeBytes !== undefined) first = { freeBytes, at: performance.now() };
    },
    /** The estimated number of days until the disk is full; `undefined` if unknown or if the disk does not fill. */
    diskDays(freeBytes: number | null): number | undefined {
      if (!first || freeBytes === null) return undefined;
      const watched = performance.now() - first.at;
      const filled = first.freeBytes - freeBytes;
      return watched >= MIN_WATCHED_MS && filled > 0 ? (freeBytes / filled) * (watched / DAY_MS) : undefined;
    },
    /**
     * A member is `undefined` while the store cannot give it.
     *
     * @param tallies The keys that made requests since the start.
     */
    async make(tallies: readonly KeyTally[]) {
      const mostUsed = tallies.toSorted((a, b) => b.units - a.units).slice(0, MAX_KEYS);
      const [keys, pending, entries] = await Promise.all([
        Promise.all(mostUsed.map(usageOf)),
        figure(pendingAssets),
        figure(() => imports?.list()),
      ]);
      return {
        /** The keys that used the most units since the start, each with the units of its account on this quota day. */
        keys,
        /** The ten assets with the most pending values, and the newest pending value of each. */
        pending,
        imports: entries?.slice(0, MAX_CHANGES),
        /** The last changes since the start, newest first, with times in ISO 8601. */
        changes,
      };
    },
  };
}
