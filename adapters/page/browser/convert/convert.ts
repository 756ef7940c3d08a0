// Converting an amount of anything into anything, by way of rial; and what a dollar costs by other ways than cash: what is worth dollars is bought in rial.
import { GOLD_PIECES, goldWorth } from "../../../../core/mod.ts";
import type { PageAsset } from "../../page_settings.ts";

/** Money without a price, in rial. */
export const MONEY: Readonly<Record<string, number>> = { RIAL: 1, TOMAN: 10 };

/** The value of each asset at some time, in its quote unit, by code; `undefined` where there is none. */
export type ValueOf = (code: string) => number | undefined;

/** What is converted into what: codes of assets, or money that has no price of its own. */
export type Pair = Readonly<Record<"from" | "to", string>>;

const isInDollars = (code: string): boolean => code.endsWith("_USD") || code === "USD_RLS";

/** A pair by the quotes that fit it best: against rial, crypto by its own price in rial where that has one. `has` tells which assets have one. */
export function quoted({ from, to }: Pair, has: (code: string) => boolean): Pair {
  const against = (code: string, other: string): string =>
    [code.replace(/_USD$/, "_RLS")].find((inRial) => !isInDollars(other) && has(inRial)) ?? code;
  return { from: against(from, to), to: against(to, from) };
}

/** The assets whose values a conversion reads: two that are quoted alike need no dollar. */
export function quotesOf({ from, to }: Pair): readonly string[] {
  if (isInDollars(from) && isInDollars(to)) return [...new Set([from, to])].filter((code) => code !== "USD_RLS");
  const dollar = from.endsWith("_USD") || to.endsWith("_USD") ? ["USD_RLS"] : [];
  return [...new Set([from, to, ...dollar])].filter((code) => !Object.hasOwn(MONEY, code));
}

/** An amount of one as an amount of the other; `undefined` without a value on the way. */
export function convert(amount: number, { from, to }: Pair, valueOf: ValueOf): number | undefined {
  const dollar = isInDollars(from) && isInDollars(to) ? 1 : valueOf("USD_RLS");
  const [one, other] = [from, to].map((what) => {
    if (what === "USD_RLS") return dollar;
    const value = MONEY[what] ?? valueOf(what);
    return what.endsWith("_USD") ? value && dollar && value * dollar : value;
  });
  return one === undefined || !other ? undefined : (amount * one) / other;
}

/** What stands for an asset among those to choose from: crypto in rial is the same as in dollars. */
export function listedAs(code: string, listed: readonly string[]): string | undefined {
  return listed.includes(code) ? code : listed.find((other) => other === code.replace(/_RLS$/, "_USD"));
}

/** What there is to choose from: money first, then the catalog without indices; crypto once, in dollars where it is quoted so. */
export function convertibles(assets: readonly PageAsset[]): readonly string[] {
  const inDollars = new Set(assets.filter(({ code }) => code.endsWith("_USD")).map(({ baseCode }) => baseCode));
  const listed = assets.filter(
    ({ code, baseCode, category }) =>
      category !== "INDEX" && (code.endsWith("_USD") || category !== "CRYPTO" || !inDollars.has(baseCode)),
  );
  return ["TOMAN", "RIAL", ...listed.map(({ code }) => code)];
}

/** An amount as it was typed, in digits of any script, with signs of thousands where thousands are; `/` is the decimal sign of Persian hands. */
export function amountOf(text: string): number | undefined {
  const western = text
    .trim()
    .replace(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 15))
    .replace(/[٫/]/, ".");
  const value = parseFloat(
    /^(?:0|[1-9]\d*|[1-9]\d{0,2}(?:[\s,٬،']\d{3})+)?(?:\.\d*)?$/.test(western) ? western.replace(/[\s,٬،']/g, "") : "",
  );
  return value <= 1e15 ? value : undefined;
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
    let dollar = code === "AED_RLS" ? price * DIRHAMS : price;
    if (piece !== undefined) dollar = goldWorth(piece, price, { ounce: ounce!, dollar: cash }).impliedDollar;
    return [{ code, dollar, ratio: dollar / cash - 1 }];
  });
}
