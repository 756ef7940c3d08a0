import type { AssetCode } from "../branded_types.ts";
import { CRYPTO_NAMES, CURRENCY_NAMES, SINGLE_NAMES } from "./asset_names.ts";

/** Units of a value: Iranian rial or US dollar. Source: contract, Resources. */
export const QUOTE_UNITS = ["RLS", "USD"] as const;
/** The unit of an asset's values. */
export type QuoteUnit = (typeof QUOTE_UNITS)[number];

/** The categories: currencies, crypto, gold coins, gold by weight in rial, metals by the ounce, and the stock index. */
export const CATEGORIES = ["FX", "CRYPTO", "COIN", "GOLD", "METAL", "INDEX"] as const;
/** The category of an asset. */
export type Category = (typeof CATEGORIES)[number];

/** One row of the catalog. */
export interface Asset {
  /** Upper case. */
  readonly code: AssetCode;
  /** The code of the base: the asset's code without its quote suffix, or the whole code if it has no such suffix. */
  readonly baseCode: string;
  readonly category: Category;
  /** The unit of the asset's values. */
  readonly quoteUnit: QuoteUnit;
  /** `<base name> / <quote name>` in English. */
  readonly labelEn: string;
  /** `<base name> / <quote name>` in Persian. */
  readonly labelFa: string;
}

/** The input of `defineAsset`. The quote unit is `USD` for a code that ends in `_USD`, else `RLS`. */
export interface AssetDefinition {
  readonly code: string;
  readonly category: Category;
  readonly nameEn: string;
  readonly nameFa: string;
}

const CODE_PATTERN = /^[A-Z0-9][A-Z0-9_]{0,31}$/;

const QUOTE_NAMES: Readonly<Record<QuoteUnit, { readonly en: string; readonly fa: string }>> = {
  RLS: { en: "Iranian Rial", fa: "ریال ایران" },
  USD: { en: "US Dollar", fa: "دلار آمریکا" },
};

/** Makes a row of the catalog. Throws `RangeError` unless the code is 1 to 32 of `A-Z 0-9 _`, not starting with `_`. */
export function defineAsset({ code, category, nameEn, nameFa }: AssetDefinition): Asset {
  if (!CODE_PATTERN.test(code)) throw wrongCode("define asset", code);
  const quoteUnit = code.endsWith("_USD") ? "USD" : "RLS";
  const quote = QUOTE_NAMES[quoteUnit];
  return Object.freeze({
    code: code as AssetCode, // checked above; no other function turns a text into a code
    baseCode: code.replace(/_(RLS|USD)$/, ""),
    category,
    quoteUnit,
    labelEn: `${nameEn} / ${quote.en}`,
    labelFa: `${nameFa} / ${quote.fa}`,
  });
}

/** The contract's assets, in the contract's order. Source: contract, "Supported asset codes". */
export const ASSETS: readonly Asset[] = /* @__PURE__ */ contractAssets(); // marked pure, so that bundlers can drop it

/** Indexes a catalog by code, in catalog order. Throws `RangeError` for an invalid code and for a repeated code. */
export function indexAssets(assets: readonly Asset[]): ReadonlyMap<string, Asset> {
  const index = new Map<string, Asset>();
  for (const asset of assets) {
    // Checked again, because callers in plain JavaScript may not have used `defineAsset`.
    if (!CODE_PATTERN.test(asset.code)) throw wrongCode("index assets", asset.code);
    if (index.has(asset.code))
      throw new RangeError(`Cannot index assets because each code must occur once: received "${asset.code}" twice`);
    index.set(asset.code, asset);
  }
  return index;
}

function contractAssets(): readonly Asset[] {
  return Object.freeze([
    ...SINGLE_NAMES.map(([code, category, nameEn, nameFa]) => defineAsset({ code, category, nameEn, nameFa })),
    ...CURRENCY_NAMES.map(([base, nameEn, nameFa]) =>
      defineAsset({ code: `${base}_RLS`, category: "FX", nameEn, nameFa }),
    ),
    ...CRYPTO_NAMES.flatMap(([base, nameEn, nameFa]) => [
      defineAsset({ code: `${base}_USD`, category: "CRYPTO", nameEn, nameFa }),
      defineAsset({ code: `${base}_RLS`, category: "CRYPTO", nameEn, nameFa }),
    ]),
  ]);
}

function wrongCode(attempt: string, code: string): RangeError {
  return new RangeError(`Cannot ${attempt} because a code must match ${CODE_PATTERN.source}: received "${code}"`);
}
