// Which assets of the catalog a request asks for, by code or by filter: for the routes and the calls of createPrices.

import { type Failure, failure, quote } from "../http/errors.ts";
import { type Asset, CATEGORIES, QUOTE_UNITS } from "../market/assets.ts";
import { err, ok, type Result } from "../result.ts";
import { suggestAssets } from "./suggest_assets.ts";

/** The assets of a catalog, by code, in their order. */
export interface Catalog {
  readonly assets: ReadonlyMap<string, Asset>;
}

/** Filters of the catalog; an absent one matches all assets. */
interface Filters {
  readonly category: string | undefined;
  readonly quoteUnit: string | undefined;
}

/** The asset with a code, or the failure that there is none. */
export function findAsset(catalog: Catalog, code: string): Result<Asset, Failure> {
  const asset = catalog.assets.get(code);
  return asset ? ok(asset) : err(failure("ASSET_NOT_FOUND", unknownCode(catalog, code)));
}

/** The assets with these codes, each once and in catalog order. Fails if there are no codes, or if one is empty or unknown. */
export function findAssets(catalog: Catalog, codes: readonly string[]): Result<readonly Asset[], Failure> {
  if (codes.length === 0) return err(failure("INVALID_CODES"));
  for (const code of codes) {
    if (code === "") return err(failure("INVALID_CODES"));
    if (!catalog.assets.has(code)) return err(failure("INVALID_CODES", unknownCode(catalog, code)));
  }
  const wanted = new Set(codes);
  return ok([...catalog.assets.values()].filter((asset) => wanted.has(asset.code)));
}

/** The assets that pass all filters, in catalog order. Fails for a filter that names no category or unit. */
export function filterAssets(catalog: Catalog, { category, quoteUnit }: Filters): Result<readonly Asset[], Failure> {
  const fault = filterFailure("category", category, CATEGORIES) ?? filterFailure("quoteUnit", quoteUnit, QUOTE_UNITS);
  if (fault) return err(fault);
  return ok(
    [...catalog.assets.values()].filter(
      (asset) => passes(asset.category, category) && passes(asset.quoteUnit, quoteUnit),
    ),
  );
}

/** The message for a code that is not in the catalog. It names the codes that may have been meant. */
function unknownCode({ assets }: Catalog, code: string): string {
  const suggestion = suggestAssets(assets, code);
  const help = suggestion === "" ? "GET /api/v1/assets/supported lists all codes" : `did you mean ${suggestion}?`;
  return `There is no asset ${quote(code)}; ${help}`;
}

function filterFailure(name: string, value: string | undefined, known: readonly string[]): Failure | undefined {
  if (value === undefined || known.includes(value)) return undefined;
  return failure("INVALID_FILTER", `${name} is one of ${known.join(", ")}: received ${quote(value)}`);
}

function passes(value: string, filter: string | undefined): boolean {
  return filter === undefined || value === filter;
}
