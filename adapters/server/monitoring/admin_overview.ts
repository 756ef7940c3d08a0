import { createZone, DAY_MS, formatTimestamp, HOUR_MS, millisSince, quotaDayAt } from "../../../core/internal.ts";
import type { AccountId, AssetCode, MaybePromise, QuotaLedger, UtcClock, UtcMillis } from "../../../core/mod.ts";
import type { ImportAccess, ImportEntry, PendingRecords, StoredRecord } from "../../stores/shared/imports.ts";
import type { StoreChange } from "../../stores/shared/store.ts";
import type { ServerStatus } from "./server_status.ts";
import type { CallerTally, KeyTally } from "./usage_by_caller.ts";

/** An asset with pending values, and the newest of them. */
export type PendingAsset = PendingRecords["assets"][number] & {
  readonly newest: Pick<StoredRecord, "businessTime" | "value" | "qualityMessage"> | undefined;
};

/** What the page of the admin listener tells. Members that the store cannot tell just now are `undefined`. */
export interface Overview extends Pick<OverviewParts, "marketTimeZone"> {
  readonly status: ServerStatus;
  readonly now: UtcMillis;
  /** Days until the disk is full, if it goes on as since the start; `undefined` where nobody can tell, or it does not fill. */
  readonly diskDays: number | undefined;
  readonly accounts: readonly {
    readonly account: AccountId;
    readonly usedToday: number | undefined;
    readonly keys: readonly KeyTally[];
  }[];
  /** Answers with an error since the start, by its code. */
  readonly errors: readonly (readonly [code: string, count: number])[];
  /** Assets with the ages of their newest records in milliseconds, the oldest first. */
  readonly assets: readonly (readonly [code: AssetCode, ageMs: number])[];
  /** The assets with the most pending values, the most first, at most ten. */
  readonly pending: readonly PendingAsset[] | undefined;
  readonly imports: readonly ImportEntry[] | undefined;
  /** The last changes since the start, the newest first, with their times as ISO 8601. */
  readonly changes: readonly (StoreChange & { readonly time: string })[];
}

/** What an overview is made of. */
export interface OverviewParts {
  readonly clock: UtcClock;
  readonly quota: Pick<QuotaLedger, "used">;
  readonly quotaTimeZone: string;
  /** The time zone in which people read times. */
  readonly marketTimeZone: string;
  readonly imports: Pick<ImportAccess, "list" | "pending" | "around"> | undefined;
  readonly tally: CallerTally | undefined;
}

/** The figures that a server has at hand. */
export type Figures = Pick<Overview, "status" | "errors"> & { readonly newestOf: ReadonlyMap<AssetCode, UtcMillis> };

/** Keeps what an overview tells of the time since the start. */
export interface OverviewKeeper {
  noteChange(change: StoreChange): void;
  /** Notes what was free at the start. */
  noteDisk(freeBytes: number | undefined): void;
  make(figures: Figures): Promise<Overview>;
}

const MAX_CHANGES = 20;
const MAX_ACCOUNTS = 50;
const MAX_PENDING_ASSETS = 10;
/** Before that, too little is known to project days. */
const MIN_WATCHED_MS = HOUR_MS;

/** Makes a keeper. */
export function createOverview(parts: OverviewParts): OverviewKeeper {
  const { clock, quota, quotaTimeZone, marketTimeZone, imports, tally } = parts;
  const zone = createZone(quotaTimeZone);
  const changes: Overview["changes"][number][] = [];
  let first: { readonly freeBytes: number; readonly at: number } | undefined;

  function diskDays(free: number | null): number | undefined {
    if (!first || free === null) return undefined;
    const watched = performance.now() - first.at;
    const filled = first.freeBytes - free;
    return watched >= MIN_WATCHED_MS && filled > 0 ? (free / filled) * (watched / DAY_MS) : undefined;
  }

  async function accountsOf(now: UtcMillis): Promise<Overview["accounts"]> {
    const called = [...(tally?.accounts() ?? [])]
      .sort(([, a], [, b]) => unitsOf(b) - unitsOf(a))
      .slice(0, MAX_ACCOUNTS);
    const day = quotaDayAt(zone, now).date;
    return Promise.all(
      called.map(async ([account, keys]) => ({
        account,
        usedToday: await settled(() => quota.used(account, day)),
        keys,
      })),
    );
  }

  return {
    noteChange(change) {
      changes.unshift({ ...change, time: formatTimestamp(clock()) });
      changes.length = Math.min(changes.length, MAX_CHANGES);
    },
    noteDisk(freeBytes) {
      if (freeBytes !== undefined) first = { freeBytes, at: performance.now() };
    },
    async make({ status, errors, newestOf }) {
      const now = clock();
      const assets = [...newestOf]
        .map(([code, time]) => [code, millisSince(time, now)] as const)
        .sort(([, a], [, b]) => b - a);
      const [accounts, pending, entries] = await Promise.all([
        accountsOf(now),
        settled(() => imports && pendingOf(imports)),
        settled(() => imports?.list()),
      ]);
      return {
        status,
        now,
        marketTimeZone,
        diskDays: diskDays(status.diskFreeBytes),
        accounts,
        errors,
        assets,
        pending,
        imports: entries?.slice(0, MAX_CHANGES),
        changes,
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

/** What is found out; `undefined` where that fails. */
async function settled<Value>(find: () => MaybePromise<Value>): Promise<Value | undefined> {
  return Promise.resolve()
    .then(find)
    .catch(() => undefined);
}
