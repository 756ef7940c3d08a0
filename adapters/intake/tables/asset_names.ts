import { PRICE_SERVICES, type PriceService } from "../names/alias_table.ts";
import { type AssetNames, findService } from "../names/find_asset.ts";
import { nameKey } from "./clean_text.ts";
import { type Unit, type UnitAnswer, unitOfWord } from "./detect_price_unit.ts";
import type { OpenQuestion } from "./open_questions.ts";

/** The meaning of an asset's name in a table. */
export interface NamedAsset {
  /** The code. For an ambiguous name, the most likely code. */
  readonly code: string;
  /** How many units a price is for: a power of ten. */
  readonly per: number;
  /** The unit of the values, if the name states one. */
  readonly unit: Unit | undefined;
  /** The question about an ambiguous name. */
  readonly question?: OpenQuestion;
}

/** The names of the catalog, the service of the table, and the quote unit of the values if it is known. */
export interface NameContext {
  readonly names: AssetNames;
  readonly service: PriceService | undefined;
  readonly quote?: Unit["quote"] | undefined;
}

/** The most likely assets for some ambiguous names. For the others, the asset in dollars is the most likely. */
const LIKELIEST: ReadonlySet<string> = new Set(["USDT_RLS", "IQD_RLS", "SEK_RLS"]);
const GLUED_IRT = /^\w+[a-z0-9]irt$/i;

/** Returns the asset that a name means; `undefined` for none. */
export function assetOf(name: string, { names, service, quote }: NameContext): NamedAsset | undefined {
  const { codes: all, per, unit } = names.find(name, service);
  const fitting = all.filter((one) => quote === undefined || one.endsWith("_USD") === (quote === "USD"));
  const codes = fitting.length > 0 ? fitting : all;
  const code = codes.find((one) => LIKELIEST.has(one)) ?? codes[0];
  if (code === undefined) return undefined;
  const asset = { code, per, unit: unit && unitOfWord(unit) };
  if (codes.length === 1) return asset;
  const meanings = codes.map((one) => (one.endsWith("_USD") ? `${one} (US dollar)` : one));
  const reason = `"${name.trim()}" may be ${meanings.join(" or ")}`;
  return { ...asset, question: { set: { names: { [name.trim()]: code } }, reason } };
}

/** Finds a table's service by its names. `IRT` raises a question: it means rial on Nobitex and toman elsewhere. */
export function serviceOf(
  texts: readonly string[],
  { names, unit }: { readonly names: AssetNames; readonly unit?: UnitAnswer | undefined },
): { readonly service: PriceService | undefined; readonly questions: readonly OpenQuestion[] } {
  const service = findService(texts);
  const irt = service
    ? undefined
    : texts.find((text) => GLUED_IRT.test(text.trim()) && names.find(text).codes.length > 0);
  if (irt === undefined || unit?.endsWith("toman")) return { service, questions: [] };
  const nobitex = PRICE_SERVICES.find(({ name }) => name === "nobitex");
  const question = {
    set: { unit: "rial" },
    otherwise: { unit: "toman" },
    reason: `"${irt.trim()}" is in rial if it is from Nobitex`,
  } as const;
  return { service: nobitex, questions: unit === undefined ? [question] : [] };
}

/** The first five assets in words. */
export function assetsInWords(
  assets: readonly (readonly [name: string, asset: Pick<NamedAsset, "code" | "per">])[],
): string {
  const texts = assets.map(
    ([name, { code, per }]) =>
      `${code}${per === 1 ? "" : ` per ${per}`}${nameKey(name) === nameKey(code) ? "" : ` ("${name}")`}`,
  );
  return texts.slice(0, 5).join(", ") + (texts.length > 5 ? ` and ${texts.length - 5} more` : "");
}
