import { ASSETS, type AssetCode, type Observation, type UtcMillis } from "../../../core/mod.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** A made-up price. */
export interface Price {
  readonly code: AssetCode;
  readonly time: number;
  readonly value: number;
}

/** The prices for all contestants: BTC_USD every 15 minutes for a year, all other assets every 4 hours for 70 days. */
export function* prices(now: number): Generator<Price> {
  for (const { code } of ASSETS) {
    const [days, step] = code === "BTC_USD" ? [366, HOUR / 4] : [70, 4 * HOUR];
    for (let time = now - days * DAY, n = 0; time < now; time += step, n++)
      yield { code, time, value: (10_000_000 + ((n * 7_919) % 9_973) * 50) / 100 };
  }
}

/** The price as an observation for a store. */
export function toObservation({ code, time, value }: Price): Observation {
  const plain = { sourceTime: null, provider: "bench", qualityStatus: "ACCEPTED", qualityMessage: "" } as const;
  return { code, value, businessTime: time as UtcMillis, insertTime: (time + 1_500) as UtcMillis, ...plain };
}

const OF_THE_MOMENT = new Set(["updatedAt", "timestamp", "requestId", "message", "insertTime"]);

/** The value of a JSON body, without the members that change with time, or differ between stores. */
export function comparable(body: string | Uint8Array): unknown {
  const text = typeof body === "string" ? body : Buffer.from(body).toString();
  return JSON.parse(text, (member, value: unknown) => (OF_THE_MOMENT.has(member) ? undefined : value)) as unknown;
}

/** A request to measure. */
export interface BenchRequest {
  readonly target: string;
  readonly key: string | undefined;
  readonly status: number;
}

/** A benchmark's keys: one with more units than any benchmark uses, and an unknown one. */
export interface BenchKeys {
  readonly rich: string;
  readonly unknown: string;
}

/** More units than any benchmark uses. */
export const MANY_UNITS = 1_000_000_000;

/** Lists of requests, by name. The `new` lists have more requests than the answer cache can hold. */
export function benchRequests(now: number, { rich, unknown }: BenchKeys): ReadonlyMap<string, readonly BenchRequest[]> {
  const get = (path: string, status = 200, key: string | undefined = rich): BenchRequest => ({
    target: `/api/v1/assets${path}`,
    key,
    status,
  });
  const date = (daysAgo: number): string => new Date(now - daysAgo * DAY).toISOString().slice(0, 10);
  const hour = (hoursAgo: number): string => new Date(Math.floor(now / HOUR) * HOUR - hoursAgo * HOUR).toISOString();
  const candles = (from: number, to: number): BenchRequest =>
    get(`/BTC_USD/ohlc?interval=1h&from=${hour(from)}&to=${hour(to)}`);
  const history = (code: string, to: number, days = 30): string =>
    `/${code}/history?from=${date(to + days)}&to=${date(to)}`;

  const one = get("/USD_RLS");
  const list = get("");
  // Another asset than in `one`: the constant servers have only one answer for each target.
  const unauthorized = get("/EUR_RLS", 401, unknown);
  const notFound = get("/ZZZ_USD", 404);
  return new Map([
    ["one", [one]],
    ["list", [list]],
    ["history", [get(history("USD_RLS", 2))]],
    ["ohlc", [candles(768, 24)]],
    ["catalog", [get("/supported")]],
    ["new history", ASSETS.flatMap(({ code }) => Array.from({ length: 37 }, (_, at) => get(history(code, 2 + at))))],
    ["new ohlc", Array.from({ length: 5_000 }, (_, at) => candles(768 + at, 24 + at))],
    ["401", [unauthorized]],
    ["401 no key", [{ ...unauthorized, key: undefined }]],
    ["404", [notFound]],
    ["417", [get(history("USD_RLS", 2, 58), 417)]],
    ["mix", [one, list, get(history("USD_RLS", 2)), notFound, unauthorized, candles(768, 24)]],
  ]);
}
