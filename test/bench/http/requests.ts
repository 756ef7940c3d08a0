import { makeKey } from "../../../core/accounts/keys.ts";
import { randomBytes } from "../../../adapters/system.ts";

const DAY = 86_400_000;
const HOUR = 3_600_000;

/** Keys of the accounts that a benchmark has made. */
export interface BenchKeys {
  /** Has more units than any benchmark uses. */
  readonly rich: string;
  /** Has no unit left. */
  readonly spent: string;
}

/** A request to measure. */
export interface BenchRequest {
  readonly target: string;
  readonly key: string | undefined;
  readonly status: number;
}

/** The requests by name; `mix` is a rotation of six. Dates are counted back from `now`. */
export function benchRequests(now: number, keys: BenchKeys): ReadonlyMap<string, readonly BenchRequest[]> {
  const get = (target: string, status = 200, key: string | undefined = keys.rich): BenchRequest => ({ target, key, status });
  const date = (daysAgo: number): string => new Date(now - daysAgo * DAY).toISOString().slice(0, 10);
  const hour = (daysAgo: number): string => new Date(Math.floor((now - daysAgo * DAY) / HOUR) * HOUR).toISOString();
  const assets = "/api/v1/assets";
  const unknownKey = makeKey(randomBytes(38)).key;

  const one = get(`${assets}/USD_RLS`);
  const list = get(assets);
  const history = get(`${assets}/USD_RLS/history?from=${date(32)}&to=${date(2)}`);
  const ohlc = get(`${assets}/BTC_USD/ohlc?interval=1h&from=${hour(32)}&to=${hour(1)}`);
  // Another asset than that of `one`, because answers of the mix are distinguished by their targets.
  const unauthorized: BenchRequest = { target: `${assets}/EUR_RLS`, key: unknownKey, status: 401 };
  const notFound = get(`${assets}/NOPE_RLS`, 404);
  return new Map([
    ["one", [one]],
    ["list", [list]],
    ["history", [history]],
    ["ohlc", [ohlc]],
    ["catalog", [get(`${assets}/supported`)]],
    ["401", [unauthorized]],
    ["401 no key", [{ ...unauthorized, key: undefined }]],
    ["404", [notFound]],
    ["417", [get(`${assets}/USD_RLS/history?from=${date(60)}&to=${date(2)}`, 417)]],
    ["429", [get(`${assets}/USD_RLS`, 429, keys.spent)]],
    ["mix", [one, list, history, notFound, unauthorized, ohlc]],
  ]);
}

/** The bytes of a request, as text. */
export function requestText({ target, key }: BenchRequest): string {
  const fields = ["Host: 127.0.0.1", "Accept: application/json", ...(key === undefined ? [] : [`X-API-Key: ${key}`])];
  return `GET ${target} HTTP/1.1\r\n${fields.join("\r\n")}\r\n\r\n`;
}
