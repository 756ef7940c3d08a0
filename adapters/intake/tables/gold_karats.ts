import type { AssetNames } from "../names/find_asset.ts";
import { keysByWord } from "../names/words.ts";
import { cleanText, nameKey } from "./clean_text.ts";
import type { Cells } from "./record_columns.ts";

const NAMES: readonly string[] = ["عیار", "عیارطلا", "karat", "carat", "purity", "fineness"];
const CODES = keysByWord({ GOLD_18_RLS: "18 750", GOLD_24_RLS: "24 999" });

/** The place of the column with the fineness of gold; -1 for none. */
export function karatColumn(names: readonly string[]): number {
  return names.findIndex((name) => NAMES.includes(nameKey(name)));
}

/** The code of a gram of gold of this fineness, if the catalog has it. */
export function codeOfKarat(cell: unknown): string | undefined {
  return CODES.get(/\d+/.exec(cleanText(String(cell ?? "")))?.[0] ?? "");
}

/** Adds the fineness to a row's asset. Returns a catalog code if there is one, otherwise a text that names no asset. */
export function withKarat(
  cells: Cells,
  { code, karat, names }: { readonly code: number; readonly karat: number; readonly names: AssetNames },
): readonly unknown[] {
  if (code === -1 || karat === -1) return cells;
  const [name, text] = [String(cells[code] ?? ""), String(cells[karat] ?? "").trim()];
  const isGram = names.find(name).codes.some((one) => one === "GOLD_18_RLS" || one === "GOLD_24_RLS");
  if (text === "" || (code !== karat && !isGram)) return cells;
  return cells.with(code, codeOfKarat(text) ?? (code === karat ? text : `${name} ${text}`));
}
