import { CRYPTO_NAMES } from "../../../core/internal.ts";
import type { AssetCode } from "../../../core/mod.ts";
import { COINS, CURRENCIES, GOLD, MIDDLES, OVER_DOLLAR, STABLE, WIDTHS, type Widths } from "./price_levels_by_year.ts";

/**
 * Where a value should be, more or less, and the lowest and the highest that it may be; NaN where nothing is known. Where it
 * `isWide`, these may be powers of ten apart, so that the nearest power of ten to the middle says nothing.
 */
export type Expected = Readonly<Record<"low" | "middle" | "high", number> & { isWide?: boolean }>;

/** What the market says of an asset at a time. */
export type PriceModel = (code: string, time: number) => Expected;

/** How far values of a kind of assets may move, in themselves and when the dollar's move is taken out; and how many times the product of others they are. */
export type Kind = Readonly<{
  widths: Widths;
  overDollar?: Widths;
  relation?: Expected & { readonly per: readonly string[] };
}>;

export const DOLLAR = "USD_RLS";
export const OUNCE = "GOLD_OUNCE_USD";
const [LIRA, OUNCE_GRAMS] = ["TRY_USD", 31.1035];
/** What gold and coins in rial are compared with where the dollar or the ounce of their days is missing, and how fine it is. */
const [GRAM, GRAM_FINE] = ["GOLD_18_RLS", 0.75];
const CRYPTO: ReadonlySet<string> = new Set(CRYPTO_NAMES.map(([base]) => base));
/** For so many years after a row of middles, its last one counts, as the dollar rose to less than three times in two years. */
const YEARS_AFTER = 2;
/** How many times off the middle of its year a value may be; of the last year in the table, which was not over, and of those after it; off the range of a coin, and of the gram. */
const [YEAR_SPREAD, LATE_SPREAD, COIN_SPREAD, GRAM_SPREAD] = [2.2, 6.6, 1.5, 1.1];
const NOTHING: Expected = { low: NaN, middle: NaN, high: NaN };

/** Says where values should be: by those of their days, where `near` finds what is compared with them, else by their year. */
export function createPriceModel(near: (code: string, time: number) => Expected | undefined): PriceModel {
  return (code, time) => {
    const { relation } = kindOf(code);
    if (!relation) return ofYear(code, time);
    const found = relation.per.map((one) => near(one, time));
    const gold = found.includes(undefined) && code.endsWith("_RLS") ? goldOfYear(code, time) : NOTHING;
    if (!Number.isNaN(gold.middle)) return gold;
    const parts = relation.per.map((one, i) => found[i] ?? ofYear(one, time));
    const product = (bound: "low" | "middle" | "high"): number =>
      parts.reduce((all, part) => all * part[bound], relation[bound]);
    const [middle, wide] = [product("middle"), parts.find(({ isWide }) => isWide)];
    // With its margin once more, the range of a coin's year has room for what the others are off.
    const spread = wide ? (wide.high / wide.middle) * COIN_SPREAD : NaN;
    return wide
      ? { low: middle / spread, middle, high: middle * spread, isWide: true }
      : { low: product("low"), middle, high: product("high") };
  };
}

export function rangeOf(low: number, high: number, spread = 1): Expected {
  return { low: low / spread, middle: Math.sqrt(low * high), high: high * spread };
}

/** The assets with which one is compared, so that their stored values are worth looking up. */
export function referencesOf(code: AssetCode): readonly AssetCode[] {
  return (kindOf(code).relation?.per ?? []).filter((one) => one !== LIRA) as AssetCode[];
}

/** What is known of a value from its year alone. */
function ofYear(code: string, time: number): Expected {
  const [first = NaN, ...numbers] = MIDDLES.get(code) ?? COINS.get(code) ?? [];
  const year = new Date(time).getUTCFullYear() - first;
  if (!(year >= 0 && year < numbers.length + YEARS_AFTER)) return NOTHING;
  const [low = NaN, high = NaN] = numbers.slice(2 * year);
  if (COINS.has(code)) return { ...rangeOf(low, high, code === GRAM ? GRAM_SPREAD : COIN_SPREAD), isWide: true };
  const middle = numbers[Math.min(year, numbers.length - 1)]!;
  const spread = year < numbers.length - 1 ? YEAR_SPREAD : LATE_SPREAD;
  // The dollar rises, and has never fallen to less than half.
  return { low: middle / (code === DOLLAR ? YEAR_SPREAD : spread), middle, high: middle * spread };
}

/** What the gram of a year says of gold, and of coins with their premiums. */
function goldOfYear(code: string, time: number): Expected {
  const [grams = NaN, ...premiums] = GOLD.get(code) ?? [];
  const [least = NaN, most = NaN] = code.startsWith("GOLD_") ? [1, 1] : premiums;
  const { low, high } = ofYear(GRAM, time);
  return rangeOf((low / GRAM_FINE) * grams * least, (high / GRAM_FINE) * grams * most);
}

/** What is known of assets by their codes, made once: a feed asks for it with each of its batches. */
const kinds = new Map<string, Kind>();

export function kindOf(code: string): Kind {
  let kind = kinds.get(code);
  if (!kind) kinds.set(code, (kind = makeKind(code)));
  return kind;
}

function makeKind(code: string): Kind {
  const [base, isInRial] = [code.replace(/_(RLS|USD)$/, ""), code.endsWith("_RLS")];
  const [grams = NaN, least = NaN, most = NaN] = GOLD.get(code) ?? [];
  const gold = {
    per: isInRial ? [DOLLAR, OUNCE] : [OUNCE],
    ...rangeOf((least * grams) / OUNCE_GRAMS, (most * grams) / OUNCE_GRAMS),
  };
  if (GOLD.has(code))
    return isInRial
      ? { widths: WIDTHS.rial, overDollar: OVER_DOLLAR.gold, relation: gold }
      : { widths: WIDTHS.ounce, relation: gold };
  if (code === "TRY_RLS")
    return { widths: WIDTHS.rial, overDollar: OVER_DOLLAR.lira, relation: { per: [DOLLAR, LIRA], ...rangeOf(1, 1) } };
  // The margin keeps years within that come after those of the table; where it is known, the lowest is one that shows an exchange with the dollar.
  const [low = NaN, high = NaN, lowest = low / 1.5] = CURRENCIES.get(base) ?? [];
  if (low && isInRial)
    return {
      widths: WIDTHS.rial,
      overDollar: OVER_DOLLAR.currency,
      relation: { per: [DOLLAR], ...rangeOf(low, high, 1.5), low: lowest },
    };
  if (CRYPTO.has(base) && !isInRial)
    return STABLE.has(base)
      ? { widths: WIDTHS.stable, relation: { per: [], ...rangeOf(0.6, 1.6) } }
      : { widths: WIDTHS.coin };
  if (CRYPTO.has(base))
    return {
      widths: WIDTHS.coin,
      relation: { per: STABLE.has(base) ? [DOLLAR] : [`${base}_USD`, DOLLAR], ...rangeOf(0.6, 1.7) },
    };
  // Of what an operator adds nothing is known: it may move as coins do.
  if (!MIDDLES.has(code)) return { widths: WIDTHS.coin };
  return { widths: isInRial ? WIDTHS.rial : WIDTHS.ounce };
}

/** A value is a spike if it is more than so many times off both neighbours, which agree. */
export function spikeFactorOf(code: string): number {
  const { widths } = kindOf(code);
  if (widths === WIDTHS.coin) return STABLE.has(code.replace("_RLS", "")) ? 1.25 : 1.6;
  if (widths !== WIDTHS.rial) return 1.15;
  return code === "TRY_RLS" || code === "RUB_RLS" ? 1.4 : 1.25;
}

/** The last year of the tables, which all end with the same one. */
export function lastYearOfTables(): number {
  const [first = NaN, ...middles] = MIDDLES.get(DOLLAR)!;
  return first + middles.length - 1;
}

/** How many times a value is further off than it may be: above 1, it does not fit its market. */
export function excessOf(value: number, { low, high }: Expected): number {
  return Math.max(value / high, low / value);
}
