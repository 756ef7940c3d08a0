import type { BenchRequest } from "../http/requests.ts";

const DAY = 86_400_000;
const HOUR = 3_600_000;
/** With candles of a month each, more than the response cache has room for. */
const DISTINCT = 2_000;

/** The requests by name. All but the last two are cached once they were answered; a year of candles is too large for that. */
export function scaleOutRequests(now: number, key: string): ReadonlyMap<string, readonly BenchRequest[]> {
  const get = (path: string): BenchRequest => ({ target: `/api/v1/assets${path}`, key, status: 200 });
  const date = (daysAgo: number): string => new Date(now - daysAgo * DAY).toISOString().slice(0, 10);
  const hour = (hoursAgo: number): string => new Date(Math.floor(now / HOUR) * HOUR - hoursAgo * HOUR).toISOString();
  const candles = (from: number, to: number): BenchRequest => get(`/BTC_USD/ohlc?interval=1h&from=${hour(from)}&to=${hour(to)}`);
  return new Map([
    ["one asset", [get("/USD_RLS")]],
    ["list", [get("")]],
    ["31-day history", [get(`/USD_RLS/history?from=${date(32)}&to=${date(2)}`)]],
    ["candles of a month", [candles(745, 1)]],
    ["candles of a month, not cached", Array.from({ length: DISTINCT }, (_, at) => candles(745 + at, 1 + at))],
    ["candles of a year", [candles(8_701, 1)]],
  ]);
}
