import type { Asset, QuoteUnit } from "../market/assets.ts";

/** The units that other price services write behind a code, with or without a mark before them. */
const UNIT_SUFFIX = /(?:[_/-][A-Z]+|TMN|IRT|IRR|RLS|USDT?)$/;
const MAX_SUGGESTIONS = 3;
const TEXTS = /* @__PURE__ */ new WeakMap<Assets, Texts>();
const UNIT_NAMES: Readonly<Record<QuoteUnit, string>> = { RLS: "rial; 10 rial are 1 toman", USD: "US dollar" };

/** A list of assets, or a map of them. */
interface Assets {
  values(): Iterable<Asset>;
}

/** What is looked for in a catalog, made once, as a miss looks at all of it. */
interface Texts {
  /** The assets, with both names of what is priced, in upper case. */
  readonly assets: readonly (Asset & { readonly names: string })[];
  /** All codes and names: most texts that nobody knows are not in there. */
  readonly all: string;
}

/**
 * The assets that a text which is no code may mean, with their units, e.g. `USD_RLS or CAD_RLS (rial; 10 rial are 1
 * toman)`; empty for none. The text may be a code in another case or with another unit, the beginning of a code, or a name.
 */
export function suggestAssets(catalog: Assets, text: string): string {
  // Arabic keyboards have other letters for the Persian yeh and kaf.
  const wanted = text.trim().toUpperCase().replaceAll("ي", "ی").replaceAll("ك", "ک");
  const base = wanted.replace(UNIT_SUFFIX, "") || wanted;
  const { assets, all } = textsOf(catalog);
  if (!all.includes(base)) return "";
  const fits: ((asset: Texts["assets"][number]) => boolean)[] = [
    ({ code, baseCode }) => code === wanted || baseCode === wanted,
    ({ baseCode }) => baseCode === base,
    ({ code }) => code.startsWith(`${base}_`),
    ({ names }) => base.length > 1 && names.includes(base),
  ];
  for (const fit of fits) {
    const found = assets.filter(fit).slice(0, MAX_SUGGESTIONS);
    if (found.length > 0)
      return [...new Set(found.map(({ quoteUnit }) => quoteUnit))].map((unit) => ofUnit(found, unit)).join(" or ");
  }
  return "";
}

function ofUnit(assets: readonly Asset[], unit: QuoteUnit): string {
  const codes = assets
    .filter(({ quoteUnit }) => quoteUnit === unit)
    .map(({ code }) => code)
    .join(", ");
  return `${codes.replace(/, (?=\w+$)/, " or ")} (${UNIT_NAMES[unit]})`;
}

function textsOf(catalog: Assets): Texts {
  let texts = TEXTS.get(catalog);
  if (texts === undefined) {
    const assets = Array.from(catalog.values(), (asset) => ({
      ...asset,
      names: `${nameOf(asset.labelEn).toUpperCase()} ${nameOf(asset.labelFa)}`,
    }));
    const all = assets.map(({ code, baseCode, names }) => `${code}\n${baseCode}\n${names}`).join("\n");
    TEXTS.set(catalog, (texts = { assets, all }));
  }
  return texts;
}

/** The name of what is priced, without that of the quote unit. */
function nameOf(label: string): string {
  return label.slice(0, label.lastIndexOf(" / "));
}
