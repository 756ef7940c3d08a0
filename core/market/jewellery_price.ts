import { formatDecimal } from "../bytes/json.ts";

/** Thousandths of gold by karat. Source: Iranian hallmarks, where 22 karat is 916. */
export const KARAT_FINENESS = { 18: 750, 21: 875, 22: 916, 24: 1_000 } as const;

/** The terms of a shop. Money is in toman, as in shops. No number is negative. */
export interface JewelleryTerms {
  /** The price of a gram of gold with the fineness of the piece. Above 0. */
  readonly gram: number;
  /** The wage: percent of the gold value, or toman for each gram of the piece. */
  readonly wage: { readonly percent: number } | { readonly perGram: number };
  /** Profit, in percent of (gold value + wage). */
  readonly profitPercent: number;
  /** Tax, in percent of (wage + profit + extras). Gold is not taxed. */
  readonly taxPercent: number;
  /** The price of stones and other extras, which are taxed. No profit is added to the extras. Default 0. */
  readonly extras?: number;
}

/** The price of a piece, line by line, in whole toman, each rounded half up. */
export interface JewelleryReceipt {
  readonly grams: number;
  readonly gold: number;
  readonly wage: number;
  readonly profit: number;
  readonly extras: number;
  readonly tax: number;
  /** The sum of the lines. */
  readonly total: number;
  /** The total for each gram, also rounded. */
  readonly totalPerGram: number;
}

/** The piece that an amount of money buys. */
export interface AffordableJewellery {
  readonly receipt: JewelleryReceipt;
  /** The remaining money, in toman. */
  readonly left: number;
}

/**
 * The price of a gram of gold in whole toman.
 *
 * @param gram18 Rial for a gram of 18-karat gold, the unit of market quotes.
 * @param fineness Thousandths of gold, from 1 to 1000.
 */
export function gramOfFineness(gram18: number, fineness: number): number {
  return rounded([gram18, fineness], 7_500); // 18 karat has 750 thousandths, a toman has 10 rial
}

/** Computes the price of a piece like Iranian shops. Throws `RangeError` for a negative or infinite number or 0 g. */
export function priceJewellery(grams: number, terms: JewelleryTerms): JewelleryReceipt {
  const { gram, wage: asked, profitPercent, taxPercent } = terms;
  const gold = rounded([grams, gram]);
  const wage = "percent" in asked ? rounded([gold, asked.percent], 100) : rounded([grams, asked.perGram]);
  const profit = rounded([gold + wage, profitPercent], 100);
  const extras = rounded([terms.extras ?? 0]);
  const tax = rounded([wage + profit + extras, taxPercent], 100);
  const total = gold + wage + profit + extras + tax;
  return { grams, gold, wage, profit, extras, tax, total, totalPerGram: rounded([total], grams) };
}

/**
 * The heaviest piece, in steps of 0.01 g, that costs no more than an amount of whole toman, or `undefined` if there is
 * none. Throws `RangeError` for a negative or infinite number, and if a gram costs nothing.
 */
export function affordableJewellery(money: number, terms: JewelleryTerms): AffordableJewellery | undefined {
  let best: JewelleryReceipt | undefined;
  let low = 0;
  // At this weight, the gold alone costs more than the money. Heavier pieces are never cheaper, even after rounding.
  let high = rounded([money + 1, 100], terms.gram) + 1;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    const receipt = priceJewellery(middle / 100, terms);
    if (receipt.total > money) high = middle;
    else [low, best] = [middle, receipt];
  }
  return best && { receipt: best, left: money - best.total };
}

/** Multiplies the factors, divides by the divisor, and rounds half up. Computes exactly, with decimal digits. */
function rounded(factors: readonly number[], divisor = 1): number {
  const [divisorDigits, divisorDecimals] = decimalOf(divisor);
  if (divisorDigits === 0n)
    throw new RangeError("Cannot price jewellery because weight and price of a gram must be above 0");
  let above = 10n ** BigInt(divisorDecimals);
  let below = divisorDigits;
  for (const factor of factors) {
    const [digits, decimals] = decimalOf(factor);
    above *= digits;
    below *= 10n ** BigInt(decimals);
  }
  return Number((2n * above + below) / (2n * below));
}

/** The decimal digits of a number, and how many of them are after the point. */
function decimalOf(value: number): readonly [digits: bigint, decimals: number] {
  if (!(value >= 0 && value < Infinity))
    throw new RangeError(
      `Cannot price jewellery because its numbers must be finite and at least 0: received "${value}"`,
    );
  const [whole = "", fraction = ""] = formatDecimal(value).split(".");
  return [BigInt(whole + fraction), fraction.length];
}
