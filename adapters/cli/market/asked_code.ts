import { suggestAssets } from "../../../core/internal.ts";
import type { Asset } from "../../../core/mod.ts";
import { wrongUsage } from "../failure.ts";

/** The catalog in force, and the command line that starts this program. */
export interface CodeSearch {
  readonly assets: readonly Asset[];
  readonly program: string;
}

/** The asset with the code that an option gave. Throws a usage failure for a code that the catalog does not have. */
export function assetOfOption(code: string, search: CodeSearch): Asset {
  return search.assets.find((asset) => asset.code === code) ?? refuse(`--code must be one of the catalog: received "${code}"`, code, search);
}

/** The asset with the code that an operand gave. Throws a usage failure for a code that the catalog does not have. */
export function assetOfOperand(code: string, search: CodeSearch): Asset {
  return search.assets.find((asset) => asset.code === code) ?? refuse(`There is no asset "${code}"`, code, search);
}

function refuse(message: string, code: string, { assets, program }: CodeSearch): never {
  const suggestion = suggestAssets(assets, code);
  const help = suggestion === "" ? `${program} info lists the codes with records; codes of your own need --config` : `did you mean ${suggestion}?`;
  throw wrongUsage(`${message}; ${help}`);
}
