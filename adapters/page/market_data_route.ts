import {
  crc32Hex,
  createZone,
  csvRecord,
  dateOfDayNumber,
  dayNumber,
  formatTimestamp,
  indexAssets,
  MINUTE_MS,
  type Zone,
} from "../../core/internal.ts";
import type { Asset, AssetCode, CustomRoute, Observation, Observations, Settings, UtcMillis } from "../../core/mod.ts";
import { ASSETS, defineRoute } from "../../core/mod.ts";
import { createAnswerCache } from "./answer_cache.ts";
import type { MarketDay, MarketRow, MarketSummary } from "./market_summary.ts";

/** The store, and the API settings that the market view needs. */
export interface MarketSettings extends Pick<Settings, "assets" | "marketTimeZone"> {
  readonly observations: Observations;
  /** Whether everybody can see latest prices, thirty-day lines and charts without a key. Default `false`. */
  readonly publicMarket?: boolean;
}

/** How long the answers of a public market are kept. */
export const PUBLIC_FRESH_MS = 30_000;
const DAYS = 36; // a month before the last day, and five more days in case the market was closed
const QUARTER_MS = 15 * MINUTE_MS;
/** The asset whose prices of the day so far are drawn as a line on the board. */
const DRAWN = "USD_RLS";

/** The market as read from the store, as an object and as bytes. */
type MarketAnswer = Readonly<{ summary: MarketSummary; body: Uint8Array; tag: string }>;

/** Returns the function that reads the market. The result is kept until records change (public market: 30 s). */
export function createMarketReader({
  observations,
  assets = ASSETS,
  marketTimeZone = "Asia/Tehran",
  publicMarket = false,
}: MarketSettings) {
  const codes = [...indexAssets(assets).values()].map(({ code }) => code);
  const zone = createZone(marketTimeZone);
  const kept = createAnswerCache<MarketAnswer>({ freshMs: publicMarket ? PUBLIC_FRESH_MS : Infinity, most: 1 });
  const rows = new Map<AssetCode, { readonly state: string; readonly row: MarketRow }>();

  /** Reads the last days of each asset whose records have changed since the last reading. */
  async function make(now: UtcMillis): Promise<MarketAnswer> {
    const today = dayOf(now, zone);
    // Versions are read before the records: if a record arrives in between, the next reading sees another version.
    const versions = new Map(
      await Promise.all(codes.map(async (code) => [code, await observations.version([code])] as const)),
    );
    const latest = (await observations.latest(codes)).value.filter((found) => found !== undefined);
    const assets = await Promise.all(
      latest.map(async (newest) => {
        const version = versions.get(newest.code)!;
        const state = `${today} ${version}`;
        if (rows.get(newest.code)?.state !== state)
          rows.set(newest.code, { state, row: await readRow(newest, today, version) });
        return rows.get(newest.code)!.row;
      }),
    );
    const span = { from: dateOfDayNumber(today - DAYS + 1), to: dateOfDayNumber(today) };
    const summary = { updatedAt: formatTimestamp(now), ...span, assets };
    const body = new TextEncoder().encode(JSON.stringify(summary));
    return { summary, body, tag: crc32Hex(body) };
  }

  async function readRow(newest: Observation, today: number, version: string): Promise<MarketRow> {
    // Looks for the previous value in the 36 days before the latest value, even if the latest value is months old.
    const newestDay = dayOf(newest.businessTime, zone);
    const edges = Array.from({ length: DAYS + 2 }, (_, at) => zone.startOfDay(newestDay - DAYS + at));
    const days = daysOf((await observations.lastOfEach(newest.code, edges)).value, edges);
    const earlier = days.findLastIndex((value, at) => value !== undefined && at < DAYS);
    return {
      code: newest.code,
      version: crc32Hex(new TextEncoder().encode(version)), // short, and of a fixed length
      value: newest.value,
      businessTime: formatTimestamp(newest.businessTime),
      before: earlier === -1 ? null : { date: dateOfDayNumber(newestDay - DAYS + earlier), value: days[earlier]! },
      day: newestDay === today ? await readDay(newest.code, today) : null,
      days: Array.from({ length: DAYS }, (_, at) => days[today + 1 + at - newestDay] ?? null),
    };
  }

  /** The day so far, read as 15-minute candles. */
  async function readDay(code: AssetCode, day: number): Promise<MarketDay | null> {
    const start = zone.startOfDay(day);
    const window = { from: floorQuarter(start), to: floorQuarter(zone.startOfDay(day + 1) + QUARTER_MS - 1) };
    const candles = [...(await observations.candles(code, window, QUARTER_MS)).value.candles];
    const [first] = candles;
    if (first === undefined) return null;
    return {
      open: first.open,
      high: Math.max(...candles.map(({ high }) => high)),
      low: Math.min(...candles.map(({ low }) => low)),
      count: candles.reduce((sum, { observationCount }) => sum + observationCount, 0),
      ...(code === DRAWN && { line: candles.map(({ end, close }) => [(end - start) / MINUTE_MS, close] as const) }),
    };
  }

  async function read(now: UtcMillis): Promise<MarketAnswer> {
    const state = publicMarket ? "" : await observations.version(codes);
    return kept(`${dayOf(now, zone)} ${state}`, now, () => make(now));
  }
  /** The version of an asset's records at the last reading; empty if there are no records. */
  const versionOf = (code: string | undefined): string => rows.get(code as AssetCode)?.row.version ?? "";
  return Object.assign(read, { versionOf });
}

/**
 * Returns the routes for the market view: `GET /docs/market` costs one unit. On a public market, it is free, and there
 * is also `GET /docs/market.csv`. The routes are internal to the page, may change, and are not in the OpenAPI document.
 */
export function marketRoutes(
  read: ReturnType<typeof createMarketReader>,
  { assets = ASSETS, publicMarket = false }: MarketSettings,
): readonly CustomRoute[] {
  const catalog = indexAssets(assets);
  const routeOf = (path: string, type: string, bodyOf: (market: MarketAnswer) => Uint8Array | string) =>
    defineRoute({
      ...(publicMarket ? { auth: "none", charge: "free" } : { auth: "key", charge: "success" }),
      path,
      method: "GET",
      docs: false,
      summary: "Latest values and last days of all assets",
      async handle({ now }) {
        const market = await read(now);
        return { body: bodyOf(market), contentType: `${type}; charset=utf-8`, tag: market.tag };
      },
    });
  const json = routeOf("/docs/market", "application/json", ({ body }) => body);
  if (!publicMarket) return [json];
  return [json, routeOf("/docs/market.csv", "text/csv", ({ summary }) => marketCsv(summary, catalog))];
}

/** The market as CSV for IMPORTDATA and Power Query: values in the row's unit, times in UTC, changes as ratios. */
function marketCsv({ assets }: MarketSummary, catalog: ReadonlyMap<string, Asset>): string {
  const rows = assets.map(({ code, value, businessTime, before }) => {
    const { labelEn, quoteUnit } = catalog.get(code)!;
    const change = before === null || before.value === 0 ? null : Math.round((value / before.value - 1) * 1e6) / 1e6;
    return [code, labelEn.split(" / ")[0]!, quoteUnit, value, businessTime, change];
  });
  return [["code", "name", "unit", "value", "time", "change"], ...rows].map((row) => `${csvRecord(row)}\n`).join("");
}

/** The value of each day; `edges` are the starts of the days, then the end of the last day. */
function daysOf(found: readonly Observation[], edges: readonly UtcMillis[]): readonly (number | undefined)[] {
  const values = new Array<number | undefined>(edges.length - 1).fill(undefined);
  let day = 0;
  for (const { businessTime, value } of found) {
    while (edges[day + 1]! <= businessTime) day++;
    values[day] = value;
  }
  return values;
}

/** Rounds a time down to a quarter of an hour, because candle windows must begin and end there. */
function floorQuarter(time: number): UtcMillis {
  return (Math.floor(time / QUARTER_MS) * QUARTER_MS) as UtcMillis;
}

/** The day of a moment, as days since 1970. */
export function dayOf(time: UtcMillis, zone: Zone): number {
  return dayNumber(zone.dateAt(time));
}
