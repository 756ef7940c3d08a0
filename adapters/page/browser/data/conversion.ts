// Converts amounts between assets; computes implied dollar rates and the bubbles of coins.

import { GOLD_PIECES, type GoldPiece, goldWorth, type PriceCandle } from "../../../../core/mod.ts";
import type { PageAsset } from "../../page_settings.ts";
import { baseOf } from "./format.ts";

/** Currencies that are not assets of the catalog, with their value in rial. */
export const MONEY: Readonly<Record<string, number>> = { RIAL: 1, TOMAN: 10 };

/** Returns the value of the asset with a code, in the asset's quote unit; `undefined` if the asset has no value. */
export type ValueOf = (code: string) => number | undefined;

/** The two sides of a conversion: asset codes, or currencies that are not assets. */
export type Pair = Readonly<Record<"from" | "to", string>>;

const isInDollars = (code: string): boolean => code.endsWith("_USD") || code === "USD_RLS";

/** Takes crypto's rial price instead of its dollar price if there is one and the other side is not in dollars. */
export function quoted({ from, to }: Pair, has: (code: string) => boolean): Pair {
  const against = (code: string, other: string): string =>
    [code.replace(/_USD$/, "_RLS")].find((inRial) => !isInDollars(other) && has(inRial)) ?? code;
  return { from: against(from, to), to: against(to, from) };
}

/** The assets whose values a conversion needs. The dollar rate is only needed between different quote units. */
export function quotesOf({ from, to }: Pair): readonly string[] {
  if (isInDollars(from) && isInDollars(to)) return [...new Set([from, to])].filter((code) => code !== "USD_RLS");
  const dollar = from.endsWith("_USD") || to.endsWith("_USD") ? ["USD_RLS"] : [];
  return [...new Set([from, to, ...dollar])].filter((code) => !Object.hasOwn(MONEY, code));
}

/** Converts an amount from one side to the other; `undefined` if a needed value is missing. */
export function convert(amount: number, { from, to }: Pair, valueOf: ValueOf): number | undefined {
  const dollar = isInDollars(from) && isInDollars(to) ? 1 : valueOf("USD_RLS");
  const [one, other] = [from, to].map((what) => {
    if (what === "USD_RLS") return dollar;
    const value = MONEY[what] ?? valueOf(what);
    return what.endsWith("_USD") ? value && dollar && value * dollar : value;
  });
  return one === undefined || !other ? undefined : (amount * one) / other;
}

/** The entry for an asset in the list of choices. Crypto in rial and in dollars share one entry. */
export function listedAs(code: string, listed: readonly string[]): string | undefined {
  return listed.includes(code) ? code : listed.find((other) => other === code.replace(/_RLS$/, "_USD"));
}

/** The choices: money first, then the catalog without indices. Crypto is listed once, in dollars if it has a dollar quote. */
export function convertibles(assets: readonly PageAsset[]): readonly string[] {
  const inDollars = new Set(assets.filter(({ code }) => code.endsWith("_USD")).map(baseOf));
  const isDouble = (asset: PageAsset): boolean =>
    asset.category === "CRYPTO" && !asset.code.endsWith("_USD") && inDollars.has(baseOf(asset));
  const listed = assets.filter((asset) => asset.category !== "INDEX" && !isDouble(asset));
  return ["TOMAN", "RIAL", ...listed.map(({ code }) => code)];
}

/** Reads a typed amount, in digits of any script, with thousands separators in the right places; Persian users type `/` as the decimal sign. */
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

/** The assets that imply a dollar rate, cash first. */
const WAYS = ["USD_RLS", "USDT_RLS", "AED_RLS", "GOLD_18_RLS", "GOLD_MESGHAL_RLS", "SEKKEH_RLS"] as const;

/** The implied dollar rates in rial. A `ratio` of 0.006 means 0.6 % dearer than cash. Empty without a cash price. */
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

/** Words by digit; `-` for digits that have no word at this place of a number. */
const wordsOf = (words: string): readonly string[] => words.split(" ");
const ONES = wordsOf("صفر یک دو سه چهار پنج شش هفت هشت نه ده یازده دوازده سیزده چهارده پانزده شانزده هفده هجده نوزده");
const TENS = wordsOf("- - بیست سی چهل پنجاه شصت هفتاد هشتاد نود");
const HUNDREDS = wordsOf("- صد دویست سیصد چهارصد پانصد ششصد هفتصد هشتصد نهصد");
const LARGE = [
  [1e12, "هزار میلیارد"],
  [1e9, "میلیارد"],
  [1e6, "میلیون"],
  [1_000, "هزار"],
] as const;

/** A whole number below 10^15 in Persian words, as on a cheque, so that nobody confuses toman and rial. */
export function persianWords(value: number): string {
  if (value < 20) return ONES[value]!;
  const [width, name] = LARGE.find(([size]) => value >= size) ?? (value < 100 ? [10] : [100]);
  const count = Math.floor(value / width);
  let words = name ?? (width === 10 ? TENS : HUNDREDS)[count]!;
  if (name !== undefined && (count > 1 || width > 1_000)) words = `${persianWords(count)} ${name}`;
  return value % width === 0 ? words : `${words} و ${persianWords(value % width)}`;
}

/** The bubble on one UTC day. `time` is the start of the day in milliseconds, `ratio` a fraction of the gold value. */
export type BubbleDay = { readonly time: number; readonly ratio: number };

/** How old a rate may be. Several days, because world markets close at weekends. */
const LONGEST_REST_MS = 5 * 86_400_000;

/** The bubble on each day with a price of the piece and with prices of ounce and dollar of the last five days. */
export function bubbleDays(
  piece: GoldPiece,
  { piece: prices, ounce, dollar }: Readonly<Record<"piece" | "ounce" | "dollar", readonly PriceCandle[]>>,
): readonly BubbleDay[] {
  return prices.flatMap(({ start, close }) => {
    const [ounceThen, dollarThen] = [rateAt(start, ounce), rateAt(start, dollar)];
    if (ounceThen === undefined || dollarThen === undefined) return [];
    const { ratio } = goldWorth(piece, close, { ounce: ounceThen, dollar: dollarThen });
    return { time: Date.parse(start), ratio };
  });
}

function rateAt(start: string, candles: readonly PriceCandle[]): number | undefined {
  const last = candles.findLast((candle) => candle.start <= start); // ISO 8601 times can be compared as texts
  return last === undefined || Date.parse(start) - Date.parse(last.start) > LONGEST_REST_MS ? undefined : last.close;
}

/** The ticks of an axis: at most four round ratios between `low` and `high`. */
export function ticksOf(low: number, high: number): readonly number[] {
  const step =
    [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5].find((one) => Math.floor(high / one) - Math.ceil(low / one) < 4) ?? 1;
  return [0, 1, 2, 3].map((at) => (Math.ceil(low / step) + at) * step).filter((tick) => tick <= high);
}
