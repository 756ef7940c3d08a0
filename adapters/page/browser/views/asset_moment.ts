// The moment that an asset's view shows: now, or the end of a chosen market day.
import { DAY_MS, dateOfDayNumber, dayNumber } from "../../../../core/internal.ts";
import type { CalendarDate } from "../../../../core/mod.ts";
import type { MarketRow } from "../../market_summary.ts";
import type { PageAsset } from "../../page_settings.ts";
import { candlesCall, catalogCall, daysCall } from "../data/answers.ts";
import { extremesOf } from "../data/bars.ts";
import { firstDayOf, RANGE_NAMES, type RangeName, windowsUpTo } from "../data/ranges.ts";
import * as state from "../data/state.ts";
import { useAnswers } from "../parts/use_answers.ts";

type Day = CalendarDate | undefined;

const { dayOf } = state;
const QUARTER_MS = DAY_MS / 96;

/** The last value of a market day, in the API's unit. */
type DayValue = Readonly<{ date: string; value: number }>;

/** The values that an asset's view shows for a moment. */
export type Moment = ReturnType<typeof useMoment>;

/**
 * Returns the values of a moment, and the values that each range is compared with. The last five weeks are in the
 * market's answer. Older days are requested: for all ranges if requests are free, otherwise only for `range`.
 *
 * @param past A day before the day of the latest record; `undefined` for the current price.
 */
export function useMoment(asset: PageAsset, row: MarketRow | undefined, past: Day, range: RangeName) {
  const isFree = state.isFree.value;
  const from = state.market.value.summary?.from;
  const day = past ?? (row && (dayOf(Date.parse(row.businessTime)) as CalendarDate));
  const recent = row === undefined || from === undefined ? [] : recentDays(row, from);
  const starts = new Map(day && RANGE_NAMES.map((name) => [name, firstDayOf(name, day)] as const));
  const wanted = [...(past === undefined ? [] : [past]), ...(isFree ? starts.values() : [])];
  if (!isFree && starts.has(range)) wanted.push(starts.get(range)!);
  const older = wanted.filter((one) => one !== starts.get("all") && !recent.some(({ date }) => date <= one));
  const history = useAnswers(windowsUpTo(older).map((days) => daysCall(asset.code, days)));
  const catalog = useAnswers(isFree && row ? [catalogCall(asset)] : []);
  const quarters = useAnswers(past === undefined ? [] : [candlesCall(asset.code, quartersOf(past))]).answers[0];
  const loaded = history.answers.flatMap((answer = []) => answer);
  const days: readonly DayValue[] = loaded
    .map(({ value, businessTime }) => ({ date: dayOf(Date.parse(businessTime)), value }))
    .concat(recent)
    .sort((one, other) => (one.date < other.date ? -1 : 1));
  // An older record is not used, because later records may exist that are not loaded yet.
  const upTo = (last: string): DayValue | undefined =>
    days.findLast(({ date }) => date <= last && Date.parse(last) - Date.parse(date) < 36 * DAY_MS);
  const begun = catalog.answers[0]?.find(({ code }) => code === asset.code)?.ohlcAvailableFrom;
  return {
    day,
    past,
    /** The price; `undefined` while the price is loading, or if the past day has no record. */
    value: past === undefined ? row?.value : days.find(({ date }) => date === past)?.value,
    /** The previous day with a record. */
    before: past === undefined ? row?.before : upTo(starts.get("1d")!),
    /** The records of a past day. */
    records: quarters?.[0] && {
      open: quarters[0].open,
      ...extremesOf(quarters),
      count: quarters.reduce((sum, { observationCount }) => sum + observationCount, 0),
    },
    /** The day of the asset's first record; `undefined` if unknown. */
    begun: begun ? dayOf(Date.parse(begun)) : undefined,
    isComing: history.failed === undefined && history.answers.includes(undefined),
    /** The value that a range is compared with: the last value up to the range's first day. */
    startOf: (name: RangeName): DayValue | undefined => (starts.has(name) ? upTo(starts.get(name)!) : undefined),
    firstDay: (name: RangeName): string | undefined => starts.get(name),
  };
}

/** The days with a value in the market's answer, and the previous day with a record. */
function recentDays({ days, before }: MarketRow, from: string): readonly DayValue[] {
  const first = dayNumber(from as CalendarDate);
  const known = days.flatMap((value, at) =>
    value === null ? [] : { date: dateOfDayNumber(first + at) as string, value },
  );
  return before && !known.some(({ date }) => date === before.date) ? [before, ...known] : known;
}

/** A market day as 15-minute candles: in every time zone, midnight is at a full quarter of an hour. */
function quartersOf(day: CalendarDate) {
  const startOf = (date: CalendarDate): string => {
    let time = Date.parse(date) - 14 * 4 * QUARTER_MS;
    while (dayOf(time) < date) time += QUARTER_MS;
    return `${new Date(time).toISOString().slice(0, 19)}Z`;
  };
  return { interval: "15m", from: startOf(day), to: startOf(dateOfDayNumber(dayNumber(day) + 1)) } as const;
}
