import { PRICE_SERVICES, type PriceService } from "../names/alias_table.ts";
import { type AssetNames, findService } from "../names/find_asset.ts";
import { type Unit, type UnitAnswer, unitOfWord } from "./detect_price_unit.ts";
import type { OpenQuestion } from "./open_questions.ts";

/** An asset as a table names it. */
export interface NamedAsset {
  /** Its code; the likeliest one, where the name has several meanings. */
  readonly code: string;
  /** How many of the base a value is for: a power of ten. */
  readonly per: number;
  /** The unit of values that the name tells. */
  readonly unit: Unit | undefined;
  /** Which meaning is to be said, if it has several. */
  readonly question?: OpenQuestion;
}

/** What decides on names: the catalog and added names, the service of the table, and the quote unit of its values where that is known. */
export interface NameContext {
  readonly names: AssetNames;
  readonly service: PriceService | undefined;
  readonly quote?: Unit["quote"] | undefined;
}

/** Of several assets with a name, those that it means most often; of a coin, the one in dollars otherwise. */
const LIKELIEST: ReadonlySet<string> = new Set(["USDT_RLS", "IQD_RLS", "SEK_RLS"]);
const GLUED_IRT = /^\w+[a-z0-9]irt$/i;

/** The asset of a name; `undefined` for a name of none. */
export function assetOf(name: string, { names, service, quote }: NameContext): NamedAsset | undefined {
  const { codes: all, per, unit } = names.find(name, service);
  const fitting = all.filter((one) => quote === undefined || one.endsWith("_USD") === (quote === "USD"));
  const codes = fitting.length > 0 ? fitting : all;
  const code = codes.find((one) => LIKELIEST.has(one)) ?? codes[0];
  if (code === undefined) return undefined;
  const asset = { code, per, unit: unit && unitOfWord(unit) };
  if (codes.length === 1) return asset;
  const meanings = codes.map((one) => (one.endsWith("_USD") ? `${one} (US dollar)` : one));
  return {
    ...asset,
    question: {
      set: { names: { [name.trim()]: code } },
      reason: `"${name.trim()}" may be ${meanings.join(" or ")}`,
    },
  };
}

/** Finds the service of a table by the names in it, and what they leave open: `IRT` is rial on Nobitex and toman everywhere else. */
export function serviceOf(
  texts: readonly string[],
  { names, unit }: { readonly names: AssetNames; readonly unit?: UnitAnswer },
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

/** What a service does to values, e.g. `names and units of tgju, JPY per 100`. */
export function serviceInWords({ name, per }: PriceService): string {
  return [`names and units of ${name}`, ...Object.entries(per).map(([base, count]) => `${base} per ${count}`)].join(
    ", ",
  );
}

/** Assets in a line that is no longer than it can be read. */
export function assetsInWords(
  assets: readonly (readonly [name: string, asset: Pick<NamedAsset, "code" | "per">])[],
): string {
  const texts = assets.map(
    ([name, { code, per }]) => `${code}${per === 1 ? "" : ` per ${per}`}${name === code ? "" : ` ("${name}")`}`,
  );
  const more = texts.length - LISTED_ASSETS;
  return texts.slice(0, LISTED_ASSETS).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

const LISTED_ASSETS = 5;
