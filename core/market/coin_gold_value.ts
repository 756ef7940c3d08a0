/** Grams of a troy ounce, in which gold is quoted in the world. Source: the international troy ounce, 31.1034768 g. */
export const OUNCE_GRAMS = 31.1034768;

/** A coin, or a weight of gold, that has a price of its own in rial. */
export interface GoldPiece {
  /** The code of the asset, e.g. `SEKKEH_RLS`. */
  readonly code: string;
  /** Weight of one piece as it is priced. */
  readonly grams: number;
  /** The part of the weight that is gold, e.g. 0.9. */
  readonly fineness: number;
}

/**
 * The pieces of the catalog. Sources: the coins as the Central Bank of Iran mints them, 8.133 g of 900 and its half and quarter, and the
 * one-gram coin of 1.01 g; a mesghal is 4.6083 g, quoted in 705. Prices of 2011 to 2026 agree: with no premium, in 2014, Bahar Azadi
 * gives 8.12 to 8.14 g, and a mesghal is 4.3318 grams of 18 karats in every year.
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

/** What gold is worth is computed from. Both above zero. */
export interface GoldRates {
  /** US dollars for a troy ounce of gold. */
  readonly ounce: number;
  /** Rial for a US dollar. */
  readonly dollar: number;
}

/** A price against the gold in it; amounts in rial, not rounded. */
export interface GoldWorth {
  /** What the gold is worth: ounce × dollar / 31.1034768 × grams × fineness. */
  readonly gold: number;
  /** What is paid above that; negative where a piece costs less than its gold. */
  readonly bubble: number;
  /** The bubble as a part of the gold's worth, e.g. 0.086. */
  readonly ratio: number;
  /** Rial for a dollar at which the price would be that of its gold. */
  readonly impliedDollar: number;
}

/** Rial for a gram of pure gold at these rates. */
export function gramOfGold({ ounce, dollar }: GoldRates): number {
  return (ounce * dollar) / OUNCE_GRAMS;
}

/**
 * Compares a price with the gold in it.
 *
 * @param price Rial for one piece.
 */
export function goldWorth(
  { grams, fineness }: Pick<GoldPiece, "grams" | "fineness">,
  price: number,
  rates: GoldRates,
): GoldWorth {
  const gold = gramOfGold(rates) * grams * fineness;
  return { gold, bubble: price - gold, ratio: price / gold - 1, impliedDollar: (price / gold) * rates.dollar };
}
