import { basename, extname } from "node:path";
import { PRICE_SERVICES, findService } from "../../../core/internal.ts";
import type { AssetNames, FoundAsset, NamedUnit, PriceService } from "../../../core/internal.ts";
import { shellWord } from "../store_options.ts";
import type { Need } from "./needs.ts";

/** What a name says of the values beside or below it, besides the asset. */
export type Told = Pick<FoundAsset, "per" | "unit">;

/** The asset of a name, with the need to say which if it has several. */
export interface NamedAsset extends Told {
  readonly code: string;
  readonly need?: Need;
}

/** What decides on names: the catalog and added names, the service of the table, and the unit that the table tells of its values. */
export interface NameContext {
  readonly names: AssetNames;
  readonly service?: PriceService | undefined;
  readonly unit?: NamedUnit | undefined;
}

/** The service of a table, as far as its names tell, and what they leave open. */
export interface ServiceReading {
  readonly service: PriceService | undefined;
  readonly needs: readonly Need[];
}

/** Of several assets with a name, those that it means most often; of a coin, the one in dollars otherwise. */
const LIKELIEST: ReadonlySet<string> = new Set(["USDT_RLS", "IQD_RLS", "SEK_RLS"]);
const GLUED_IRT = /^\w+[a-z0-9]irt$/i;

/** The asset of a name, of several the likeliest; `undefined` for a name of none. */
export function assetOf(name: string, { names, service, unit: valueUnit }: NameContext): NamedAsset | undefined {
  const { codes: all, per, unit } = names.find(name, service);
  const fitting = all.filter((one) => valueUnit === undefined || one.endsWith("_USD") === (valueUnit === "usd"));
  const codes = fitting.length > 0 ? fitting : all;
  const code = codes.find((one) => LIKELIEST.has(one)) ?? codes[0];
  if (code === undefined) return undefined;
  if (codes.length === 1) return { code, per, unit };
  const meanings = codes.map((one) => (one.endsWith("_USD") ? `${one} (US dollar)` : one));
  return { code, per, unit, need: { option: `--names ${shellWord(`${name.trim()}=${code}`)}`, reason: `"${name.trim()}" may be ${meanings.join(" or ")}` } };
}

/** Finds the service of a table by the names in it. `IRT` alone tells none: it is rial on Nobitex and toman everywhere else. */
export function serviceOf(texts: readonly string[], { names, unit }: { readonly names: AssetNames; readonly unit?: "rial" | "toman" }): ServiceReading {
  const service = findService(texts);
  const irt = service ? undefined : texts.find((text) => GLUED_IRT.test(text.trim()) && names.find(text).codes.length > 0);
  if (irt === undefined || unit === "toman") return { service, needs: [] };
  const nobitex = PRICE_SERVICES.find(({ name }) => name === "nobitex");
  const need = { option: "--unit rial", reason: `"${irt.trim()}" is in rial if it is from Nobitex, and in toman (--unit toman) if not` };
  return { service: nobitex, needs: unit === "rial" ? [] : [need] };
}

/** The asset that a file is named after. */
export function assetOfFile(file: string, names: AssetNames): string | undefined {
  const { codes } = names.find(basename(file, extname(file)));
  return codes.length === 1 ? codes[0] : undefined;
}

/** What a service does to values, e.g. `tgju, JPY per 100`. */
export function serviceInWords({ name, per }: PriceService): string {
  return [`names and units of ${name}`, ...Object.entries(per).map(([base, count]) => `${base} per ${count}`)].join(", ");
}
