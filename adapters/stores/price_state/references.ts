import { HOUR_MS, OWN_DELAY_MS, type SeriesStore, SOURCE_DAYS_MS } from "../../../core/internal.ts";
import type {
  AssetCode,
  AssetDay,
  DayReferences,
  ReferenceAccess,
  ReferenceValue,
  UtcMillis,
} from "../../../core/mod.ts";
import type { StoredRecord } from "../shared/imports.ts";
import type { Origin } from "./entries.ts";

/** An accepted record that the feed `by` replaced at the time `at`. */
interface Superseded {
  readonly record: StoredRecord;
  readonly at: UtcMillis;
  readonly by: string;
}

/** Longer than any market day. */
const KEPT_MS = 26 * HOUR_MS;

/** Makes the search for values around market days, as they were before feeds replaced them. */
export function createReferences({
  market,
  originOf,
  isByPerson,
}: {
  readonly market: Pick<SeriesStore, "nearest">;
  /** The origin with this number, as stored in the series. */
  originOf(number: number): Origin;
  /** Whether a person made this import. */
  isByPerson(id: number | null): boolean;
}) {
  /** By asset, in order of business time. */
  const replaced = new Map<AssetCode, Superseded[]>();
  let forgotten = -Infinity;

  function forgetBefore(since: number): void {
    if (since <= forgotten) return;
    forgotten = since;
    const isNeeded = ({ record, at, by }: Superseded): boolean =>
      at >= (by === record.source ? since : since - SOURCE_DAYS_MS);
    for (const [code, own] of replaced) replaced.set(code, own.filter(isNeeded));
  }

  /** Makes the search for values around days. Search later days first, because each row is then read only once. */
  function createSearch(since: UtcMillis, source: string | null): (day: AssetDay) => DayReferences {
    const stood = (insertTime: number, origin: Origin, time: UtcMillis): boolean =>
      (insertTime < since || isByPerson(origin.import)) &&
      (source === null || (origin.source === source && insertTime <= time + OWN_DELAY_MS));
    const find = (code: AssetCode, time: UtcMillis, { step, accepts = stood, until = step * Infinity }: Search) =>
      market.nearest(code, time, step, {
        accepts: (inserted, origin, at) => accepts(inserted, originOf(origin), at),
        until,
      });
    const oldAt = (old: readonly Superseded[], first: number, step: -1 | 1): StoredRecord | undefined => {
      for (let row = first; row >= 0 && row < old.length; row += step) {
        const { record, at, by } = old[row]!;
        const wasThere = at >= since || (source !== null && by !== source);
        if (wasThere && stood(record.insertTime, record, record.businessTime)) return record;
      }
      return undefined;
    };
    const earliest = new Map<AssetCode, { readonly from: UtcMillis; readonly found: ReferenceValue | undefined }>();

    function earlierThan({ code, from }: AssetDay): ReferenceValue | undefined {
      const known = earliest.get(code);
      if (known && from <= known.from && from > (known.found?.businessTime ?? -Infinity)) return known.found;
      const old = replaced.get(code) ?? [];
      const until = source === null ? -Infinity : from - SOURCE_DAYS_MS;
      const found = nearer(find(code, from, { step: -1, until }), oldAt(old, rowOf(old, from) - 1, -1), -1);
      if (source === null) earliest.set(code, { from, found });
      return found;
    }

    const latest = new Map<AssetCode, { readonly to: UtcMillis; readonly found: ReferenceValue | undefined }>();
    function laterThan({ code, to }: AssetDay): ReferenceValue | undefined {
      const known = latest.get(code);
      const old = replaced.get(code) ?? [];
      const until = known && to <= known.to ? known.to : Infinity;
      const near = nearer(find(code, to, { step: 1, until }), oldAt(old, rowOf(old, to), 1), 1);
      const found = until === Infinity ? near : nearer(known!.found, near, 1);
      latest.set(code, { to, found });
      return found;
    }

    return (day) => {
      const { code, from, to } = day;
      const old = replaced.get(code) ?? [];
      const oldSame = oldAt(old, rowOf(old, to) - 1, -1);
      return {
        earlier: earlierThan(day),
        same: nearer(
          find(code, to, { step: -1, until: from - 1 }),
          oldSame && oldSame.businessTime >= from ? oldSame : undefined,
          -1,
        ),
        later: laterThan(day),
        last: find(code, to, { step: -1, accepts: () => true }),
        next: find(code, to, { step: 1, accepts: () => true }),
        decided: find(code, to, { step: -1, accepts: (_, origin) => isByPerson(origin.import), until: from - 1 }),
      };
    };
  }

  return {
    /** Keeps the records of an asset that a batch has replaced. Copies the list once for all of them. */
    keep(code: AssetCode, unsorted: readonly Superseded[]): void {
      const old = unsorted.toSorted(inOrder);
      const [first, last] = [old[0], old.at(-1)];
      if (!first || !last) return;
      if (last.at - KEPT_MS > forgotten + HOUR_MS) forgetBefore(last.at - KEPT_MS);
      const own = replaced.get(code) ?? [];
      const [from, to] = [rowOf(own, first.record.businessTime), rowOf(own, last.record.businessTime)];
      const between = [...old, ...own.slice(from, to)].sort(inOrder);
      replaced.set(code, own.slice(0, from).concat(between, own.slice(to)));
    },
    references(...[days, since, source]: Parameters<ReferenceAccess["references"]>): readonly DayReferences[] {
      forgetBefore(since);
      return days.map(createSearch(since, source));
    },
  };
}

/** How to search for a record. By default, `accepts` accepts only records that can be references. */
interface Search {
  readonly step: -1 | 1;
  readonly accepts?: (insertTime: number, origin: Origin, businessTime: UtcMillis) => boolean;
  readonly until?: number;
}

function nearer(
  a: ReferenceValue | undefined,
  b: ReferenceValue | undefined,
  step: -1 | 1,
): ReferenceValue | undefined {
  return !a || (b && (b.businessTime - a.businessTime) * step < 0) ? b : a;
}

function inOrder(a: Superseded, b: Superseded): number {
  return a.record.businessTime - b.record.businessTime;
}

/** The index of the first row whose business time is not before `time`. */
function rowOf(records: readonly Superseded[], time: UtcMillis): number {
  let [low, high] = [0, records.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (records[middle]!.record.businessTime < time) low = middle + 1;
    else high = middle;
  }
  return low;
}
