import type { AssetCode } from "../branded_types.ts";
import { ERRORS, type Failure } from "../http/errors.ts";
import { GOLD_PIECES, type GoldPiece, type GoldWorth, goldWorth } from "../market/coin_gold_value.ts";
import type { Observation } from "../market/observation.ts";
import { type Clock, type Observations, Unavailable } from "../ports.ts";
import type { Result } from "../result.ts";
import { checkedTime } from "../time/clock.ts";
import { formatTimestamp } from "../time/timestamps.ts";
import { filterAssets, findAsset, findAssets } from "./asset_queries.ts";
import { parseCandleRequest, readCandles } from "./candle_queries.ts";
import { type CatalogEntry, catalogEntry, isStale } from "./catalog_entry.ts";
import { onOrBefore } from "./on_or_before.ts";
import type { PriceCalls } from "./price_calls.ts";
import { PriceError } from "./price_error.ts";
import { createPriceContext, type PriceSettings } from "./price_settings.ts";
import { type AssetValue, assetValue, priceCandle } from "./price_values.ts";
import { parseDateRange, parseRequiredDate, readDay, readHistory, readLatest } from "./value_queries.ts";

/** The clock, the store, and the same settings as the API's. */
export interface PricesOptions extends PriceSettings {
  readonly clock: Clock;
  readonly observations: Observations;
  /** Most days from the first to the last day of a `history`. Default 31, as for requests. */
  readonly maxDays?: number;
}

/**
 * The calls within the process: without a key or a quota. A store that is `Unavailable` makes a `PriceError` with code
 * `UNAVAILABLE`, `retryAfterSeconds` and the cause; other errors of the store are passed on.
 */
export interface Prices<Code extends string = AssetCode> extends PriceCalls<Code> {
  /** Whether a text is a code of the catalog. */
  isCode(text: string): text is Code;

  /**
   * What the gold in each coin and weight of gold is worth by the latest ounce and dollar, and the bubble that is paid above it, in the
   * order of `GOLD_PIECES`; those without a record are left out. Fails with `ASSET_NOT_FOUND` if ounce or dollar has no record.
   */
  goldWorth(): Promise<PricedGold[]>;
}

/** A piece with its latest price and what its gold is worth; amounts in rial. */
export interface PricedGold extends GoldPiece, GoldWorth {
  /** The latest price. */
  readonly value: number;
  /** That of the price, ISO 8601 in UTC. */
  readonly businessTime: string;
}

/**
 * Makes the calls for a store. With the settings of `createApi` they give the same answers.
 *
 * If the catalog has other assets, name their codes: `createPrices<AssetCode | "NOK_USD">({ assets, ... })`, or
 * write `createPrices<string>` to have codes checked at run time only.
 *
 * @throws RangeError for a setting that is not possible.
 */
export function createPrices<Code extends string = AssetCode>(options: PricesOptions): Prices<Code> {
  const { clock, observations, maxDays } = options;
  const context = createPriceContext(options, observations);

  function codeOf(text: string): AssetCode {
    return valueOrThrow(findAsset(context, text)).code;
  }

  function toValue(observation: Observation): AssetValue<Code> {
    return assetValue<Code>(context.assets.get(observation.code)!, observation);
  }

  const history = answering<Parameters<PriceCalls<Code>["history"]>, AssetValue<Code>[]>(async (text, from, to) => {
    const code = codeOf(text);
    const range = valueOrThrow(parseDateRange(["from", from], ["to", to], maxDays));
    return (await readHistory(context, code, range)).records.map(toValue);
  });

  return {
    isCode: (text): text is Code => context.assets.has(text),

    latest: answering(async (text) => toValue(valueOrThrow(await readLatest(context, [codeOf(text)])).records[0]!)),

    latestOf: answering(async (codes) => {
      const assets = codes === undefined ? [...context.assets.values()] : valueOrThrow(findAssets(context, codes));
      return valueOrThrow(
        await readLatest(
          context,
          assets.map(({ code }) => code),
        ),
      ).records.map(toValue);
    }),

    on: answering(async (text, day) => {
      const code = codeOf(text);
      return toValue(
        valueOrThrow(await readDay(context, code, valueOrThrow(parseRequiredDate("date", day)))).records[0]!,
      );
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
      const asked = valueOrThrow(
        parseCandleRequest({ interval, from: timeText(from), to: timeText(to) }, context.maxCandles),
      );
      const {
        value: { candles },
      } = valueOrThrow(await readCandles(context, code, asked));
      return Array.from(candles, (candle) => priceCandle(candle, now));
    }),

    goldWorth: answering(async () => {
      const latestOf = async (code: string): Promise<AssetValue<Code>> =>
        toValue(valueOrThrow(await readLatest(context, [codeOf(code)])).records[0]!);
      const [ounce, dollar] = await Promise.all([latestOf("GOLD_OUNCE_USD"), latestOf("USD_RLS")]);
      const pieces = GOLD_PIECES.filter(({ code }) => context.assets.has(code));
      const { value: found } = await observations.latest(pieces.map(({ code }) => codeOf(code)));
      return pieces.flatMap((piece, index): PricedGold[] => {
        const record = found[index];
        if (record === undefined) return [];
        const worth = goldWorth(piece, record.value, { ounce: ounce.value, dollar: dollar.value });
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

/** Turns the outage of a store into the answer that the API gives. */
function answering<Args extends unknown[], Value>(
  call: (...args: Args) => Promise<Value>,
): (...args: Args) => Promise<Value> {
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

/** A time as text. That of an invalid `Date` is refused like any other text that is no time. */
function timeText(time: Date | string): string {
  if (!(time instanceof Date)) return time;
  return Number.isNaN(time.getTime()) ? String(time) : time.toISOString();
}

/** The value of a result. Throws a `PriceError` for a failure. */
function valueOrThrow<Value>(result: Result<Value, Failure>): Value {
  if (result.ok) return result.value;
  const { code, message = ERRORS[code].message } = result.error;
  throw new PriceError({ code, status: ERRORS[code].status, message });
}
