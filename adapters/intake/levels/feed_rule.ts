import { CONFIRM, createZone, DAY_MS, EMBEDDER } from "../../../core/internal.ts";
import {
  ASSETS,
  type Asset,
  type AssetCode,
  type AssetDay,
  type DayReferences,
  type Observation,
  type ReferenceAccess,
  type ReferenceValue,
  type UtcMillis,
} from "../../../core/mod.ts";
import { dailyBound } from "./daily_bounds.ts";
import { createPriceModel, knownLevel, NEAR_MS, type PriceModel, rangeOf, referencesOf } from "./expected_prices.ts";

/** Options of `createFeedRule`. */
export interface FeedRuleOptions {
  /** The `observations` of a store in memory or in files, or the `imports` of a store in a database. */
  readonly store: Pick<ReferenceAccess, "references">;
  /** The catalog. Default: the assets of the contract. */
  readonly assets?: readonly Asset[] | undefined;
  /** Default: `Asia/Tehran`. */
  readonly marketTimeZone?: string | undefined;
}

/**
 * Judges the accepted records of a batch before they are stored. Returns the batch in the same order, with implausible
 * values as `PENDING`. If no price of an asset is known, its first value is accepted, and a pending copy is added.
 *
 * @param source The source of the records, as for `append` of a store. Default: `embedder`.
 */
export type FeedRule = (batch: readonly Observation[], source?: string) => Promise<readonly Observation[]>;

/** The records of an asset on one market day, the last record first. `day` is counted from 1970. */
interface DayToJudge extends AssetDay {
  readonly day: number;
  readonly records: Observation[];
}

/** Knows only prices by year. For values that have a reference, but none from before the current market day. */
const levelByYear = createPriceModel(() => undefined);
/** The most market days in one query to the store. */
const DAYS_AT_ONCE = 2_000;
/** The source's own values are looked up for at most this many market days of a batch. */
const MAX_OWN_DAYS = 200;

const NOTHING_TO_COMPARE = `${CONFIRM}the first value, with no price to compare it with`;

/**
 * Creates the rule for feeds, whose senders are not trusted. Values are compared with those accepted before the current
 * market day. For each day that has passed since such a value, a new value may differ from it by a certain factor.
 * The current day is the day of `insertTime`. The rule rejects with `RangeError` for an asset outside its catalog.
 *
 * @throws TypeError for a store without references; RangeError for an unknown time zone.
 */
export function createFeedRule({ store, assets = ASSETS, marketTimeZone = "Asia/Tehran" }: FeedRuleOptions): FeedRule {
  if (typeof store.references !== "function")
    throw new TypeError(
      "Cannot judge values because store must have references: give `observations` or `imports` of a store",
    );
  const zone = createZone(marketTimeZone);
  const catalog = new Map(assets.map((asset) => [asset.code, asset]));
  /** The first values that this rule has seen of assets that had no value when the day `firstsDay` began. */
  const firsts = new Map<AssetCode, ReferenceValue>();
  let firstsDay = -Infinity;

  /** Calls the cached `startOfDay`, because `dateAt` would take most of the time for a body. */
  function dayAt(time: UtcMillis): number {
    let day = Math.floor(time / DAY_MS);
    while (time >= zone.startOfDay(day + 1)) day++;
    while (time < zone.startOfDay(day)) day--;
    return day;
  }

  function dayOf(code: AssetCode, day: number): AssetDay {
    return { code, from: zone.startOfDay(day), to: zone.startOfDay(day + 1) };
  }

  /** Groups records by asset and day, the last day first. */
  function daysOf(records: readonly Observation[]): DayToJudge[] {
    const days = new Map<string, DayToJudge>();
    for (const one of records.toSorted((a, b) => b.businessTime - a.businessTime)) {
      const day = dayAt(one.businessTime);
      const known = days.get(`${day} ${one.code}`);
      if (known) known.records.push(one);
      else days.set(`${day} ${one.code}`, { ...dayOf(one.code, day), day, records: [one] });
    }
    return [...days.values()];
  }

  /** Finds the references of days, as they were at `since`, the start of the current day. */
  async function lookUp(days: readonly AssetDay[], since: UtcMillis, source: string | null = null) {
    const found: DayReferences[] = [];
    for (let from = 0; from < days.length; from += DAYS_AT_ONCE)
      found.push(...(await store.references(days.slice(from, from + DAYS_AT_ONCE), since, source)));
    return found;
  }

  /**
   * Returns why a value is too far from a reference; `undefined` if it is not. Days after the current day do not count,
   * because otherwise a feed whose clock is wrong could change a price by more.
   */
  function excessOf({ code, value, insertTime }: Observation, day: number, reference: ReferenceValue) {
    const days = Math.min(day, dayAt(insertTime)) - dayAt(reference.businessTime);
    const { rise, fall } = dailyBound(catalog.get(code)!, Math.max(1, Math.abs(days)));
    const factor = days < 0 ? reference.value / value : value / reference.value;
    if (factor <= rise && 1 / factor <= fall) return undefined;
    const most = value > reference.value === days >= 0 ? rise : fall;
    const [ratio, bound, expected] = [value / reference.value, most, reference.value].map((one) => short(one));
    const date = zone.dateAt(reference.businessTime);
    const limit = `a feed may change it by a factor of at most ${bound}`;
    return `${ratio} times the value of ${date}; ${limit}: about ${expected} expected`;
  }

  /** Returns the price model for the first values of assets on these days. It knows the assets' references there. */
  async function modelOn(days: readonly DayToJudge[], since: UtcMillis): Promise<PriceModel> {
    const parts = new Map<string, AssetDay>();
    for (const { code, day } of days)
      for (const part of referencesOf(code)) parts.set(`${day} ${part}`, dayOf(part, day));
    const found = await lookUp([...parts.values()], since);
    const last = new Map([...parts.keys()].map((key, i) => [key, found[i]!.last]));
    return createPriceModel((part, time) => {
      const near = last.get(`${dayAt(time as UtcMillis)} ${part}`);
      return near && Math.abs(time - near.businessTime) <= NEAR_MS ? rangeOf(near.value, near.value) : undefined;
    });
  }

  /** Returns why a first value is implausible; `undefined` if it is plausible, `null` if this is unclear. */
  function faultOfFirst({ code, value, businessTime }: Observation, model: PriceModel): string | null | undefined {
    const expected = model(code, businessTime);
    if (Number.isNaN(expected.middle)) return null;
    if (knownLevel(value, expected) === 0) return undefined;
    if (!expected.isWide && Math.round(Math.log10(value / expected.middle)) === 0) return null;
    return `the first value, and implausible for this asset: about ${short(expected.middle)} expected`;
  }

  /**
   * Accepts values that fit the same source's last value from an earlier day, so wrong values of other sources do not
   * block this source. Values that the source sent for the past do not count. The bound grows with the days since the
   * last value of any source, not only of this source: so a source cannot widen its bound by a pause.
   */
  async function excuseByOwnValues(
    reasons: Map<Observation, string>,
    doubtful: readonly (DayToJudge & Pick<DayReferences, "earlier">)[],
    { since, source }: { since: UtcMillis; source: string },
  ): Promise<void> {
    const days = doubtful.slice(0, MAX_OWN_DAYS);
    const own = await lookUp(days, since, source);
    for (const [i, { day, earlier: near, records }] of days.entries()) {
      const { earlier } = own[i]!;
      if (!near || !earlier) continue;
      for (const one of records) if (!excessOf(one, day, { ...near, value: earlier.value })) reasons.delete(one);
    }
  }

  return async (batch, source = EMBEDDER) => {
    const accepted = batch.filter(({ qualityStatus }) => qualityStatus === "ACCEPTED");
    if (accepted.length === 0) return batch;
    const unlisted = accepted.find(({ code }) => !catalog.has(code))?.code;
    if (unlisted)
      throw new RangeError(
        `Cannot judge values because their asset is not in the rule's catalog: received "${unlisted}"`,
      );
    const today = dayAt(accepted[0]!.insertTime);
    const since = zone.startOfDay(today);
    // A slow body may have begun on the day before.
    if (today > firstsDay) firsts.clear();
    firstsDay = Math.max(firstsDay, today);
    const days = daysOf(accepted);
    const found = await lookUp(days, since);
    const model = await modelOn(
      days.filter((_, i) => !found[i]!.last && !found[i]!.next),
      since,
    );
    const reasons = new Map<Observation, string>();
    /** First values of assets whose price is not known. */
    const unknown = new Set<Observation>();
    /** For each asset, the earliest accepted value of the batch that is older than all of its stored values. */
    const newer = new Map<AssetCode, ReferenceValue>();
    for (const [i, { code, day, records }] of days.entries()) {
      const { earlier, same, later, decided, last, next } = found[i]!;
      const after = [next, newer.get(code)].filter((one) => one !== undefined);
      const [nearest] = after.sort((a, b) => a.businessTime - b.businessTime);
      const stood = earlier ?? same;
      let references = [decided ?? stood ?? nearest, decided || !stood ? undefined : later];
      if (!references[0] && last) {
        // Another rule has seen the first value, or the server was restarted.
        if (!firsts.has(code)) firsts.set(code, last);
        references = [firsts.get(code)];
      }
      for (const one of records) {
        let reason: string | null | undefined;
        if (references[0]) {
          reason = references.map((reference) => reference && excessOf(one, day, reference)).find((text) => text);
          if (!decided && !stood) reason ??= faultOfFirst(one, levelByYear) ?? undefined;
        } else reason = faultOfFirst(one, model);
        if (typeof reason === "string") {
          reasons.set(one, reason);
          continue;
        }
        if (reason === null) unknown.add(one);
        if (!references[0]) firsts.set(code, one);
        references[0] ??= one;
        if (!stood) newer.set(code, one);
      }
    }
    const doubtful = days
      .map((day, i) => ({ ...day, earlier: found[i]!.earlier }))
      .filter(({ records }) => records.some((one) => reasons.has(one)));
    if (doubtful.length > 0) await excuseByOwnValues(reasons, doubtful, { since, source });
    return batch.flatMap((one): Observation[] => {
      const qualityMessage = reasons.get(one);
      if (qualityMessage !== undefined) return [{ ...one, qualityStatus: "PENDING", qualityMessage }];
      return unknown.has(one) ? [one, { ...one, qualityStatus: "PENDING", qualityMessage: NOTHING_TO_COMPARE }] : [one];
    });
  };
}

/** Rounds a number to three digits. */
function short(value: number): number {
  return Number(value.toPrecision(3));
}
