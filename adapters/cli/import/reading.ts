import { serviceInWords } from "./asset_names.ts";
import type { NamedAsset } from "./asset_names.ts";
import { nameKey } from "./clean_text.ts";
import type { ColumnPlan } from "./columns.ts";
import type { Dialect, FormatOptions } from "./dialect.ts";

/** How a file is laid out. */
export type Layout = "CSV" | "CSV with semicolons" | "CSV with tabs" | "NDJSON" | "JSON array";

/** What was found out about a file. */
export interface Finding {
  readonly layout: Layout;
  readonly plan: ColumnPlan;
  /** What the codes in the first rows mean. */
  readonly named: ReadonlyMap<string, NamedAsset>;
  readonly dialect: Dialect;
  /** The number of the line that holds the header; 1 where there is none. */
  readonly headerLine: number;
}

/**
 * Tells in one line how a file is read, e.g. `CSV with semicolons, value from "قیمت", Jalali dates at 16:30 Asia/Tehran,
 * values in rial`; `undefined` for a file in the plain import format, of which nothing was guessed.
 */
export function describeReading({ layout, plan, named, dialect, headerLine }: Finding, options: FormatOptions): string | undefined {
  const { code, zone, calendar, dayAtMs } = options;
  const { service, isWide } = plan;
  const renamed = [...named].filter(([name, asset]) => nameKey(name) !== nameKey(asset.code));
  const unit = unitOf([...named.values(), ...plan.codes.flatMap((asset, at) => (asset === undefined ? [] : [{ code: asset, unit: plan.told[at]?.unit }]))], options);
  const jalali = calendar === "jalali" ? "Jalali " : "";
  const values = plan.columns.includes("value") || isWide;
  const parts = [
    headerLine > 1 && `header in line ${headerLine}`,
    ...plan.renamed.map(([column, name]) => `${column} from "${name}"`),
    code !== undefined && `all of ${code}`,
    service && serviceInWords(service),
    renamed.length > 0 && listed(renamed.map(([name, asset]) => `"${name}" as ${scaled(asset.code, asset.per)}`)),
    isWide && `a column for each of ${assetsInWords(plan)}`,
    dialect.hasDates && dayAtMs !== undefined && `${jalali}dates at ${clockInWords(dayAtMs)} ${zone.name}`,
    dialect.hasLocalTimes && `${jalali}times ${dialect.hasZonedTimes ? "without a zone in" : "of"} ${zone.name}`,
    !dialect.hasDates && !dialect.hasLocalTimes && jalali !== "" && "Jalali times",
    dialect.dateOrder !== undefined && `${dialect.dateOrder === "dmy" ? "day" : "month"} first`,
    dialect.decimal === "," && "decimal comma",
    dialect.decimal === "." && dialect.hasCommas && "commas between thousands",
  ].filter((part) => typeof part === "string");
  if (parts.length === 0 && unit === undefined && (layout === "CSV" || layout === "NDJSON")) return undefined;
  const numbering = layout === "JSON array" ? ", whose elements are counted as lines" : "";
  return [layout + numbering, ...parts, ...(values ? [unitInWords(unit, code, dialect.hasRial)] : [])].join(", ");
}

/** A time of day as `16:30`. */
export function clockInWords(timeOfDayMs: number): string {
  return new Date(timeOfDayMs).toISOString().slice(11, 16);
}

/** The unit of values of codes that end in `_RLS`; `mixed` where names tell different ones. */
function unitOf(assets: readonly Pick<NamedAsset, "code" | "unit">[], { unit }: FormatOptions): FormatOptions["unit"] | "mixed" {
  const units = new Set(assets.filter(({ code }) => code.endsWith("_RLS")).map((asset) => asset.unit ?? unit ?? "rial"));
  if (!units.has("toman")) return unit;
  return units.size > 1 ? "mixed" : "toman";
}

function scaled(code: string, per: number): string {
  return per === 1 ? code : `${code} per ${per}`;
}

function unitInWords(unit: ReturnType<typeof unitOf>, code: string | undefined, hasRial: boolean): string {
  if (unit === "mixed") return "values in toman or rial, as the names say";
  if (unit === "toman") return "values in toman, stored as ten times as many rial";
  if (code === undefined) return hasRial ? "values in rial for codes that end in _RLS" : "values in US dollars";
  return code.endsWith("_USD") ? "values in US dollars" : "values in rial";
}

const LISTED_ASSETS = 5;

function assetsInWords({ codes, names, told }: ColumnPlan): string {
  const assets = codes.flatMap((code, at) => {
    const { per = 1 } = told[at] ?? {};
    return code === undefined ? [] : [nameKey(code) === nameKey(names[at]!) ? code : `${scaled(code, per)} ("${names[at]!}")`];
  });
  return listed(assets);
}

function listed(assets: readonly string[]): string {
  const more = assets.length - LISTED_ASSETS;
  return assets.slice(0, LISTED_ASSETS).join(", ") + (more > 0 ? ` and ${more} more` : "");
}
