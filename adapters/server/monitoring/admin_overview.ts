import { createZone, DAY_MS, formatTimestamp, HOUR_MS, millisSince, quotaDayAt } from "../../../core/internal.ts";
import type { AssetCode, QuotaLedger, UtcClock, UtcMillis } from "../../../core/mod.ts";
import type { ImportAccess, PendingRecords, StoredRecord } from "../../stores/shared/imports.ts";
import type { StoreChange } from "../../stores/shared/store.ts";
import { figure } from "./figures_in_time.ts";
import type { ServerStatus } from "./server_status.ts";
import type { CallerTally, KeyTally } from "./usage_by_caller.ts";

/** An asset that has pending values, and the newest pending value. */
export type PendingAsset = PendingRecords["assets"][number] & {
  readonly newest: Pick<StoredRecord, "businessTime" | "value" | "qualityMessage"> | undefined;
};

/** The content of the admin page. A member is `undefined` while the store cannot give it. */
export type Overview = Awaited<ReturnType<ReturnType<typeof createOverview>["make"]>>;

/** The data and settings that an overview is made from. */
export interface OverviewParts {
  readonly clock: UtcClock;
  readonly quota: Pick<QuotaLedger, "used">;
  readonly quotaTimeZone: string;
  /** The time zone of the times on the page. */
  readonly marketTimeZone: string;
  readonly imports: Pick<ImportAccess, "list" | "pending" | "around"> | undefined;
  readonly tally: CallerTally | undefined;
}

/** The figures that a server has without asking its store. */
export interface Figures {
  readonly status: ServerStatus;
  /** The number of answers with an error since the start, by error code. */
  readonly errors: readonly (readonly [code: string, count: number])[];
  readonly newestOf: ReadonlyMap<AssetCode, UtcMillis>;
}

const MAX_CHANGES = 20;
const MAX_ACCOUNTS = 50;
const MAX_PENDING_ASSETS = 10;
/** How long the disk is watched before the page estimates when it will be full. */
const MIN_WATCHED_MS = HOUR_MS;

/** Makes overviews. Remembers the changes since the start, and the free bytes at the start. */
export function createOverview({ clock, quota, quotaTimeZone, marketTimeZone, imports, tally }: OverviewParts) {
  const zone = createZone(quotaTimeZone);
  const changes: (StoreChange & { readonly time: string })[] = [];
  let first: { readonly freeBytes: number; readonly at: number } | undefined;

  function diskDays(free: number | null): number | undefined {
    if (!first || free === null) return undefined;
    const watched = performance.now() - first.at;
    const filled = first.freeBytes - free;
    return watched >= MIN_WATCHED_MS && filled > 0 ? (free / filled) * (watched / DAY_MS) : undefined;
  }

  async function accountsAt(now: UtcMillis) {
    const called = [...(tally?.accounts() ?? [])]
      .sort(([, a], [, b]) => unitsOf(b) - unitsOf(a))
      .slice(0, MAX_ACCOUNTS);
    const day = quotaDayAt(zone, now).date;
    return Promise.all(
      called.map(async ([account, keys]) => {
        const usedToday = await figure(() => quota.used(account, day));
        return { account, usedToday, keys };
      }),
    );
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
    async make({ status, errors, newestOf }: Figures) {
      const now = clock();
      const [accounts, pending, entries] = await Promise.all([
        accountsAt(now),
        figure(() => imports && pendingOf(imports)),
        figure(() => imports?.list()),
      ]);
      return {
        status,
        now,
        marketTimeZone,
        /** The estimated number of days until the disk is full; `undefined` if unknown or if the disk does not fill. */
        diskDays: diskDays(status.diskFreeBytes),
        accounts: accounts as readonly (typeof accounts)[number][],
        errors,
        /** The assets with the age of their newest record in milliseconds. The asset with the highest age is first. */
        assets: [...newestOf]
          .map(([code, time]) => [code, millisSince(time, now)] as const)
          .sort(([, a], [, b]) => b - a),
        /** The ten assets with the most pending values. */
        pending,
        imports: entries?.slice(0, MAX_CHANGES),
        /** The last changes since the start, newest first, with times in ISO 8601. */
        changes: changes as readonly (typeof changes)[number][],
      };
    },
  };
}

async function pendingOf(imports: Pick<ImportAccess, "pending" | "around">): Promise<readonly PendingAsset[]> {
  const { assets } = await imports.pending(null, 0);
  const listed = assets.toSorted((a, b) => b.records - a.records).slice(0, MAX_PENDING_ASSETS);
  const found = await imports.around(listed.map(({ code, last }) => ({ code, businessTime: last! })));
  return listed.map((asset, i) => ({ ...asset, newest: found[i]?.pending?.at(-1) }));
}

function unitsOf(keys: readonly KeyTally[]): number {
  return keys.reduce((sum, { units }) => sum + units, 0);
}
