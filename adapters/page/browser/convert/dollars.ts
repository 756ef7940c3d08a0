// What a dollar costs by other ways than cash: what is worth dollars is bought in rial.
import { GOLD_PIECES, goldWorth } from "../../../../core/mod.ts";
import type { ValueOf } from "./convert.ts";

/** UAE dirhams for a US dollar, fixed since 1997. */
const DIRHAMS = 3.6725;

/** The assets that are bought, cash first. */
const WAYS = ["USD_RLS", "USDT_RLS", "AED_RLS", "GOLD_18_RLS", "GOLD_MESGHAL_RLS", "SEKKEH_RLS"] as const;

/** The ways that have a price, with rial for a dollar and the ratio to cash (0.006 is 0.6 % dearer); none without the price of cash. */
export function waysToDollar(valueOf: ValueOf) {
  const [cash, ounce] = [valueOf("USD_RLS"), valueOf("GOLD_OUNCE_USD")];
  return WAYS.flatMap((code) => {
    const [price, piece] = [valueOf(code), GOLD_PIECES.find((one) => one.code === code)];
    if (!cash || price === undefined || (piece !== undefined && !ounce)) return [];
    const dollar = piece !== undefined ? goldWorth(piece, price, { ounce: ounce!, dollar: cash }).impliedDollar : code === "AED_RLS" ? price * DIRHAMS : price;
    return [{ code, dollar, ratio: dollar / cash - 1 }];
  });
}
