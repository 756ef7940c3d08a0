// Finds the assets that a request asks for, by code or by filter. Used by the routes and by createPrices.

import { type Failure, failure, quote } from "../http/errors.ts";
import { type Asset, CATEGORIES, QUOTE_UNITS } from "../market/assets.ts";
import { err, ok, type Result } from "../result.ts";
import type { PriceContext } from "./price_settings.ts";
import { suggestAssets } from "./suggest_assets.ts";

type Catalog = Pick<PriceContext, "assets">;

/** Filters of the catalog. An absent filter matches all assets. */
type Filters = Readonly<Record<"category" | "quoteUnit", string | undefined>>;

/** The asset with a code. Fails for an unknown code. */
export function findAsset(catalog: Catalog, code: string): Result<Asset, Failure> {
  const asset = catalog.assets.get(code);
  return asset ? ok(asset) : err(failure("ASSET_NOT_FOUND", unknownCode(catalog, code)));
}

/** The assets with these codes, each once, in catalog order. Fails for an empty list, or an empty or unknown code. */
export function findAssets(catalog: Catalog, codes: readonly string[]): Result<readonly Asset[], Failure> {
  if (codes.length === 0) return err(failure("INVALID_CODES"));
  for (const code of codes) {
    if (code === "") return err(failure("INVALID_CODES"));
    if (!catalog.assets.has(code)) return err(failure("INVALID_CODES", unknownCode(catalog, code)));
  }
  const wanted = new Set(codes);
  return ok([...catalog.assets.values()].filter((asset) => wanted.has(asset.code)));
}

/** The assets that match all filters, in catalog order. Fails for an unknown category or unit. */
export function filterAssets(catalog: Catalog, { category, quoteUnit }: Filters): Result<readonly Asset[], Failure> {
  const fault = filterFailure("category", category, CATEGORIES) ?? filterFailure("quoteUnit", quoteUnit, QUOTE_UNITS);
  if (fault) return err(fault);
  const assets = [...catalog.assets.values()].filter((asset) => asset.category === (category ?? asset.category));
  return ok(assets.filter((asset) => asset.quoteUnit === (quoteUnit ?? asset.quoteUnit)));
}

/** The message for an unknown code. Suggests the codes that the caller may have meant. */
function unknownCode({ assets }: Catalog, code: string): string {
  const suggestion = suggestAssets(assets, code);
  const help = suggestion === "" ? "GET /api/v1/assets/supported lists all codes" : `did you mean ${suggestion}?`;
  return `There is no asset ${quote(code)}; ${help}`;
}

function filterFailure(name: string, value: string | undefined, known: readonly string[]): Failure | undefined {
  if (value === undefined || known.includes(value)) return undefined;
  return failure("INVALID_FILTER", `${name} is one of ${known.join(", ")}: received ${quote(value)}`);
}
