import {
  crc32Hex,
  createZone,
  dateOfDayNumber,
  dayNumber,
  formatTimestamp,
  indexAssets,
  jalaliHint,
  parseDate,
} from "../../core/internal.ts";
import type { AssetCode, CalendarDate, CustomAnswer, CustomRoute } from "../../core/mod.ts";
import { ASSETS, defineRoute, ERRORS, Unavailable } from "../../core/mod.ts";
import { createAnswerCache } from "./answer_cache.ts";
import { dayOf, type MarketSettings, PUBLIC_FRESH_MS } from "./market_data_route.ts";
import type { PastDayRow, PastDaySummary } from "./market_summary.ts";

/** How many days are kept. Together they take about a megabyte. */
const MOST_KEPT = 60;
/** How many days are read at the same time. Each day needs a database statement for each asset. */
const MOST_READ_AT_ONCE = 4;

/** Returns the route of a public market's past days: `GET /docs/market/{day}` answers with a `PastDaySummary`. */
export function pastDayRoute(settings: MarketSettings): CustomRoute {
  const { observations, assets = ASSETS, marketTimeZone = "Asia/Tehran" } = settings;
  const codes = [...indexAssets(assets).values()].map(({ code }) => code);
  const zone = createZone(marketTimeZone);
  const beginning = zone.startOfDay(dayNumber("0000-01-01" as CalendarDate));
  const kept = createAnswerCache<CustomAnswer>({ freshMs: PUBLIC_FRESH_MS, most: MOST_KEPT });
  let reading = 0;

  async function make(day: CalendarDate): Promise<CustomAnswer> {
    if (reading >= MOST_READ_AT_ONCE) throw new Unavailable("Too many past days are being read at once", 1);
    reading++;
    try {
      const rows = await Promise.all(codes.map((code) => readRow(code, day)));
      const summary: PastDaySummary = { day, assets: rows.filter((row) => row !== undefined) };
      const body = new TextEncoder().encode(JSON.stringify(summary));
      return { body, contentType: "application/json; charset=utf-8", tag: crc32Hex(body) };
    } finally {
      reading--;
    }
  }

  async function readRow(code: AssetCode, day: CalendarDate): Promise<PastDayRow | undefined> {
    const start = zone.startOfDay(dayNumber(day));
    const edges = [beginning, start, zone.startOfDay(dayNumber(day) + 1)];
    const found = (await observations.lastOfEach(code, edges)).value;
    const last = found.find(({ businessTime }) => businessTime >= start);
    const before = found.find(({ businessTime }) => businessTime < start);
    if (found.length === 0) return undefined;
    return {
      code,
      last: last ? { value: last.value, businessTime: formatTimestamp(last.businessTime) } : null,
      before: before ? { date: dateOfDayNumber(dayOf(before.businessTime, zone)), value: before.value } : null,
    };
  }

  return defineRoute({
    method: "GET",
    auth: "none",
    charge: "free",
    docs: false,
    isLong: true,
    path: "/docs/market/{day}",
    summary: "Last values of all assets on a day",
    handle({ params, now }) {
      const day = parseDate(params.day);
      const message = ERRORS.INVALID_DATE.message + jalaliHint(params.day);
      if (!day) return { failure: "INVALID_DATE", message };
      if (day > zone.dateAt(now)) return { failure: "INVALID_DATE", message: `${day} is in the future` };
      return kept(day, now, () => make(day));
    },
  });
}
