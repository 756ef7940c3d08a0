import type { PageAsset } from "../../page_settings.ts";

const MOST = 5;

/**
 * The assets that a mistyped code may mean, at most five: those whose code is the same in capitals and with `_`, then
 * those with the same base, then those that begin alike.
 */
export function similarAssets(text: string, assets: readonly PageAsset[]): PageAsset[] {
  const wanted = text.toUpperCase().replace(/[^A-Z0-9]+/g, "_");
  const [base = ""] = wanted.split("_");
  const ranked = assets.map((asset) => ({ asset, rank: rankOf(asset, wanted, base) })).filter(({ rank }) => rank > 0);
  return ranked
    .sort((a, b) => b.rank - a.rank) // stable, so assets of one rank stay in catalog order
    .slice(0, MOST)
    .map(({ asset }) => asset);
}

function rankOf({ code, baseCode }: PageAsset, wanted: string, base: string): number {
  if (code === wanted) return 4;
  if (code.replaceAll("_", "") === wanted.replaceAll("_", "")) return 3;
  if (base !== "" && baseCode === base) return 2;
  return base.length >= 2 && code.startsWith(base.slice(0, 2)) ? 1 : 0;
}
