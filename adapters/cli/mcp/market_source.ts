import {
  createZone,
  DAY_MS,
  dateOfDayNumber,
  dayNumber,
  gregorianOf,
  lastUpTo,
  parseDate,
  REQUEST_DAYS,
  suggestAssets,
} from "../../../core/internal.ts";
import {
  type Asset,
  type AssetValue,
  type CalendarDate,
  INTERVALS,
  type Interval,
  type PriceCalls,
  type PriceCandle,
  type UtcClock,
  type ValueWithChange,
} from "../../../core/mod.ts";
import type { CallOptions } from "../../client/mod.ts";
import { createAssetNames } from "../../intake/names/find_asset.ts";
import { wrongUsage } from "../command_failure.ts";
import { assetNamed as assetOfName } from "../market/find_asset_code.ts";
import type { PriceView } from "../market/get_report.ts";
import { createWords } from "./price_sentences.ts";

/** The prices and the settings for an answer, and the limit of the units that it may cost. */
export interface MarketSource {
  readonly prices: Pick<PriceCalls<string, [options?: CallOptions]>, "latestOf" | "history" | "candles">;
  readonly assets: readonly Asset[];
  readonly marketTimeZone: string;
  readonly clock: UtcClock;
  /** Throws if too few units are left for this many requests. */
  readonly demand: (requests: number) => Promise<void>;
  /** Aborted if the assistant cancels the question. */
  readonly signal: AbortSignal;
}

/** Finds prices by the names and days that an assistant writes. Error messages are for the assistant. */
export type AssistantMarket = ReturnType<typeof createAssistantMarket>;

type Days = readonly [first: number, last: number];

/** The maximum number of days in a question. */
export const MAX_DAYS = 36_525;
/** The maximum number of candles in one request of the client. */
const CALL_CANDLES = 10_000;

export function createAssistantMarket({ prices, assets, marketTimeZone, clock, demand, signal }: MarketSource) {
  const words = createWords(clock, marketTimeZone);

  async function history(code: string, from: string, to: string): Promise<AssetValue<string>[]> {
    signal.throwIfAborted();
    return prices.history(code, from, to, { signal });
  }

  function assetsNamed(name: string): readonly Asset[] {
    const { codes, per } = createAssetNames(assets).find(name);
    if (codes.length > 0 && per === 1) return assets.filter(({ code }) => codes.includes(code));
    const suggestion = suggestAssets(assets, name);
    throw wrongUsage(`There is no asset "${name}"${suggestion === "" ? "" : `; it may be ${suggestion}`}`);
  }

  const assetNamed = (name: string): Asset =>
    assetOfName(name, { assets, program: "mazaneh" }, `"${name}" does not name exactly one asset`);

  function dayNamed(text: string): CalendarDate {
    const day = text === "today" ? createZone(marketTimeZone).dateAt(clock()) : (parseDate(text) ?? gregorianOf(text));
    if (day === undefined)
      throw wrongUsage(`"${text}" is not a day: write 2026-08-21, the Jalali date 1405/05/30, or today`);
    return day;
  }

  function daysFrom(from: string, to: string): Days {
    const [first, last] = [dayNumber(dayNamed(from)), dayNumber(dayNamed(to))];
    if (last < first || last - first > MAX_DAYS)
      throw wrongUsage(`The range must have at most ${MAX_DAYS} days and not end before it begins`);
    return [first, last];
  }

  async function latestOf(asked: readonly Asset[]): Promise<ReadonlyMap<string, AssetValue<string>>> {
    await demand(1);
    const codes = asked.map(({ code }) => code);
    return new Map((await prices.latestOf(codes, { signal })).map((record) => [record.code, record]));
  }

  async function historyOf({ code }: Asset, [first, last]: Days): Promise<readonly AssetValue<string>[]> {
    await demand(Math.ceil((last - first + 1) / REQUEST_DAYS));
    return history(code, dateOfDayNumber(first), dateOfDayNumber(last));
  }

  /** For each day, the last record on or before that day. Searches back only as many days as one request covers. */
  async function pricesOn({ code }: Asset, days: readonly string[]): Promise<readonly ValueWithChange<string>[]> {
    const dates = days.map(dayNamed);
    await demand(dates.length);
    const found: ValueWithChange<string>[] = [];
    for (const date of dates) {
      const record = await lastUpTo(date, (from, to) => history(code, from, to));
      if (!record) throw wrongUsage(`${code} has no record in the ${REQUEST_DAYS} days up to ${words.day(date)}`);
      found.push(record);
    }
    return found;
  }

  async function candlesOf({ code }: Asset, interval: string, [first, last]: Days): Promise<readonly PriceCandle[]> {
    const width = INTERVALS.get(interval) ?? DAY_MS;
    await demand(Math.ceil(((last - first + 1) * DAY_MS) / width / CALL_CANDLES));
    const [from, to] = [new Date(first * DAY_MS), new Date((last + 1) * DAY_MS)];
    return prices.candles(code, { interval: interval as Interval, from, to }, { signal });
  }

  const viewOf = (asset: Asset): PriceView => ({ asset, marketTimeZone, columns: undefined });

  return { assets, words, viewOf, assetsNamed, assetNamed, daysFrom, latestOf, historyOf, pricesOn, candlesOf };
}
