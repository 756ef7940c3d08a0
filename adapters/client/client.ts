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
  type Shape,
  timeText,
} from "../../core/client_entry.ts";
import { type CallOptions, createAsk } from "./call_server.ts";
import { type ClientOptions, parseSettings } from "./client_options.ts";
import type { Quota } from "./quota.ts";
import { candlePieces, historyPieces, type Progress } from "./range_pieces.ts";

// The fields that the client needs from each body. The client passes on all other fields unchecked.
const RECORD = { code: "string", value: "number", businessTime: "time" } as const;
const CANDLE = { start: "time", end: "time", open: "number", high: "number", low: "number", close: "number" } as const;
const CATALOG = { assets: [{ code: "string", "latestValue?": "number" }] } as const;
const ACCESS = { accessType: "string", attributionRequired: "boolean" } as const;

/** Options of a call that reads a range. */
export interface RangeOptions extends CallOptions {
  /** Called after each request. If this function throws, the call fails with its error. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/** Items that arrive one after the other. */
type Items<Item> = AsyncGenerator<Item, void, undefined>;

/**
 * The calls of `createPrices` over HTTP. A call sends one request, which costs one unit. For a range that is too long
 * for one request, the call sends several requests in sequence.
 *
 * Calls throw a `PriceError` for each error of the server. Without an answer, the error has status 0 and the code
 * `NETWORK_ERROR` or `TIMEOUT`. If the answer is not from the API (a redirect, no JSON, another shape), the code is
 * `UNEXPECTED_ANSWER`. `QuotaExceeded` means that the day's units are used up.
 */
export interface Client<Code extends string = AssetCode> extends PriceCalls<Code, [options?: CallOptions]> {
  /** The last record of each day from `from` to `to`, both included, ascending. Sends one request per 32 days. */
  history(code: Code, from: string, to: string, options?: RangeOptions): Promise<AssetValue<Code>[]>;

  /** Yields each record of `history` as it arrives, so a later failure cannot lose it. Sends requests on demand. */
  eachRecord(code: Code, from: string, to: string, options?: RangeOptions): Items<AssetValue<Code>>;

  /** The candles that start in [from, to), ascending. Sends one request per `maxCandles` intervals. */
  candles(code: Code, asked: CandleQuery, options?: RangeOptions): Promise<PriceCandle[]>;

  /** Like `candles`, but yields each candle as it arrives. */
  eachCandle(code: Code, asked: CandleQuery, options?: RangeOptions): Items<PriceCandle>;

  /** The state of the server. Sent without the key. Costs no unit. */
  status(options?: CallOptions): Promise<ServiceStatus>;

  /** The plan of the key. Costs no unit, and updates `quota`. */
  access(options?: CallOptions): Promise<AccountAccess>;

  /** The quota from the last answer that reported it. */
  readonly quota: Quota | undefined;
}

/**
 * Makes a client for a server of the API.
 *
 * If the server's catalog has other assets, add their codes: `createClient<AssetCode | "NOK_USD">(...)`. With
 * `createClient<string>`, only the server checks codes.
 *
 * @throws TypeError or RangeError for an invalid option.
 */
export function createClient<Code extends string = AssetCode>(options: ClientOptions): Client<Code> {
  const settings = parseSettings(options);
  const { maxCandles } = settings;
  const { get, quota } = createAsk(settings);
  /** For each interval, the number of candles that the server accepts in one request. */
  const accepted = new Map<string, number>();

  function historyOf(code: Code, from: string, to: string, options: RangeOptions = {}) {
    const { onProgress } = options;
    const read = (from: string, to: string): Promise<AssetValue<Code>[]> =>
      get(`${assetPath(code)}/history${query({ from, to })}`, [recordOf(code)], options);
    return historyPieces({ from, to, onProgress, read });
  }

  function candlesFor(code: Code, { interval, from, to }: CandleQuery, options: RangeOptions = {}) {
    const { onProgress } = options;
    const read = async (from: string, to: string): Promise<PriceCandle[]> => {
      const target = `${assetPath(code)}/ohlc${query({ interval, from, to })}`;
      const shape = { code: `"${code}"`, interval: `"${interval}"`, candles: [CANDLE] } as const;
      return (await get<{ candles: PriceCandle[] }>(target, shape, options)).candles;
    };
    const range = { from: timeText(from), to: timeText(to), interval, maxCandles, accepted };
    return candlePieces({ ...range, onProgress, read });
  }

  return {
    get quota() {
      return quota();
    },
    latest: async (code, options) => get(assetPath(code), recordOf(code), options),
    async latestOf(list, options) {
      const codes = list && [...new Set(list)].join(",");
      // Refuse an empty list here, because the server would charge a unit for refusing it.
      if (codes === "") throw refusal("INVALID_CODES", 400, "codes must not be empty");
      return get(`/assets${query({ codes })}`, [RECORD], options);
    },
    async on(code, date, options) {
      // A text that is not a date, such as "history", would match another route.
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
      const target = `/assets/supported${query({ category, quoteUnit })}`;
      return (await get<{ assets: CatalogEntry<Code>[] }>(target, CATALOG, options)).assets;
    },
    status: async (options) => get("/status", { status: "string" }, options, false),
    access: async (options) => get("/access", ACCESS, options),
  };
}

/** A record of this asset. Refuses the record of another asset, which a faulty cache may return. */
function recordOf(code: string): Shape {
  return { ...RECORD, code: `"${code}"` };
}

async function listOf<Item>(pieces: AsyncIterable<readonly Item[]>): Promise<Item[]> {
  const list: Item[] = [];
  for await (const piece of pieces) for (const item of piece) list.push(item); // `push(...piece)` may exceed the stack
  return list;
}

async function* oneByOne<Item>(pieces: AsyncIterable<readonly Item[]>, { signal }: CallOptions = {}): Items<Item> {
  for await (const piece of pieces) {
    for (const item of piece) {
      signal?.throwIfAborted();
      yield item;
    }
  }
}

/** The path of an asset. Throws `ASSET_NOT_FOUND` if the code would match another route. */
function assetPath(code: string): string {
  if (!/^\.{0,2}$|^supported$|[/\\\p{Cc}\p{Cs}]/u.test(code)) return `/assets/${encodeURIComponent(code)}`;
  throw refusal("ASSET_NOT_FOUND", 404, `There is no asset "${code}"`);
}

/** The failure with which the server would answer. */
function refusal(code: string, status: number, message: string): PriceError {
  return new PriceError({ code, status, message });
}

function query(parameters: Readonly<Record<string, string | undefined>>): string {
  const sent = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) sent.set(name, value);
  return `${sent}` && `?${sent}`;
}
