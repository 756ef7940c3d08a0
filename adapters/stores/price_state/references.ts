import { HOUR_MS, OWN_DELAY_MS, rowFrom, type SeriesStore, SOURCE_DAYS_MS } from "../../../core/internal.ts";
import type {
  AssetCode,
  AssetDay,
  DayReferences,
  ReferenceAccess,
  ReferenceValue,
  UtcMillis,
} from "../../../core/mod.ts";
import type { StoredRecord } from "../shared/imports.ts";
import type { Origin, Superseded } from "./entries.ts";

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
  /** By asset. The next search sorts them. */
  const replaced = new Map<AssetCode, Superseded[]>();
  let forgotten = -Infinity;
  /** `KEPT_MS` before the last replacement. */
  let keptSince = -Infinity;

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
    /** The nearest record. By default, only records that can be references are accepted. */
    const find = (
      code: AssetCode,
      time: UtcMillis,
      step: -1 | 1,
      { accepts = stood, until = step * Infinity }: { readonly accepts?: typeof stood; readonly until?: number } = {},
    ) =>
      market.nearest(code, time, step, {
        accepts: (inserted, origin, at) => accepts(inserted, originOf(origin), at),
        until,
      });

    const replacedRows = new Map<
      AssetCode,
      { readonly rows: readonly StoredRecord[]; readonly times: readonly UtcMillis[] }
    >();
    /** The replaced records of an asset that can be references, in order of business time, and these times. */
    function replacedOf(code: AssetCode) {
      const known = replacedRows.get(code);
      if (known) return known;
      const canBe = ({ record, at, by }: Superseded): boolean =>
        (at >= since || (source !== null && by !== source)) && stood(record.insertTime, record, record.businessTime);
      const own = (replaced.get(code) ?? []).sort(inOrder);
      const rows = own.filter(canBe).map(({ record }) => record);
      const found = { rows, times: rows.map(({ businessTime }) => businessTime) };
      replacedRows.set(code, found);
      return found;
    }

    /** The nearest reference. Of two at the same time, the stored record is taken, and not the replaced one. */
    function nearest(code: AssetCode, time: number, step: -1 | 1, until: number): ReferenceValue | undefined {
      const { rows, times } = replacedOf(code);
      const row = rowFrom(times, time) - (step === 1 ? 0 : 1);
      const old = rows[row] && (until - rows[row].businessTime) * step > 0 ? rows[row] : undefined;
      return find(code, time as UtcMillis, step, { until: old ? old.businessTime + step : until }) ?? old;
    }

    const earliest = new Map<
      AssetCode,
      { readonly from: UtcMillis; readonly until: number; readonly found: ReferenceValue | undefined }
    >();
    function earlierThan({ code, from }: AssetDay): ReferenceValue | undefined {
      const last = earliest.get(code);
      const known = last && from <= last.from ? last : undefined;
      if (known?.found && from > known.found.businessTime) return known.found;
      const until = source === null ? -Infinity : from - SOURCE_DAYS_MS - 1;
      // Nothing was found between `known.until` and `known.from`.
      const start = known && !known.found ? Math.min(from, known.until + 1) : from;
      const found = nearest(code, start, -1, until);
      earliest.set(code, { from, until, found });
      return found;
    }

    const latest = new Map<AssetCode, { readonly to: UtcMillis; readonly found: ReferenceValue | undefined }>();
    function laterThan({ code, to }: AssetDay): ReferenceValue | undefined {
      const last = latest.get(code);
      const known = last && to <= last.to ? last : undefined;
      const found = nearest(code, to, 1, known?.to ?? Infinity) ?? known?.found;
      latest.set(code, { to, found });
      return found;
    }

    return (day) => {
      const { code, from, to } = day;
      return {
        earlier: earlierThan(day),
        same: nearest(code, to, -1, from - 1),
        later: laterThan(day),
        last: find(code, to, -1, { accepts: () => true }),
        next: find(code, to, 1, { accepts: () => true }),
        decided: find(code, to, -1, { accepts: (_, origin) => isByPerson(origin.import), until: from - 1 }),
      };
    };
  }

  return {
    /** Keeps the records of an asset that a batch has replaced. */
    keep(code: AssetCode, rows: readonly Superseded[]): void {
      const last = rows.at(-1);
      if (!last) return;
      keptSince = Math.max(keptSince, last.at - KEPT_MS);
      if (keptSince > forgotten + HOUR_MS) forgetBefore(keptSince);
      const own = replaced.get(code);
      if (own) own.push(...rows);
      else replaced.set(code, [...rows]);
    },
    /** The records replaced in the last day, as they are now. */
    kept: (): readonly Superseded[] => [...replaced.values()].flatMap((own) => own.filter(({ at }) => at >= keptSince)),
    references(...[days, since, source]: Parameters<ReferenceAccess["references"]>): readonly DayReferences[] {
      forgetBefore(since);
      return days.map(createSearch(since, source));
    },
  };
}

/** In order of business time. Of two records at the same time, the one that was replaced later comes first. */
function inOrder(a: Superseded, b: Superseded): number {
  return a.record.businessTime - b.record.businessTime || b.at - a.at;
}
