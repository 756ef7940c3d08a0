// Converting an amount of anything into anything, by way of rial.
import type { MarketRow } from "../../market_summary.ts";
import type { PageAsset } from "../../page_settings.ts";

/** What can be converted: the code of an asset, or money that has no price of its own. */
export type Convertible = string;

/** Money without a price, in rial. */
export const MONEY: Readonly<Record<string, number>> = { RIAL: 1, TOMAN: 10 };

/** The value of each asset at some time, in its quote unit, by code; `undefined` where there is none. */
export type ValueOf = (code: string) => number | undefined;

/** The latest values. */
export function latestValues(rows: ReadonlyMap<string, MarketRow>): ValueOf {
  return (code) => rows.get(code)?.value;
}

/**
 * The values of a market day, of those 30 that the market's answer has.
 *
 * @param index How many days after the first of them.
 */
export function valuesOfDay(rows: ReadonlyMap<string, MarketRow>, index: number): ValueOf {
  return (code) => rows.get(code)?.days[index] ?? undefined;
}

/** One piece in rial: what is quoted in dollars by way of the dollar in rial. `undefined` without a value on the way. */
export function inRial(what: Convertible, valueOf: ValueOf): number | undefined {
  if (Object.hasOwn(MONEY, what)) return MONEY[what];
  const value = valueOf(what);
  if (value === undefined || !what.endsWith("_USD")) return value;
  const dollar = valueOf("USD_RLS");
  return dollar === undefined ? undefined : value * dollar;
}

/** An amount of one as an amount of the other; `undefined` without a value on the way. Two that are quoted alike need no dollar. */
export function convert(amount: number, { from, to }: { readonly from: Convertible; readonly to: Convertible }, valueOf: ValueOf): number | undefined {
  const [one, other] = [from, to].map((what) => (from.endsWith("_USD") && to.endsWith("_USD") ? valueOf(what) : inRial(what, valueOf)));
  return one === undefined || other === undefined || other === 0 ? undefined : (amount * one) / other;
}

/** What there is to choose from: money first, then the catalog without indices; crypto once, in dollars where it is quoted so. */
export function convertibles(assets: readonly PageAsset[]): readonly Convertible[] {
  const inDollars = new Set(assets.filter(({ code }) => code.endsWith("_USD")).map(({ baseCode }) => baseCode));
  const listed = assets.filter(({ code, baseCode, category }) => category !== "INDEX" && (code.endsWith("_USD") || category !== "CRYPTO" || !inDollars.has(baseCode)));
  return ["TOMAN", "RIAL", ...listed.map(({ code }) => code)];
}

/** An amount as it was typed, in digits of any script and with signs of thousands; `undefined` if it is none. */
export function amountOf(text: string): number | undefined {
  const western = text.replace(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 15)).replace(/[\s,٬،']/g, "").replace("٫", ".");
  return /^\d+(?:\.\d*)?$|^\.\d+$/.test(western) && Number(western) <= 1e15 ? Number(western) : undefined;
}
