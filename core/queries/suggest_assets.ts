import type { Asset, QuoteUnit } from "../market/assets.ts";

/** The units that other price services append to a code. Some services use a separator. */
const UNIT_SUFFIX = /(?:[_/-][A-Z]+|TMN|IRT|IRR|RLS|USDT?)$/;
const MAX_SUGGESTIONS = 3;
/** Kept, because an unknown code is looked up in all texts of a catalog. */
const TEXTS = /* @__PURE__ */ new WeakMap<Assets, Texts>();
const UNIT_NAMES: Readonly<Record<QuoteUnit, string>> = { RLS: "rial; 10 rial are 1 toman", USD: "US dollar" };

/** A list of assets, or a map of them. */
interface Assets {
  values(): Iterable<Asset>;
}

type Texts = ReturnType<typeof textsOf>;

/**
 * Suggests assets for an unknown code, such as `USD_RLS or CAD_RLS (rial; 10 rial are 1 toman)`; empty if there are
 * none. The unknown text may be a code in another case or with another unit, the beginning of a code, or a name.
 */
export function suggestAssets(catalog: Assets, text: string): string {
  // Arabic keyboards write the Persian yeh and kaf with other letters.
  const wanted = text.trim().toUpperCase().replaceAll("ي", "ی").replaceAll("ك", "ک");
  const base = wanted.replace(UNIT_SUFFIX, "") || wanted;
  const texts = TEXTS.get(catalog) ?? textsOf(catalog);
  TEXTS.set(catalog, texts);
  const { assets, all } = texts;
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
  const codes = assets.filter(({ quoteUnit }) => quoteUnit === unit).map(({ code }) => code);
  return `${codes.join(", ").replace(/, (?=\w+$)/, " or ")} (${UNIT_NAMES[unit]})`;
}

/** The searchable texts of a catalog. `all` has every code and name: a single search rules out most unknown texts. */
function textsOf(catalog: Assets) {
  const assets = Array.from(catalog.values(), (asset) => {
    return { ...asset, names: `${nameOf(asset.labelEn).toUpperCase()} ${nameOf(asset.labelFa)}` };
  });
  return { assets, all: assets.map(({ code, baseCode, names }) => `${code}\n${baseCode}\n${names}`).join("\n") };
}

/** The name of the base in a label. */
function nameOf(label: string): string {
  return label.slice(0, label.lastIndexOf(" / "));
}
