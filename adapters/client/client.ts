import { PriceError } from "../../core/mod.ts";
import type { AccountAccess, AssetCode, AssetValue, CatalogEntry, PriceCalls, PriceCandle, ServiceStatus } from "../../core/mod.ts";
import { createAsk } from "./ask.ts";
import { parseSettings } from "./settings.ts";
import type { ClientOptions } from "./settings.ts";
import { SHAPES } from "./shapes.ts";
import type { Quota } from "./quota.ts";

/** Options of one call. */
export interface CallOptions {
  /** Ends the call: it rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * The calls of `createPrices`, over HTTP. Each takes `{ signal }` as a further argument, and one request, which is
 * one unit; the checks of the server are those of the client.
 *
 * Besides the errors of the server there is a `PriceError` with `NETWORK_ERROR` or `TIMEOUT` and status 0 where no
 * answer came, and with `UNEXPECTED_ANSWER` for one that is not of the API: a redirect, no JSON, another shape. Where
 * the units of the day are used up it is `QuotaExceeded`.
 */
export interface Client<Code extends string = AssetCode> extends PriceCalls<Code, [options?: CallOptions]> {
  /** The state of the server. Sends no key, and costs no unit. */
  status(options?: CallOptions): Promise<ServiceStatus>;

  /** The plan of the key. Costs no unit; afterwards `quota` tells the units that are left. */
  access(options?: CallOptions): Promise<AccountAccess>;

  /** What the last answer to tell it told about the units of the key. */
  readonly quota: Quota | undefined;
}

/**
 * Makes a client for a server of the API.
 *
 * If the server's catalog has other assets, name their codes: `createClient<AssetCode | "NOK_USD">(...)`, or write
 * `createClient<string>` to have codes checked by the server only.
 *
 * @throws TypeError or RangeError for an option that is not possible.
 */
export function createClient<Code extends string = AssetCode>(options: ClientOptions): Client<Code> {
  const ask = createAsk(parseSettings(options));
  const asset = (code: string, rest = ""): string => `/assets/${segment(code)}${rest}`;

  return {
    get quota() {
      return ask.quota();
    },
    async latest(code, { signal } = {}) {
      return (await ask.get(asset(code), SHAPES.record, signal)) as AssetValue<Code>;
    },
    async latestOf(codes, { signal } = {}) {
      return (await ask.get(`/assets${query({ codes: codes && [...new Set(codes)].join(",") })}`, SHAPES.records, signal)) as AssetValue<Code>[];
    },
    async on(code, date, { signal } = {}) {
      if (!DATE.test(date)) throw new PriceError({ code: "INVALID_DATE", status: 400, message: "A date is a real Gregorian day written YYYY-MM-DD" });
      return (await ask.get(asset(code, `/${date}`), SHAPES.record, signal)) as AssetValue<Code>;
    },
    async history(code, from, to, { signal } = {}) {
      return (await ask.get(asset(code, `/history${query({ from, to })}`), SHAPES.records, signal)) as AssetValue<Code>[];
    },
    async candles(code, { interval, from, to }, { signal } = {}) {
      const times = { interval, from: timeText(from), to: timeText(to) };
      return ((await ask.get(asset(code, `/ohlc${query(times)}`), SHAPES.candles, signal)) as { candles: PriceCandle[] }).candles;
    },
    async catalog({ category, quoteUnit } = {}, { signal } = {}) {
      return ((await ask.get(`/assets/supported${query({ category, quoteUnit })}`, SHAPES.catalog, signal)) as { assets: CatalogEntry<Code>[] }).assets;
    },
    async status({ signal } = {}) {
      return (await ask.get("/status", SHAPES.status, signal, false)) as ServiceStatus;
    },
    async access({ signal } = {}) {
      return (await ask.get("/access", SHAPES.access, signal)) as AccountAccess;
    },
  };
}

const DATE = /^\d{4}-\d\d-\d\d$/;

/** A code as a part of a path. Texts that would lead to another route are refused as the server refuses unknown codes. */
function segment(code: string): string {
  if (!/^\.{0,2}$|^supported$|\p{Cs}/u.test(code)) return encodeURIComponent(code);
  throw new PriceError({ code: "ASSET_NOT_FOUND", status: 404, message: `There is no asset "${code}"` });
}

function query(parameters: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(parameters).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return given.length === 0 ? "" : `?${new URLSearchParams(given)}`;
}

/** A time as text. That of an invalid `Date` is refused by the server like any other text that is no time. */
function timeText(time: Date | string): string {
  if (!(time instanceof Date)) return time;
  return Number.isNaN(time.getTime()) ? String(time) : time.toISOString();
}
