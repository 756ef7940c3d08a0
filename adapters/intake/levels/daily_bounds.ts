import type { Asset } from "../../../core/mod.ts";
import { kindOf } from "./expected_prices.ts";
import { GOLD, STABLE, WIDTHS } from "./price_levels_by_year.ts";

/**
 * The factor by which a feed may change a price from one market day to the next. The largest true moves between daily
 * closes were 1.31 in rial (AZN 2015-12-20), 1.37 for gold and minted coins (ROB_SEKKEH 2018-07-30), 1.22 for ounces
 * (silver 2011-09-22), and 1.75 for crypto in dollars since 2018. Sources: archives of bonbast.com and tgju.org since
 * 2010, of metals since 1979, and of eight cryptocurrencies since 2013. No archive has indexes or crypto in rial.
 */
const FACTORS = { FX: 1.4, CRYPTO: 1.9, COIN: 1.45, GOLD: 1.45, METAL: 1.25, INDEX: 1.25 };
/** For rouble and lira in rial (largest true move 1.48, RUB 2022-03-06); for stablecoins in dollars (largest 1.06). */
const [VOLATILE_FACTOR, STABLE_FACTOR] = [1.6, 1.1];

function dailyFactor({ code, category, baseCode, quoteUnit }: Asset): number {
  if (code === "RUB_RLS" || code === "TRY_RLS") return VOLATILE_FACTOR;
  if (STABLE.has(baseCode)) return quoteUnit === "USD" ? STABLE_FACTOR : FACTORS.FX;
  return FACTORS[GOLD.has(code) && quoteUnit === "USD" ? "METAL" : category];
}

/**
 * Returns how far a value may rise or fall in `days` days without an operator. This is the daily factor to the power of
 * `days`, but at most the largest rise and fall that were really seen within this many days.
 */
export function dailyBound(asset: Asset, days: number): { readonly rise: number; readonly fall: number } {
  const factor = dailyFactor(asset) ** days;
  const isRial = asset.quoteUnit === "RLS" && (asset.category !== "CRYPTO" || STABLE.has(asset.baseCode));
  const widths = isRial ? WIDTHS.rial : kindOf(asset.code).widths;
  const [, rise, fall] = widths.find(([most]) => days <= most) ?? widths.at(-1)!;
  return { rise: Math.min(factor, rise), fall: Math.min(factor, fall) };
}
