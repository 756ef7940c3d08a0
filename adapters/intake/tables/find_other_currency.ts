import { unitsOfTitle } from "./detect_price_unit.ts";
import { isList, type Mentions, namesIn, namesOfTable } from "./find_mentioned_assets.ts";

/** Currencies in which people quote assets, besides rial and the US dollar. */
const CURRENCIES: ReadonlySet<string> = new Set(
  (
    "EUR GBP AED TRY CNY AFN AMD AZN BHD BRL CAD CHF DKK GEL HKD INR IQD KWD MYR NOK NZD OMR PKR QAR SAR SEK SGD THB AUD " +
    "JPY RUB KRW MXN PLN ZAR UAH IDR NGN ARS VND PHP CZK HUF RON ILS TWD CLP COP KZT EGP"
  ).split(" "),
);
/** Words that mean a currency only in a pair. */
const WORDS_AS_WELL = /^(?:try|php|ron|cop)$/i;
/** The text between the base and the quote of a pair, as in `BTC/EUR`, `btc_eur` and `دلار به یورو`. */
const IN_PAIR = /^(?:[-_:–]?|\s*\/\s*|[\s_-]+(?:به|in|to)[\s_-]+)$/i;
/** The text before the currency of prices, as in `prices in EUR`, `quoteCurrency: EUR` and `column: Price (EUR)`. */
const BEFORE_CURRENCY =
  /^column: .*[\s_([]$|(?:^|[\s_(-])(?:به|in)[\s_-]+$|(?:currency|quote|market|counter|target|fiat|unit|to symbol|واحد)[\p{L}_ "]{0,20}[:=,][" ]{0,3}$/iu;
const OF_BASE = /base|from|digital/i;
/** A pair such as `XBTEUR`, or `XXBTZEUR` of Kraken. */
const GLUED_PAIR = /(?<![a-z\d])(?:x(?=[a-z]{3}z))?([a-z\d]{2,8}?)z?([a-z]{3})(?![a-z\d])/gi;

/** Texts that may state the currency of prices. */
interface CurrencyTexts extends Mentions {
  /** Texts beside the rows of JSON, and in ignored columns, such as `market: EUR`. */
  readonly beside: readonly string[];
  /** The assets in the first rows. */
  readonly codes: readonly string[];
  readonly code: string | undefined;
}

/** Returns the text or the name that states a currency other than rial and US dollars; such prices cannot be read. */
export function otherCurrencyOf(texts: CurrencyTexts): string | undefined {
  const named = [...texts.titles.map((text) => ({ text, by: `"${text}"` })), ...namesOfTable(texts)];
  const beside = texts.beside.map((text) => ({ text, by: `"${text}"`, isBeside: true }));
  for (const one of [...beside, ...named]) {
    const currency = otherCurrencyIn(one, texts);
    if (currency !== undefined)
      return `${one.by} says that its prices are in ${currency}: convert them to rial or US dollars, or correct that text`;
  }
  return undefined;
}

function otherCurrencyIn(
  { text, isBeside = false }: { readonly text: string; readonly isBeside?: boolean },
  { names, code, codes }: Pick<CurrencyTexts, "names" | "code" | "codes">,
): string | undefined {
  if (unitsOfTitle(text).length > 0) return undefined;
  const pairs = text.replace(GLUED_PAIR, (word, base: string, quote: string) => {
    const isPair = codesOf(word).length === 0 && CURRENCIES.has(quote.toUpperCase()) && codesOf(base).length > 0;
    return isPair ? `${base}/${quote}` : word;
  });
  const found = namesIn(pairs, (words) => (words.length > 2 || /^\p{Sc}$/u.test(words) ? codesOf(words) : []));
  const others = found.filter((one) => isCurrency(one.codes));
  if (new Set(others.map((one) => String(one.codes))).size > 1) return undefined;
  const isOneAsset = new Set(found.map((one) => String(one.codes))).size === 2;
  return others.find((one) => {
    if (one.codes.some((own) => codes.some((priced) => baseOf(priced) === baseOf(own)))) return false;
    if (BEFORE_CURRENCY.test(one.before) && !OF_BASE.test(one.before)) return true;
    if (isList(text)) return false;
    const at = found.indexOf(one);
    const base = found[at - 1] ?? found[at + 1];
    // A currency named alone is the asset, unless all assets are quoted in dollars and none of them is a currency.
    const isAlone = !isBeside || (text.endsWith(`: ${one.text}`) && !OF_BASE.test(text));
    if (!base) return isAlone && codes.length > 0 && codes.every((own) => own.endsWith("_USD") && !isCurrency([own]));
    const isOfMoney = isCurrency(base.codes) || base.codes.includes("USD_RLS");
    if (at > 0 && IN_PAIR.test(one.before)) return !isOfMoney || code !== undefined;
    return isOneAsset && !isOfMoney && !WORDS_AS_WELL.test(one.text);
  })?.text;

  function codesOf(words: string): readonly string[] {
    const found = names.find(words).codes;
    return found.length === 0 && CURRENCIES.has(words.toUpperCase()) ? [`${words.toUpperCase()}_RLS`] : found;
  }
}

function isCurrency(codes: readonly string[]): boolean {
  return codes.every((code) => CURRENCIES.has(baseOf(code)));
}

function baseOf(code: string): string {
  return code.slice(0, -4);
}
