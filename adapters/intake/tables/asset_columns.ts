import { ok } from "../../../core/internal.ts";
import { assetOf, type NameContext } from "./asset_names.ts";
import { CANDLE_COLUMNS } from "./candle_columns.ts";
import { quoted } from "./clean_text.ts";
import { mapping, placeOf } from "./column_names.ts";
import type { TableOptions } from "./detect_dialect.ts";
import type { OpenQuestion, ReadResult } from "./open_questions.ts";
import type { ColumnPlan } from "./plan_columns.ts";
import { COLUMNS, type Column } from "./record_columns.ts";

/** How the name of a column with buying prices ends. The column with selling prices has only the asset's name. */
const BUYING = /(?<![\s_(-])[\s_(-]+(?:buy|bid|kharid|خرید)\)?$/i;

/**
 * The codes of the columns of a wide table.
 *
 * @param header The names as written and as compared, and the assets that they name.
 */
export function assetColumns(
  { names, keys, assets }: Pick<ColumnPlan, "names" | "assets"> & { readonly keys: readonly string[] },
  columns: readonly (Column | undefined)[],
  map: TableOptions["map"],
): ReadResult<ColumnPlan["codes"]> {
  const codes = assets.map((asset, at) =>
    asset && columns[at] === undefined && !map.has(asset.code) ? asset.code : undefined,
  );
  for (const [code, name] of map) {
    if ([...COLUMNS, ...CANDLE_COLUMNS].some((column) => column === code)) continue;
    const at = placeOf(name, names, keys);
    if (!at.ok) return at;
    codes[at.value] = code;
  }
  return ok(codes);
}

/** The questions about a wide table without columns for assets, or with several columns for one asset. */
export function assetQuestions(
  names: readonly string[],
  codes: readonly (string | undefined)[],
  options: TableOptions & NameContext,
): readonly OpenQuestion[] {
  if (codes.every((code) => code === undefined))
    return [{ set: {}, missing: "asset", reason: `no column of its header ${quoted(names.join(","))} is an asset` }];
  return codes.flatMap((code, at) => {
    if (code === undefined) return [];
    const isTwice = codes.indexOf(code) === at && codes.lastIndexOf(code) !== at;
    const buying = names.find((name) => BUYING.test(name) && assetOf(name.replace(BUYING, ""), options)?.code === code);
    const isBeside = buying !== undefined && buying !== names[at] && !options.map.has(code);
    if (!isTwice && !isBeside) return [];
    const more = buying === undefined ? "" : `: "${buying}" as well`;
    return [{ ...mapping(code, names[at]!), reason: `its header has two columns for ${code}${more}` }];
  });
}
