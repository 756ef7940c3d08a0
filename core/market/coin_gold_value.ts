/** Grams in a troy ounce, the unit of world gold prices. Source: the international troy ounce. */
export const OUNCE_GRAMS = 31.1034768;

/** A coin, or a weight of gold, that has a price in rial. */
export interface GoldPiece {
  /** The code of the asset, such as `SEKKEH_RLS`. */
  readonly code: string;
  /** The weight of one piece. */
  readonly grams: number;
  /** The fraction of the weight that is gold, e.g. 0.9. */
  readonly fineness: number;
}

/**
 * The pieces of the catalog. Sources: the coins of the Central Bank of Iran (8.133 g of fineness 900, a half, a
 * quarter, and the one-gram coin of 1.01 g); a mesghal is 4.6083 g of fineness 705. Market prices from 2011 to 2026
 * imply the same weights: 8.12 to 8.14 g for Bahar Azadi in 2014, when it had no premium, and in every year 4.3318 g
 * of 18-karat gold for a mesghal.
 */
export const GOLD_PIECES: readonly GoldPiece[] = [
  { code: "SEKKEH_RLS", grams: 8.133, fineness: 0.9 },
  { code: "BAHAR_RLS", grams: 8.133, fineness: 0.9 },
  { code: "NIM_SEKKEH_RLS", grams: 4.0665, fineness: 0.9 },
  { code: "ROB_SEKKEH_RLS", grams: 2.03325, fineness: 0.9 },
  { code: "GERAMI_SEKKEH_RLS", grams: 1.01, fineness: 0.9 },
  { code: "GOLD_18_RLS", grams: 1, fineness: 0.75 },
  { code: "GOLD_24_RLS", grams: 1, fineness: 1 },
  { code: "GOLD_MESGHAL_RLS", grams: 4.6083, fineness: 0.705 },
];

/** The prices that determine the worth of gold. Both are above zero. */
export interface GoldRates {
  /** US dollars for a troy ounce of gold. */
  readonly ounce: number;
  /** Rial for a US dollar. */
  readonly dollar: number;
}

/** The worth of the gold in a piece, compared with its price. Amounts are in rial, not rounded. */
export interface GoldWorth {
  /** The worth of the gold: ounce × dollar / 31.1034768 × grams × fineness. */
  readonly gold: number;
  /** The price minus `gold`. Negative if the piece costs less than its gold. */
  readonly bubble: number;
  /** `bubble` as a fraction of the gold's worth, such as 0.086. */
  readonly ratio: number;
  /** The price of a US dollar, in rial, at which the piece would cost exactly as much as its gold. */
  readonly impliedDollar: number;
}

/** The price of a gram of pure gold, in rial. */
export function gramOfGold({ ounce, dollar }: GoldRates): number {
  return (ounce * dollar) / OUNCE_GRAMS;
}

/** Compares the price of a piece, in rial, with the worth of its gold. */
export function goldWorth(piece: Omit<GoldPiece, "code">, price: number, rates: GoldRates): GoldWorth {
  const gold = gramOfGold(rates) * piece.grams * piece.fineness;
  return { gold, bubble: price - gold, ratio: price / gold - 1, impliedDollar: (price / gold) * rates.dollar };
}
