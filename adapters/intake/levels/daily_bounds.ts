import type { Asset, Category } from "../../../core/mod.ts";
import { kindOf } from "./expected_prices.ts";
import { GOLD, STABLE } from "./price_levels_by_year.ts";

/**
 * By how many times a feed may move an asset from one market day to the next. Between daily closes true values moved at most 1.31
 * times in rial (AZN 2015-12-20), gold and coins of the mint 1.37 (ROB_SEKKEH 2018-07-30), ounces 1.22 (silver 2011-09-22), coins in
 * dollars 1.75 since 2018. Archives: bonbast.com and tgju.org since 2010, metals since 1979, eight coins since 2013. None has an
 * index or a coin in rial.
 */
const FACTORS = { FX: 1.4, CRYPTO: 1.9, COIN: 1.45, GOLD: 1.45, METAL: 1.25, INDEX: 1.25 } as const satisfies Record<
  Category,
  number
>;
/** Of the rouble and the lira in rial, which moved 1.48 times (RUB 2022-03-06), and of coins worth a dollar in dollars, 1.06. */
const [VOLATILE_FACTOR, STABLE_FACTOR] = [1.6, 1.1];

function dailyFactor({ code, category, baseCode, quoteUnit }: Asset): number {
  if (code === "RUB_RLS" || code === "TRY_RLS") return VOLATILE_FACTOR;
  if (STABLE.has(baseCode)) return quoteUnit === "USD" ? STABLE_FACTOR : FACTORS.FX;
  return FACTORS[GOLD.has(code) && quoteUnit === "USD" ? "METAL" : category];
}

/**
 * How many times a value may be one that is some days before it, and that one this value, without a person: the daily factor for
 * each day, but never more than true values have moved in such a time.
 */
export function dailyBound(asset: Asset, days: number): { readonly rise: number; readonly fall: number } {
  const factor = dailyFactor(asset) ** days;
  const { widths } = kindOf(asset.code);
  const [, rise, fall] = widths.find(([most]) => days <= most) ?? widths.at(-1)!;
  return { rise: Math.min(factor, rise), fall: Math.min(factor, fall) };
}
