import { DAY_MS, MINUTE_MS, crc32Hex, createZone, dateOfDayNumber, formatTimestamp, indexAssets } from "../../core/internal.ts";
import type { Zone } from "../../core/internal.ts";
import { ASSETS, defineRoute } from "../../core/mod.ts";
import type { AssetCode, Observation, Observations, CustomAnswer, CustomRoute, Settings, UtcMillis } from "../../core/mod.ts";
import type { MarketDay, MarketRow, MarketSummary } from "./market_summary.ts";

/** What the market view needs of the API's settings, and the store. */
export interface MarketSettings extends Pick<Settings, "assets" | "marketTimeZone"> {
  readonly observations: Observations;
}

const DAYS = 30;
const QUARTER_MS = 15 * MINUTE_MS;
/** The asset whose day is drawn as a line. */
const DRAWN = "USD_RLS";

/** An answer, and how long it stays right. */
interface Made {
  readonly answer: CustomAnswer;
  readonly version: string;
  readonly madeAt: UtcMillis;
  /** The moment at which the next day begins. */
  readonly expiresAt: number;
}

/**
 * Makes the route `GET /docs/market`, which gives the market view all that it shows at once, for one unit. It is made for
 * the page, changes with it, and is not in the OpenAPI document.
 */
export function marketRoute({ observations, assets = ASSETS, marketTimeZone = "Asia/Tehran" }: MarketSettings): CustomRoute {
  const codes = [...indexAssets(assets).values()].map(({ code }) => code);
  const zone = createZone(marketTimeZone);
  let last: Made | undefined;
  let making: { readonly version: string; readonly made: Promise<Made> } | undefined;

  /** Reads the last days of each asset. The answer is kept until it would differ. */
  async function make(version: string, now: UtcMillis): Promise<Made> {
    const today = dayOf(now, zone);
    const latest = (await observations.latest(codes)).value.filter((found) => found !== undefined);
    const rows = await Promise.all(
      latest.map(async (newest): Promise<MarketRow> => {
        // The value before is looked for up to 30 days before the latest one, so also where that is months old.
        const newestDay = dayOf(newest.businessTime, zone);
        const edges = Array.from({ length: DAYS + 2 }, (_, at) => zone.startOfDay(newestDay - DAYS + at));
        const days = daysOf((await observations.lastOfEach(newest.code, edges)).value, edges);
        return rowOf(newest, { days, newestDay, today, day: newestDay === today ? await readDay(newest.code, today) : null });
      }),
    );
    const summary: MarketSummary = { updatedAt: formatTimestamp(now), from: dateOfDayNumber(today - DAYS + 1), to: dateOfDayNumber(today), assets: rows };
    const body = new TextEncoder().encode(JSON.stringify(summary));
    return {
      answer: { body, contentType: "application/json; charset=utf-8", tag: `${version}.${crc32Hex(body)}` },
      version, madeAt: now, expiresAt: zone.startOfDay(today + 1),
    };
  }

  /** The day so far, read as quarters of an hour. */
  async function readDay(code: AssetCode, day: number): Promise<MarketDay | null> {
    const start = zone.startOfDay(day);
    const window = { from: floorQuarter(start), to: floorQuarter(zone.startOfDay(day + 1) + QUARTER_MS - 1) };
    const { candles } = (await observations.candles(code, window, QUARTER_MS)).value;
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

  /** Requests for the same version at the same time share one reading, which in a database takes a query for each asset. */
  function makeOnce(version: string, now: UtcMillis): Promise<Made> {
    if (making?.version !== version) {
      const made = make(version, now).finally(() => (making = making?.made === made ? undefined : making));
      making = { version, made };
    }
    return making.made;
  }

  return defineRoute({
    method: "GET", path: "/docs/market", auth: "key", charge: "success", docs: false, summary: "Latest values and last days of all assets",
    async handle({ now }) {
      const version = await observations.version(codes);
      // The clock can run backwards.
      const isRight = last?.version === version && now >= last.madeAt && now < last.expiresAt;
      if (!isRight) last = await makeOnce(version, now);
      return last!.answer;
    },
  });
}

/** The value of each day; the edges are the beginnings of the days, and the end of the last one. */
function daysOf(found: readonly Observation[], edges: readonly UtcMillis[]): readonly (number | undefined)[] {
  const values = new Array<number | undefined>(edges.length - 1).fill(undefined);
  let day = 0;
  for (const { businessTime, value } of found) {
    while (edges[day + 1]! <= businessTime) day++;
    values[day] = value;
  }
  return values;
}

interface RowFacts {
  /** The value of each day up to `newestDay`, which is the last one. */
  readonly days: readonly (number | undefined)[];
  readonly newestDay: number;
  readonly today: number;
  readonly day: MarketDay | null;
}

function rowOf({ code, value, businessTime }: Observation, { days, newestDay, today, day }: RowFacts): MarketRow {
  const firstDay = newestDay - DAYS;
  const earlier = days.findLastIndex((found, day) => found !== undefined && day < DAYS);
  return {
    code, value,
    businessTime: formatTimestamp(businessTime),
    before: earlier === -1 ? null : { date: dateOfDayNumber(firstDay + earlier), value: days[earlier]! },
    day,
    days: Array.from({ length: DAYS }, (_, at) => days[today - DAYS + 1 + at - firstDay] ?? null),
  };
}

/** The latest multiple of a quarter of an hour, which windows of candles begin and end at. */
function floorQuarter(time: number): UtcMillis {
  return (Math.floor(time / QUARTER_MS) * QUARTER_MS) as UtcMillis;
}

/** The day of a moment, as days since 1970. The beginnings of days are cached, so this is cheaper than asking the runtime's calendar. */
function dayOf(time: UtcMillis, zone: Zone): number {
  let day = Math.floor(time / DAY_MS) + 1;
  while (zone.startOfDay(day) > time) day--;
  return day;
}
