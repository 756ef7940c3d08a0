import type { Asset, QuoteUnit } from "../market/assets.ts";

/** The units that other price services write behind a code, with or without a mark before them. */
const UNIT_SUFFIX = /(?:[_/-][A-Z]+|TMN|IRT|IRR|RLS|USDT?)$/;
const MAX_SUGGESTIONS = 3;
const NAMES = /* @__PURE__ */ new WeakMap<Asset, string>();
const UNIT_NAMES: Readonly<Record<QuoteUnit, string>> = { RLS: "rial; 10 rial are 1 toman", USD: "US dollar" };

/**
 * The assets that a text which is no code may mean, with their units, e.g. `USD_RLS or CAD_RLS (rial; 10 rial are 1
 * toman)`; empty for none. The text may be a code in another case or with another unit, the beginning of a code, or a name.
 */
export function suggestAssets(assets: readonly Asset[], text: string): string {
  // Arabic keyboards have other letters for the Persian yeh and kaf.
  const wanted = text.trim().toUpperCase().replaceAll("ي", "ی").replaceAll("ك", "ک");
  const base = wanted.replace(UNIT_SUFFIX, "") || wanted;
  const fits: ((asset: Asset) => boolean)[] = [
    ({ code, baseCode }) => code === wanted || baseCode === wanted,
    ({ baseCode }) => baseCode === base,
    ({ code }) => code.startsWith(`${base}_`),
    (asset) => base.length > 1 && namesOf(asset).includes(base),
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

/** Both names of what is priced, in upper case; made once for each asset, as a miss looks at all of them. */
function namesOf(asset: Asset): string {
  let names = NAMES.get(asset);
  if (names === undefined)
    NAMES.set(asset, (names = `${nameOf(asset.labelEn).toUpperCase()} ${nameOf(asset.labelFa)}`));
  return names;
}

/** The name of what is priced, without that of the quote unit. */
function nameOf(label: string): string {
  return label.slice(0, label.lastIndexOf(" / "));
}
