import { DAY } from "./generators.ts";

/** Approximate prices in November 2026. */
const LEVELS = {
  USD_RLS: 1_900_000,
  EUR_RLS: 2_200_000,
  GBP_RLS: 2_500_000,
  AED_RLS: 517_000,
  TRY_RLS: 44_000,
  USDT_RLS: 1_900_000,
  STOCK_IR: 4_000_000,
  GOLD_OUNCE_USD: 4_500,
  GOLD_18_RLS: 206_000_000,
  SEKKEH_RLS: 2_100_000_000,
  BTC_USD: 90_000,
  ETH_USD: 3_000,
};

/** Codes that have a likely price. */
export type LikelyCode = keyof typeof LEVELS;

/** A price that passes the price-level check. The price doubles every two years until November 2026. */
export function likelyPrice(code: LikelyCode, time: number): number {
  const doubled = 2 ** ((time - Date.parse("2026-11-22T00:00:00Z")) / (730 * DAY));
  return Number((LEVELS[code] * doubled).toPrecision(6));
}
