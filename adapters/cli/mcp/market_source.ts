import {
  createZone,
  DAY_MS,
  dateOfDayNumber,
  dayNumber,
  gregorianOf,
  parseDate,
  suggestAssets,
} from "../../../core/internal.ts";
import type {
  Asset,
  AssetValue,
  CalendarDate,
  Interval,
  PriceCalls,
  PriceCandle,
  UtcClock,
} from "../../../core/mod.ts";
import { createAssetNames } from "../../intake/names/find_asset.ts";
import { wrongUsage } from "../command_failure.ts";
import { assetNamed as assetOfName } from "../market/find_asset_code.ts";
import { CALL_DAYS, readDays } from "../market/find_prices.ts";
import type { PriceView } from "../market/get_report.ts";
import { createWords } from "./price_sentences.ts";

/** What questions are answered from. */
export interface MarketSource {
  readonly prices: Pick<PriceCalls<string>, "latestOf" | "history" | "candles">;
  readonly assets: readonly Asset[];
  readonly marketTimeZone: string;
  readonly clock: UtcClock;
  /** Asks for leave to send so many requests. Throws where they are too many. */
  readonly spend: (requests: number) => void;
}

/** A market that is asked in an assistant's words. Each call throws an error with a message for the assistant. */
export type AssistantMarket = ReturnType<typeof createAssistantMarket>;

type Days = readonly [first: number, last: number];

const MAX_DAYS = 36_525;

export function createAssistantMarket({ prices, assets, marketTimeZone, clock, spend }: MarketSource) {
  const words = createWords(clock, marketTimeZone);

  function assetsNamed(name: string): readonly Asset[] {
    const { codes, per } = createAssetNames(assets).find(name);
    if (codes.length > 0 && per === 1) return assets.filter(({ code }) => codes.includes(code));
    const suggestion = suggestAssets(assets, name);
    throw wrongUsage(`There is no asset "${name}"${suggestion === "" ? "" : `; it may be ${suggestion}`}`);
  }

  const assetNamed = (name: string): Asset =>
    assetOfName(name, { assets, program: "mazaneh" }, `"${name}" is not one asset`);

  function dayNamed(text: string): CalendarDate {
    const day = text === "today" ? createZone(marketTimeZone).dateAt(clock()) : (parseDate(text) ?? gregorianOf(text));
    if (day === undefined)
      throw wrongUsage(`"${text}" is no day: write 2026-08-21, 1405/05/30 of the Jalali calendar, or today`);
    return day;
  }

  function daysFrom(from: string, to: string): Days {
    const [first, last] = [dayNumber(dayNamed(from)), dayNumber(dayNamed(to))];
    if (last < first || last - first > MAX_DAYS)
      throw wrongUsage(`from must be at most ${MAX_DAYS} days before to, and not after it`);
    return [first, last];
  }

  async function latestOf(asked: readonly Asset[]): Promise<ReadonlyMap<string, AssetValue<string>>> {
    spend(1);
    return new Map((await prices.latestOf(asked.map(({ code }) => code))).map((record) => [record.code, record]));
  }

  async function historyOf({ code }: Asset, days: Days): Promise<readonly AssetValue<string>[]> {
    spend(Math.ceil((days[1] - days[0] + 1) / CALL_DAYS));
    return readDays(prices, code, days);
  }

  /** The last record of each day, or of those of one call up to it. */
  async function pricesOn(asset: Asset, days: readonly string[]): Promise<readonly AssetValue<string>[]> {
    const found: AssetValue<string>[] = [];
    for (const day of days.map((text) => dayNumber(dayNamed(text)))) {
      const record = (await historyOf(asset, [day - CALL_DAYS + 1, day])).at(-1);
      if (record === undefined)
        throw wrongUsage(
          `${asset.code} has no record in the ${CALL_DAYS} days up to ${words.day(dateOfDayNumber(day))}`,
        );
      found.push(record);
    }
    return found;
  }

  async function candlesOf({ code }: Asset, interval: string, [first, last]: Days): Promise<readonly PriceCandle[]> {
    spend(1);
    return prices.candles(code, {
      interval: interval as Interval,
      from: new Date(first * DAY_MS),
      to: new Date((last + 1) * DAY_MS),
    });
  }

  const viewOf = (asset: Asset): PriceView => ({ asset, marketTimeZone, columns: undefined });

  return { assets, words, viewOf, assetsNamed, assetNamed, daysFrom, latestOf, historyOf, pricesOn, candlesOf };
}
