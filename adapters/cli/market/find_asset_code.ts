import { suggestAssets } from "../../../core/internal.ts";
import type { Asset } from "../../../core/mod.ts";
import { createAssetNames } from "../../intake/names/find_asset.ts";
import { wrongUsage } from "../command_failure.ts";

/** The catalog, and the command line that starts this program. */
export interface CodeSearch {
  readonly assets: readonly Asset[];
  readonly program: string;
}

/** The asset with this code. If there is none, throws a usage failure whose message begins with `problem`. */
export function assetOf(code: string, { assets, program }: CodeSearch, problem: string): Asset {
  const found = assets.find((asset) => asset.code === code);
  if (found) return found;
  const suggestion = suggestAssets(assets, code);
  if (suggestion !== "") throw wrongUsage(`${problem}; did you mean ${suggestion}?`);
  throw wrongUsage(`${problem}; ${program} info lists the codes with records; codes of your own need --config`);
}

/**
 * The asset with this code or name, such as `دلار`. Throws a usage failure like `assetOf`, and also if the name belongs
 * to several assets, means a price in toman, or means several units of the base, such as `۱۰۰ ین`.
 */
export function assetNamed(text: string, search: CodeSearch, problem: string): Asset {
  const { codes, per, unit } = createAssetNames(search.assets).find(text);
  if (codes.length > 1) throw wrongUsage(`${problem}; it may be ${codes.join(" or ")}`);
  return assetOf(per === 1 && unit !== "toman" ? (codes[0] ?? text) : text, search, problem);
}

/** The asset that `--code` names. */
export function assetOfOption(code: string, search: CodeSearch): Asset {
  return assetOf(code, search, `--code must be one of the catalog: received "${code}"`);
}
