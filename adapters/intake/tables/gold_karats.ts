import type { AssetNames } from "../names/find_asset.ts";
import { cleanText, nameKey } from "./clean_text.ts";

/** Names of columns that say how fine gold is. */
const NAMES: readonly string[] = ["عیار", "عیارطلا", "karat", "carat", "purity", "fineness"];
/** The asset of each fineness, in karats or in thousandths. */
const CODES = new Map(["18", "750"].map((text) => [text, "GOLD_18_RLS"]));
for (const text of ["24", "999"]) CODES.set(text, "GOLD_24_RLS");

/** The column that says how fine gold is; -1 for none. */
export function karatColumn(names: readonly string[]): number {
  return names.findIndex((name) => NAMES.includes(nameKey(name)));
}

/** The code of a gram of gold that is so fine; `undefined` where the catalog has none. */
export function codeOfKarat(cell: unknown): string | undefined {
  return CODES.get(/\d+/.exec(cleanText(String(cell ?? "")))?.[0] ?? "");
}

/** The cells of a row in which the fineness, where there is one, says which gold it is of. What the catalog does not have keeps its fineness, and is no asset. */
export function withKarat(
  cells: readonly unknown[],
  { code, karat, names }: { readonly code: number; readonly karat: number; readonly names: AssetNames },
): readonly unknown[] {
  if (code === -1 || karat === -1) return cells; // As in most tables.
  const [name, text] = [String(cells[code] ?? ""), String(cells[karat] ?? "").trim()];
  const isGram = names.find(name).codes.some((one) => one === "GOLD_18_RLS" || one === "GOLD_24_RLS");
  if (text === "" || (code !== karat && !isGram)) return cells;
  return cells.with(code, codeOfKarat(text) ?? (code === karat ? text : `${name} ${text}`));
}
