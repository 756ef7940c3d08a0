import { CRYPTO_NAMES, DAY_MS } from "../../../core/internal.ts";
import type { AssetCode } from "../../../core/mod.ts";
import { COINS, CURRENCIES, GOLD, MIDDLES, OVER_DOLLAR, STABLE, WIDTHS, type Widths } from "./price_levels_by_year.ts";

/**
 * The expected value, and the lowest and the highest plausible value; NaN if unknown. With `isWide`, `low` and `high`
 * may be powers of ten apart, so the distance from `middle` does not show whether a value is off by a power of ten.
 */
export type Expected = Readonly<Record<"low" | "middle" | "high", number> & { isWide?: boolean }>;

/** Returns the expected price of an asset at a time. */
export type PriceModel = (code: string, time: number) => Expected;

/**
 * `widths`: the largest moves. `overDollar`: the largest moves relative to the dollar. `relation`: the value's expected
 * ratio to the product of the values of `per`.
 */
type Kind = Readonly<{
  widths: Widths;
  overDollar?: Widths;
  relation?: Expected & { readonly per: readonly string[] };
}>;

/** Values of two assets are compared only if their times are at most this far apart. */
export const NEAR_MS = 3 * DAY_MS;
export const DOLLAR = "USD_RLS";
export const OUNCE = "GOLD_OUNCE_USD";
const [LIRA, OUNCE_GRAMS] = ["TRY_USD", 31.1035];
/** On days without the dollar or the ounce, gold and coins in rial are compared with a gram of this fineness. */
const [GRAM, GRAM_FINE] = ["GOLD_18_RLS", 0.75];
const CRYPTO: ReadonlySet<string> = new Set(CRYPTO_NAMES.map(([base]) => base));
/** The last middle of a row is also used for this many later years: the dollar has never tripled in two years. */
const YEARS_AFTER = 2;
/** The factors by which values may be off their year's middle, the last middle, a coin's range and the gram's range. */
const [YEAR_SPREAD, LATE_SPREAD, COIN_SPREAD, GRAM_SPREAD] = [2.2, 6.6, 1.5, 1.1];
/** The powers of ten by which values may be off, the most likely first. */
export const LEVELS = [0, -1, -3, 1, 3, -2, 2];
/** The maximum distances from the middle, and from the middle times a power of ten, as decimal logarithms. */
const [CLOSE, CLOSER] = [0.43, 0.35];
const NOTHING: Expected = { low: NaN, middle: NaN, high: NaN };

/** Creates the model of expected prices. The model uses prices that `near` finds, else prices of the year. */
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
    // `ofYear` has already added this margin once. The second margin allows for errors of the other prices.
    const spread = wide ? (wide.high / wide.middle) * COIN_SPREAD : NaN;
    return wide
      ? { low: middle / spread, middle, high: middle * spread, isWide: true }
      : { low: product("low"), middle, high: product("high") };
  };
}

export function rangeOf(low: number, high: number, spread = 1): Expected {
  return { low: low / spread, middle: Math.sqrt(low * high), high: high * spread };
}

/** Returns the assets with which an asset is compared. */
export function referencesOf(code: AssetCode): readonly AssetCode[] {
  return (kindOf(code).relation?.per ?? []).filter((one) => one !== LIRA) as AssetCode[];
}

/** Returns the expected price according to the tables of years. */
function ofYear(code: string, time: number): Expected {
  const [first = NaN, ...numbers] = MIDDLES.get(code) ?? COINS.get(code) ?? [];
  const year = new Date(time).getUTCFullYear() - first;
  if (!(year >= 0 && year < numbers.length + YEARS_AFTER)) return NOTHING;
  const [low = NaN, high = NaN] = numbers.slice(2 * year);
  if (COINS.has(code)) return { ...rangeOf(low, high, code === GRAM ? GRAM_SPREAD : COIN_SPREAD), isWide: true };
  const middle = numbers[Math.min(year, numbers.length - 1)]!;
  const spread = year < numbers.length - 1 ? YEAR_SPREAD : LATE_SPREAD;
  // The dollar has never lost more than half of its value, so its lower bound has the smaller factor.
  return { low: middle / (code === DOLLAR ? YEAR_SPREAD : spread), middle, high: middle * spread };
}

/** Returns the expected price of gold, or of a coin with its premium, derived from the gram's range in that year. */
function goldOfYear(code: string, time: number): Expected {
  const [grams = NaN, ...premiums] = GOLD.get(code) ?? [];
  const [least = NaN, most = NaN] = code.startsWith("GOLD_") ? [1, 1] : premiums;
  const { low, high } = ofYear(GRAM, time);
  return rangeOf((low / GRAM_FINE) * grams * least, (high / GRAM_FINE) * grams * most);
}

/** Kinds by code, cached because a feed needs them for each batch. */
const kinds = new Map<string, Kind>();

export function kindOf(code: string): Kind {
  let kind = kinds.get(code);
  if (!kind) kinds.set(code, (kind = makeKind(code)));
  return kind;
}

function makeKind(code: string): Kind {
  const [base, isInRial] = [code.replace(/_(RLS|USD)$/, ""), code.endsWith("_RLS")];
  const [grams = NaN, least = NaN, most = NaN] = GOLD.get(code) ?? [];
  if (GOLD.has(code)) {
    const range = rangeOf((least * grams) / OUNCE_GRAMS, (most * grams) / OUNCE_GRAMS);
    if (!isInRial) return { widths: WIDTHS.ounce, relation: { per: [OUNCE], ...range } };
    return { widths: WIDTHS.rial, overDollar: OVER_DOLLAR.gold, relation: { per: [DOLLAR, OUNCE], ...range } };
  }
  if (code === "TRY_RLS")
    return { widths: WIDTHS.rial, overDollar: OVER_DOLLAR.lira, relation: { per: [DOLLAR, LIRA], ...rangeOf(1, 1) } };
  // The margin of 1.5 allows for later years. A value below `lowest` may by mistake be the dollar's price.
  const [low = NaN, high = NaN, lowest = low / 1.5] = CURRENCIES.get(base) ?? [];
  if (low && isInRial) {
    const relation = { per: [DOLLAR], ...rangeOf(low, high, 1.5), low: lowest };
    return { widths: WIDTHS.rial, overDollar: OVER_DOLLAR.currency, relation };
  }
  if (CRYPTO.has(base) && !isInRial)
    return STABLE.has(base)
      ? { widths: WIDTHS.stable, relation: { per: [], ...rangeOf(0.6, 1.6) } }
      : { widths: WIDTHS.coin };
  if (CRYPTO.has(base)) {
    const per = STABLE.has(base) ? [DOLLAR] : [`${base}_USD`, DOLLAR];
    return { widths: WIDTHS.coin, relation: { per, ...rangeOf(0.6, 1.7) } };
  }
  // For an asset that an operator adds, usual moves are unknown, so its values may move as far as those of crypto.
  if (!MIDDLES.has(code)) return { widths: WIDTHS.coin };
  return { widths: isInRial ? WIDTHS.rial : WIDTHS.ounce };
}

/** A value is a spike if its neighbours agree, and it differs from both by more than this factor. */
export function spikeFactorOf(code: string): number {
  const { widths } = kindOf(code);
  if (widths === WIDTHS.coin) return STABLE.has(code.replace("_RLS", "")) ? 1.25 : 1.6;
  if (widths !== WIDTHS.rial) return 1.15;
  return code === "TRY_RLS" || code === "RUB_RLS" ? 1.4 : 1.25;
}

/** The last year of the tables, which all end with the same year. */
export function lastYearOfTables(): number {
  const [first = NaN, ...middles] = MIDDLES.get(DOLLAR)!;
  return first + middles.length - 1;
}

/** Returns the factor by which a value exceeds the plausible range. Up to 1, the value is plausible. */
export function excessOf(value: number, { low, high }: Expected): number {
  return Math.max(value / high, low / value);
}

/** Returns the power of ten by which a value is off the expected price; NaN if this power is unknown or unclear. */
export function knownLevel(value: number, expected: Expected, likely = 0): number {
  if (expected.isWide) return [likely, ...LEVELS].find((level) => excessOf(value / 10 ** level, expected) <= 1) ?? NaN;
  const power = Math.log10(value / expected.middle);
  return Math.abs(power - Math.round(power)) <= (Math.round(power) === 0 ? CLOSE : CLOSER) ? Math.round(power) : NaN;
}
