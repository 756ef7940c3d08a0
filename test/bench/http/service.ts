// A price service as you would write it in an afternoon: plain objects, Maps, `createHash` and `toISOString`. All peers
// share this service, and differ only in the framework, which finds the route and writes the JSON.
import { createHash, randomUUID } from "node:crypto";
import { INTERVALS } from "../../../core/market/candles.ts";
import { ASSETS, type Asset, ERRORS, type ErrorCode } from "../../../core/mod.ts";
import { MANY_UNITS, prices } from "../support/market.ts";

/** The routes below `/api/v1/assets`. */
export const PATHS = {
  list: "",
  catalog: "/supported",
  latest: "/:code",
  history: "/:code/history",
  ohlc: "/:code/ohlc",
} as const;
export type RouteName = keyof typeof PATHS;

/** A request, as parsed by a framework. */
export interface ServiceRequest {
  readonly path: string;
  readonly key: string | undefined;
  readonly code?: string | undefined;
  readonly query: Readonly<Record<string, string | undefined>>;
}

/** The answer that a framework sends, with `data` as JSON. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly data: unknown;
}

/** Answers a request. */
export type Service = (route: RouteName, asked: ServiceRequest) => Reply;

interface AssetRow {
  readonly time: number;
  readonly value: number;
}

interface Holding {
  readonly asset: Asset;
  readonly rows: AssetRow[];
  /** The last row of each day in the market's time zone. */
  readonly days: Map<string, AssetRow>;
}

const DAY = 86_400_000;
const TEHRAN_OFFSET = 12_600_000;
const READABLE =
  "ETag, Retry-After, X-Notice, X-Request-Id, RateLimit, RateLimit-Policy, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset";

/** Makes the service with all prices in memory. */
export function createService(now: number, key: string): Service {
  const holdings = new Map(
    ASSETS.map((asset): [string, Holding] => [asset.code, { asset, rows: [], days: new Map() }]),
  );
  for (const { code, time, value } of prices(now)) {
    const { rows, days } = holdings.get(code)!;
    const row = { time, value };
    rows.push(row);
    days.set(iso(time + TEHRAN_OFFSET).slice(0, 10), row);
  }
  const callers = new Map([[digest(key), { units: MANY_UNITS, used: 0 }]]);
  const tag = `"${now.toString(36)}"`;

  return (route, { path, key, code = "", query }) => {
    const requestId = randomUUID();
    const common = {
      "Access-Control-Allow-Origin": "*",
      "Access-Control-Expose-Headers": READABLE,
      "X-Content-Type-Options": "nosniff",
      "X-Request-Id": requestId,
    };
    const fail = (error: ErrorCode, headers: Readonly<Record<string, string>>): Reply => {
      const { status, message } = ERRORS[error];
      const data = { status, code: error, message, timestamp: iso(Date.now()), path, requestId };
      return { status, headers: { ...common, "Cache-Control": "no-store", ...headers }, data };
    };
    const caller = key === undefined ? undefined : callers.get(digest(key));
    if (!caller)
      return fail(key === undefined ? "API_KEY_MISSING" : "API_KEY_INVALID", { "WWW-Authenticate": "ApiKey" });
    if (caller.used >= caller.units) return fail("QUOTA_EXCEEDED", { ...quotaHeaders(caller), "Retry-After": "3600" });
    caller.used++;
    const answer = () => {
      if (route === "list") return all(holdings);
      if (route === "catalog") return catalog(holdings);
      const holding = holdings.get(code);
      return holding ? ofAsset(route, holding, query) : "ASSET_NOT_FOUND";
    };
    const data = answer();
    if (typeof data !== "string") {
      const caching = {
        "Cache-Control": "private, no-cache",
        Vary: "X-API-Key, Authorization, Accept, Accept-Encoding",
        ETag: tag,
      };
      return { status: 200, headers: { ...common, ...caching, ...quotaHeaders(caller) }, data };
    }
    caller.used--;
    return fail(data, quotaHeaders(caller));
  };
}

function quotaHeaders({ units, used }: { readonly units: number; readonly used: number }): Record<string, string> {
  const seconds = Math.ceil((DAY - (Date.now() % DAY)) / 1_000);
  return {
    "RateLimit-Policy": `"daily";q=${units};w=86400`,
    RateLimit: `"daily";r=${units - used};t=${seconds}`,
    "X-RateLimit-Limit": String(units),
    "X-RateLimit-Remaining": String(units - used),
    "X-RateLimit-Reset": String(Math.ceil(Date.now() / DAY) * 86_400),
  };
}

function all(holdings: ReadonlyMap<string, Holding>): object {
  return [...holdings.values()].map(({ asset, rows }) => toRecord(asset, rows.at(-1)!));
}

function ofAsset(
  route: RouteName,
  holding: Holding,
  { from, to, interval }: ServiceRequest["query"],
): object | ErrorCode {
  if (route === "latest") return toRecord(holding.asset, holding.rows.at(-1)!);
  if (from === undefined || to === undefined) return "MISSING_PARAMETER";
  const [start, end] = [Date.parse(from), Date.parse(to)];
  if (Number.isNaN(start) || Number.isNaN(end)) return route === "history" ? "INVALID_DATE" : "INVALID_TIMESTAMP";
  return route === "history" ? history(holding, start, end) : candles(holding, interval ?? "", { start, end });
}

function history({ asset, days }: Holding, first: number, last: number): object | ErrorCode {
  if (last < first || last - first > 31 * DAY) return "INVALID_DATE_RANGE";
  const records = [];
  for (let day = first; day <= last; day += DAY) {
    const row = days.get(iso(day).slice(0, 10));
    if (row) records.push(toRecord(asset, row));
  }
  return records;
}

function candles(
  { asset, rows }: Holding,
  interval: string,
  { start, end }: { readonly start: number; readonly end: number },
): object | ErrorCode {
  const width = INTERVALS.get(interval);
  if (width === undefined) return "INVALID_INTERVAL";
  const { code, baseCode, labelEn, labelFa, quoteUnit } = asset;
  const head = {
    code,
    baseCode,
    labelEn,
    labelFa,
    quoteUnit,
    interval,
    from: iso(start),
    to: iso(end),
    availableFrom: iso(rows[0]!.time),
  };
  const list = fold(rows, width, { from: Math.ceil(start / width) * width, to: Math.ceil(end / width) * width });
  if (list.length === 0) return "OHLC_NOT_FOUND";
  const present = Date.now();
  const candles = list.map(({ start, end, open, high, low, close, observationCount }) => {
    return { start: iso(start), end: iso(end), open, high, low, close, observationCount, complete: present >= end };
  });
  return { ...head, candles };
}

/** Computes candles from rows that are sorted by time, in the simplest way. */
export function fold(
  rows: readonly AssetRow[],
  width: number,
  { from, to }: { readonly from: number; readonly to: number },
) {
  const candles = [];
  for (let i = firstAt(rows, from); i < rows.length && rows[i]!.time < to; ) {
    const start = Math.floor(rows[i]!.time / width) * width;
    const end = start + width;
    const open = rows[i]!.value;
    let [high, low, close, observationCount] = [open, open, open, 0];
    for (; i < rows.length && rows[i]!.time < end; i++, observationCount++) {
      close = rows[i]!.value;
      high = Math.max(high, close);
      low = Math.min(low, close);
    }
    candles.push({ start, end, open, high, low, close, observationCount });
  }
  return candles;
}

function firstAt(rows: readonly AssetRow[], time: number): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rows[middle]!.time < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

function catalog(holdings: ReadonlyMap<string, Holding>): object {
  const present = Date.now();
  const assets = [...holdings.values()].map(({ asset, rows }) => {
    const { code, baseCode, category, labelEn, labelFa, quoteUnit } = asset;
    const { time, value } = rows.at(-1)!;
    return {
      code,
      baseCode,
      category,
      labelEn,
      labelFa,
      quoteUnit,
      providers: ["bench"],
      providerSupported: true,
      latestValueAvailable: true,
      latestValue: value,
      businessTime: iso(time),
      sourceTime: iso(time),
      insertTime: iso(time),
      qualityStatus: "ACCEPTED",
      qualityMessage: "",
      availabilityStatus: "AVAILABLE",
      stale: present - time > 3_600_000,
      ohlcAvailable: true,
      ohlcAvailableFrom: iso(rows[0]!.time),
    };
  });
  return { updatedAt: iso(present), staleThresholdMinutes: 60, assets };
}

function toRecord({ code, labelEn, labelFa, quoteUnit }: Asset, { value, time }: AssetRow): object {
  return { code, name: code, slug: code.toLowerCase(), labelEn, labelFa, quoteUnit, value, businessTime: iso(time) };
}

function iso(time: number): string {
  return new Date(time).toISOString();
}

function digest(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}
