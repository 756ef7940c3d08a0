import type { AssetCode } from "../branded_types.ts";
import { ERRORS, type Failure } from "../http/errors.ts";
import { GOLD_PIECES, type GoldPiece, type GoldWorth, goldWorth } from "../market/coin_gold_value.ts";
import { type Clock, type Observations, Unavailable } from "../ports.ts";
import { ok, type Result } from "../result.ts";
import { checkedTime, formatTimestamp } from "../time/timestamps.ts";
import { filterAssets, findAsset, findAssets } from "./asset_queries.ts";
import { parseCandleRequest, readCandles } from "./candle_queries.ts";
import { type CatalogEntry, catalogEntry, isStale } from "./catalog_entry.ts";
import { onOrBefore } from "./on_or_before.ts";
import { type PriceCalls, timeText } from "./price_calls.ts";
import { PriceError } from "./price_error.ts";
import { createPriceContext, type PriceSettings } from "./price_settings.ts";
import { type AssetValue, assetValue, priceCandle } from "./price_values.ts";
import { parseDateRange, parseRequiredDate, type Records, readDay, readHistory, readLatest } from "./value_queries.ts";

/** The options of `createPrices`. */
export interface PricesOptions extends PriceSettings {
  readonly clock: Clock;
  readonly observations: Observations;
  /** The maximum number of days from the first to the last day of a `history`. Default 31, as in requests. */
  readonly maxDays?: number;
}

/**
 * Calls within the process, without a key or a quota. If the store is `Unavailable`, the calls throw a `PriceError`
 * with the code `UNAVAILABLE`, `retryAfterSeconds` and the cause. Other errors of the store are passed on.
 */
export interface Prices<Code extends string = AssetCode> extends PriceCalls<Code> {
  /** Whether a text is a code of the catalog. */
  isCode(text: string): text is Code;

  /**
   * The worth of the gold in each of `GOLD_PIECES`, in their order, at the latest prices of ounce and dollar. Pieces
   * without a record are left out. Fails with `ASSET_NOT_FOUND` if ounce or dollar has no record.
   */
  goldWorth(): Promise<PricedGold[]>;
}

/** A piece with its latest price and the worth of its gold. Amounts are in rial. */
export interface PricedGold extends GoldPiece, GoldWorth {
  /** The latest price. */
  readonly value: number;
  /** The time of the price, ISO 8601 in UTC. */
  readonly businessTime: string;
}

/**
 * Makes the calls for a store. With the same settings, the calls return the same answers as `createApi`.
 *
 * If the catalog has other assets, add their codes: `createPrices<AssetCode | "NOK_USD">({ assets, ... })`. With
 * `createPrices<string>`, codes are checked only at run time. Throws `RangeError` for an invalid setting.
 */
export function createPrices<Code extends string = AssetCode>(options: PricesOptions): Prices<Code> {
  const { clock, observations, maxDays } = options;
  const context = createPriceContext(options, observations);

  function codeOf(text: string): AssetCode {
    return valueOrThrow(findAsset(context, text)).code;
  }

  function valuesOf(found: Result<Records, Failure>): AssetValue<Code>[] {
    return valueOrThrow(found).records.map((record) => assetValue(context.assets.get(record.code)!, record));
  }

  async function latestOf(codes: readonly AssetCode[]): Promise<AssetValue<Code>[]> {
    return valuesOf(await readLatest(context, codes));
  }

  const history = answering<Parameters<PriceCalls<Code>["history"]>, AssetValue<Code>[]>(async (text, from, to) => {
    const code = codeOf(text);
    const range = valueOrThrow(parseDateRange(["from", from], ["to", to], maxDays));
    return valuesOf(ok(await readHistory(context, code, range)));
  });

  return {
    isCode: (text): text is Code => context.assets.has(text),

    latest: answering(async (text) => (await latestOf([codeOf(text)]))[0]!),

    latestOf: answering(async (codes) => {
      const assets = codes === undefined ? [...context.assets.values()] : valueOrThrow(findAssets(context, codes));
      return latestOf(assets.map(({ code }) => code));
    }),

    on: answering(async (text, day) => {
      const code = codeOf(text);
      const date = valueOrThrow(parseRequiredDate("date", day));
      return valuesOf(await readDay(context, code, date))[0]!;
    }),

    async onOrBefore(code, day) {
      codeOf(code);
      const date = valueOrThrow(parseRequiredDate("date", day));
      return onOrBefore(code, date, (from, to) => history(code, from, to));
    },

    history,

    candles: answering(async (text, { interval, from, to }) => {
      const now = checkedTime(clock());
      const code = codeOf(text);
      const parameters = { interval, from: timeText(from), to: timeText(to) };
      const asked = valueOrThrow(parseCandleRequest(parameters, context.maxCandles));
      const { value } = valueOrThrow(await readCandles(context, code, asked));
      return Array.from(value.candles, (candle) => priceCandle(candle, now));
    }),

    goldWorth: answering(async () => {
      const codes = [codeOf("GOLD_OUNCE_USD"), codeOf("USD_RLS")];
      const [ounce, dollar] = await Promise.all(codes.map(async (code) => (await latestOf([code]))[0]!.value));
      const rates = { ounce: ounce!, dollar: dollar! };
      const pieces = GOLD_PIECES.filter(({ code }) => context.assets.has(code));
      const { value: found } = await observations.latest(pieces.map(({ code }) => codeOf(code)));
      return pieces.flatMap((piece, index): PricedGold[] => {
        const record = found[index];
        if (record === undefined) return [];
        const worth = goldWorth(piece, record.value, rates);
        return [{ ...piece, ...worth, value: record.value, businessTime: formatTimestamp(record.businessTime) }];
      });
    }),

    catalog: answering(async ({ category, quoteUnit } = {}) => {
      const now = checkedTime(clock());
      const assets = valueOrThrow(filterAssets(context, { category, quoteUnit }));
      const { value: coverage } = await observations.coverage(assets.map(({ code }) => code));
      return assets.map((asset, index) => {
        const known = coverage[index];
        return catalogEntry(asset, known, isStale(known, now, context.staleThresholdMinutes)) as CatalogEntry<Code>;
      });
    }),
  };
}

/** Replaces the store's `Unavailable` with a `PriceError` that matches the API's answer. */
function answering<Args extends unknown[], Value>(call: (...args: Args) => Promise<Value>): typeof call {
  return async (...args) => {
    try {
      return await call(...args);
    } catch (cause) {
      if (!(cause instanceof Unavailable)) throw cause;
      const { retryAfterSeconds } = cause;
      throw new PriceError({ code: "UNAVAILABLE", ...ERRORS.UNAVAILABLE, retryAfterSeconds }, { cause });
    }
  };
}

/** The value of a result. Throws a `PriceError` for a failure. */
function valueOrThrow<Value>(result: Result<Value, Failure>): Value {
  if (result.ok) return result.value;
  const { code, message = ERRORS[code].message } = result.error;
  throw new PriceError({ code, status: ERRORS[code].status, message });
}
