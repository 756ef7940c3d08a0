import {
  type AccountAccess,
  type AssetCode,
  type AssetValue,
  type CandleQuery,
  type CatalogEntry,
  onOrBefore,
  type PriceCalls,
  type PriceCandle,
  PriceError,
  type ServiceStatus,
} from "../../core/client_entry.ts";
import { ACCESS, CATALOG, candlesOf, RECORDS, recordOf, STATUS } from "./answer_shapes.ts";
import { type CallOptions, createAsk } from "./call_server.ts";
import { type ClientOptions, parseSettings } from "./client_options.ts";
import type { Quota } from "./quota.ts";
import { candlePieces, historyPieces, type Progress } from "./range_pieces.ts";

/** Options of a call for a range. */
export interface RangeOptions extends CallOptions {
  /** Called after each request. What it throws ends the call. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/**
 * The calls of `createPrices`, over HTTP. A call is one request, which costs one unit; a range that is longer than
 * the server answers at once takes several, one after the other.
 *
 * Besides the errors of the server there is a `PriceError` with `NETWORK_ERROR` or `TIMEOUT` and status 0 where no
 * answer came, and with `UNEXPECTED_ANSWER` for one that is not of the API: a redirect, no JSON, another shape. Where
 * the units of the day are used up it is `QuotaExceeded`.
 */
export interface Client<Code extends string = AssetCode> extends PriceCalls<Code, [options?: CallOptions]> {
  /** The last record of each day from `from` to `to`, both included, ascending. Of any length: each 32 days are a request. */
  history(code: Code, from: string, to: string, options?: RangeOptions): Promise<AssetValue<Code>[]>;

  /** The same, record by record: what came before a failure is there. A request is sent when its records are asked for. */
  eachRecord(
    code: Code,
    from: string,
    to: string,
    options?: RangeOptions,
  ): AsyncGenerator<AssetValue<Code>, void, undefined>;

  /** The candles that start in [from, to), ascending. Of any length: each `maxCandles` intervals are a request. */
  candles(code: Code, asked: CandleQuery, options?: RangeOptions): Promise<PriceCandle[]>;

  /** The same, candle by candle. */
  eachCandle(code: Code, asked: CandleQuery, options?: RangeOptions): AsyncGenerator<PriceCandle, void, undefined>;

  /** The state of the server. Sends no key, and costs no unit. */
  status(options?: CallOptions): Promise<ServiceStatus>;

  /** The plan of the key. Costs no unit; afterwards `quota` tells the units that are left. */
  access(options?: CallOptions): Promise<AccountAccess>;

  /** What the last answer that mentioned them said about the units of the key. */
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
  const settings = parseSettings(options);
  const { maxCandles } = settings;
  const { get, quota } = createAsk(settings);
  /** Most candles of a request, by interval, as the server has accepted it. */
  const accepted = new Map<string, number>();

  const historyOf = (
    code: Code,
    from: string,
    to: string,
    options?: RangeOptions,
  ): AsyncGenerator<readonly AssetValue<Code>[], void> =>
    historyPieces({
      from,
      to,
      onProgress: options?.onProgress,
      read: (from, to) =>
        get<AssetValue<Code>[]>(`${assetPath(code)}/history${query({ from, to })}`, [recordOf(code)], options),
    });

  const candlesFor = (
    code: Code,
    { interval, from, to }: CandleQuery,
    options?: RangeOptions,
  ): AsyncGenerator<readonly PriceCandle[], void> =>
    candlePieces({
      interval,
      from: timeText(from),
      to: timeText(to),
      maxCandles,
      accepted,
      onProgress: options?.onProgress,
      read: async (from, to) =>
        (
          await get<{ candles: PriceCandle[] }>(
            `${assetPath(code)}/ohlc${query({ interval, from, to })}`,
            candlesOf(code, interval),
            options,
          )
        ).candles,
    });

  return {
    get quota() {
      return quota();
    },
    latest: async (code, options) => get(assetPath(code), recordOf(code), options),
    async latestOf(list, options) {
      const codes = list && [...new Set(list)].join(",");
      // The server would take a unit for this answer.
      if (codes === "") throw refusal("INVALID_CODES", 400, "codes must not be empty");
      return get(`/assets${query({ codes })}`, RECORDS, options);
    },
    async on(code, date, options) {
      // Only a date makes this route; "history" would make another.
      if (/^\d{4}-\d\d-\d\d$/.test(date)) return get(`${assetPath(code)}/${date}`, recordOf(code), options);
      throw refusal("INVALID_DATE", 400, `date must be written YYYY-MM-DD: received "${date}"`);
    },
    onOrBefore: async (code, date, options) =>
      onOrBefore(code, date, (from, to) => listOf(historyOf(code, from, to, options))),
    history: async (...asked) => listOf(historyOf(...asked)),
    eachRecord: (...asked) => oneByOne(historyOf(...asked), asked[3]),
    candles: async (...asked) => listOf(candlesFor(...asked)),
    eachCandle: (...asked) => oneByOne(candlesFor(...asked), asked[2]),
    async catalog({ category, quoteUnit } = {}, options) {
      const { assets } = await get<{ assets: CatalogEntry<Code>[] }>(
        `/assets/supported${query({ category, quoteUnit })}`,
        CATALOG,
        options,
      );
      return assets;
    },
    status: async (options) => get("/status", STATUS, options, false),
    access: async (options) => get("/access", ACCESS, options),
  };
}

async function listOf<Item>(pieces: AsyncIterable<readonly Item[]>): Promise<Item[]> {
  const list: Item[] = [];
  for await (const piece of pieces) for (const item of piece) list.push(item); // a spread argument has a limit
  return list;
}

async function* oneByOne<Item>(
  pieces: AsyncIterable<readonly Item[]>,
  { signal }: CallOptions = {},
): AsyncGenerator<Item, void, undefined> {
  for await (const piece of pieces) {
    for (const item of piece) {
      signal?.throwIfAborted();
      yield item;
    }
  }
}

/** The path of an asset. A text that would lead to another route is refused as the server refuses an unknown code. */
function assetPath(code: string): string {
  if (!/^\.{0,2}$|^supported$|[/\\\p{Cc}\p{Cs}]/u.test(code)) return `/assets/${encodeURIComponent(code)}`;
  throw refusal("ASSET_NOT_FOUND", 404, `There is no asset "${code}"`);
}

/** The failure with which the server would refuse a call. */
function refusal(code: string, status: number, message: string): PriceError {
  return new PriceError({ code, status, message });
}

function query(parameters: Readonly<Record<string, string | undefined>>): string {
  const text = String(
    new URLSearchParams(Object.entries(parameters).filter((pair): pair is [string, string] => pair[1] !== undefined)),
  );
  return text && `?${text}`;
}

/** A time as text. That of an invalid `Date` is refused by the server like any other text that is no time. */
function timeText(time: Date | string): string {
  return time instanceof Date ? (time.toJSON() ?? String(time)) : time;
}
