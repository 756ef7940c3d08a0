// What a dollar costs by other ways than cash: what is worth dollars is bought in rial.
import { GOLD_PIECES, goldWorth } from "../../../../core/mod.ts";
import type { ValueOf } from "./convert.ts";

/** UAE dirhams for a US dollar, fixed since 1997. */
const DIRHAMS = 3.6725;

/** One way to a dollar. */
export interface WayToDollar {
  /** The asset that is bought. */
  readonly code: "USD_RLS" | "USDT_RLS" | "AED_RLS" | "GOLD_18_RLS" | "GOLD_MESGHAL_RLS" | "SEKKEH_RLS";
  /** Rial for a dollar. */
  readonly dollar: number;
  /** Against cash: 0.006 is 0.6 % dearer. */
  readonly ratio: number;
}

/** The ways that have a price, cash first; none without the price of cash. */
export function waysToDollar(valueOf: ValueOf): readonly WayToDollar[] {
  const [cash, ounce] = [valueOf("USD_RLS"), valueOf("GOLD_OUNCE_USD")];
  if (cash === undefined || cash === 0) return [];
  const byGold = (code: WayToDollar["code"]): number | undefined => {
    const [price, piece] = [valueOf(code), GOLD_PIECES.find((one) => one.code === code)];
    return price === undefined || ounce === undefined || piece === undefined ? undefined : goldWorth(piece, price, { ounce, dollar: cash }).impliedDollar;
  };
  const dirham = valueOf("AED_RLS");
  const ways: readonly (readonly [code: WayToDollar["code"], dollar: number | undefined])[] = [
    ["USD_RLS", cash], ["USDT_RLS", valueOf("USDT_RLS")], ["AED_RLS", dirham && dirham * DIRHAMS],
    ...(["GOLD_18_RLS", "GOLD_MESGHAL_RLS", "SEKKEH_RLS"] as const).map((code) => [code, byGold(code)] as const),
  ];
  return ways.flatMap(([code, dollar]) => (dollar === undefined ? [] : [{ code, dollar, ratio: dollar / cash - 1 }]));
}
