// Converting an amount of anything into anything, by way of rial; and what a dollar costs by other ways than cash: what is worth dollars is bought in rial.
import { GOLD_PIECES, goldWorth } from "../../../../core/mod.ts";
import type { PageAsset } from "../../page_settings.ts";

/** Money without a price, in rial. */
export const MONEY: Readonly<Record<string, number>> = { RIAL: 1, TOMAN: 10 };

/** The value of each asset at some time, in its quote unit, by code; `undefined` where there is none. */
export type ValueOf = (code: string) => number | undefined;

/** What is converted into what: codes of assets, or money that has no price of its own. */
export type Pair = Readonly<Record<"from" | "to", string>>;

/** The assets whose values a conversion reads: two that are quoted alike need no dollar. */
export function quotesOf({ from, to }: Pair): readonly string[] {
  const isByDollar = from.endsWith("_USD") !== to.endsWith("_USD");
  return [...new Set([from, to, ...(isByDollar ? ["USD_RLS"] : [])])].filter((code) => !Object.hasOwn(MONEY, code));
}

/** An amount of one as an amount of the other; `undefined` without a value on the way. */
export function convert(amount: number, { from, to }: Pair, valueOf: ValueOf): number | undefined {
  const areInDollars = from.endsWith("_USD") && to.endsWith("_USD");
  const dollar = areInDollars ? 1 : valueOf("USD_RLS");
  const [one, other] = [from, to].map((what) => {
    const value = MONEY[what] ?? valueOf(what);
    return what.endsWith("_USD") ? value && dollar && value * dollar : value;
  });
  return one === undefined || !other ? undefined : (amount * one) / other;
}

/** What there is to choose from: money first, then the catalog without indices; crypto once, in dollars where it is quoted so. */
export function convertibles(assets: readonly PageAsset[]): readonly string[] {
  const inDollars = new Set(assets.filter(({ code }) => code.endsWith("_USD")).map(({ baseCode }) => baseCode));
  const listed = assets.filter(({ code, baseCode, category }) => category !== "INDEX" && (code.endsWith("_USD") || category !== "CRYPTO" || !inDollars.has(baseCode)));
  return ["TOMAN", "RIAL", ...listed.map(({ code }) => code)];
}

/** An amount as it was typed, in digits of any script and with signs of thousands; `undefined` if it is none. */
export function amountOf(text: string): number | undefined {
  const western = text.replace(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 15)).replace(/[\s,٬،']/g, "").replace("٫", ".");
  return /^\d+(?:\.\d*)?$|^\.\d+$/.test(western) && Number(western) <= 1e15 ? Number(western) : undefined;
}

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
