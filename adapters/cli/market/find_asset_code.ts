import { suggestAssets } from "../../../core/internal.ts";
import type { Asset } from "../../../core/mod.ts";
import { createAssetNames } from "../../intake/names/find_asset.ts";
import { wrongUsage } from "../command_failure.ts";

/** The asset with this code. Throws a usage failure if there is none. */
export function assetOf(code: string, assets: readonly Asset[]): Asset {
  const found = assets.find((asset) => asset.code === code);
  if (found) return found;
  const suggestion = suggestAssets(assets, code);
  const other = "mazaneh info lists the codes with records; codes of your own need --config";
  throw wrongUsage(`There is no asset "${code}"; ${suggestion === "" ? other : `did you mean ${suggestion}?`}`);
}

/**
 * The asset with this code or name, such as `دلار`. Throws a usage failure like `assetOf`, and also if the name belongs
 * to several assets, means a price in toman, or means several units of the base, such as `۱۰۰ ین`.
 */
export function assetNamed(text: string, assets: readonly Asset[]): Asset {
  const { codes, per, unit } = createAssetNames(assets).find(text);
  if (codes.length > 1) throw wrongUsage(`"${text}" does not name exactly one asset; it may be ${codes.join(" or ")}`);
  return assetOf(per === 1 && unit !== "toman" ? (codes[0] ?? text) : text, assets);
}
