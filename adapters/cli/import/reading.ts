import { nameKey } from "./clean_text.ts";
import type { ColumnPlan } from "./columns.ts";
import type { Dialect, FormatOptions } from "./dialect.ts";

/** How a file is laid out. */
export type Layout = "CSV" | "CSV with semicolons" | "CSV with tabs" | "NDJSON" | "JSON array";

/** What was found out about a file. */
export interface Finding {
  readonly layout: Layout;
  readonly plan: ColumnPlan;
  readonly dialect: Dialect;
  /** The number of the line that holds the header; 1 where there is none. */
  readonly headerLine: number;
}

/**
 * Tells in one line how a file is read, e.g. `CSV with semicolons, value from "قیمت", Jalali dates at 16:30 Asia/Tehran,
 * values in rial`; `undefined` for a file in the plain import format, of which nothing was guessed.
 */
export function describeReading({ layout, plan, dialect, headerLine }: Finding, options: FormatOptions): string | undefined {
  const { code, wide, zone, calendar, dayAtMs } = options;
  const jalali = calendar === "jalali" ? "Jalali " : "";
  const hasUnit = dialect.hasUnits || plan.unitColumn !== undefined || dialect.units.some((unit) => unit !== undefined);
  const values = plan.columns.includes("value") || wide;
  const parts = [
    headerLine > 1 && `header in line ${headerLine}`,
    ...plan.renamed.map(([column, name]) => `${column} from "${name}"`),
    code !== undefined && `all of ${code}`,
    wide && `a column for each of ${assetsInWords(plan)}`,
    dialect.hasDates && dayAtMs !== undefined && `${jalali}dates at ${clockInWords(dayAtMs)} ${zone.name}`,
    dialect.hasLocalTimes && `${jalali}times ${dialect.hasZonedTimes ? "without a zone in" : "of"} ${zone.name}`,
    !dialect.hasDates && !dialect.hasLocalTimes && jalali !== "" && "Jalali times",
    dialect.dateOrder !== undefined && `${dialect.dateOrder === "dmy" ? "day" : "month"} first`,
    dialect.decimal === "," && "decimal comma",
    dialect.decimal === "." && dialect.hasCommas && "commas between thousands",
  ].filter((part) => typeof part === "string");
  if (parts.length === 0 && !hasUnit && (layout === "CSV" || layout === "NDJSON")) return undefined;
  const numbering = layout === "JSON array" ? ", whose elements are counted as lines" : "";
  return [layout + numbering, ...parts, ...(values ? [unitInWords({ plan, dialect }, options)] : [])].join(", ");
}

/** A time of day as `16:30`. */
export function clockInWords(timeOfDayMs: number): string {
  return new Date(timeOfDayMs).toISOString().slice(11, 16);
}

function unitInWords({ plan, dialect }: Pick<Finding, "plan" | "dialect">, { code, unit: option }: FormatOptions): string {
  if (plan.unitColumn !== undefined) return `values in the unit that column "${plan.names[plan.unitColumn]!}" says`;
  if (dialect.hasUnits) return "values in the unit beside them";
  const stated = dialect.units.filter((one) => one !== undefined);
  const [first] = stated;
  if (first && stated.some(({ unit }) => unit.name !== first.unit.name)) return "values in the units that the names of their columns say";
  if (first) {
    const { name, places } = first.unit;
    const times = places === 1 ? "ten" : (10 ** places).toLocaleString("en-US");
    return `values in ${name}${option === undefined ? `, as ${first.by} says` : ""}${places === 0 ? "" : `, stored as ${times} times as many rial`}`;
  }
  if (code === undefined) return dialect.hasRial ? "values in rial for codes that end in _RLS" : "values in US dollars";
  return code.endsWith("_USD") ? "values in US dollars" : "values in rial";
}

const LISTED_ASSETS = 5;

function assetsInWords({ codes, names }: ColumnPlan): string {
  const assets = codes.flatMap((code, at) => {
    return code === undefined ? [] : [nameKey(code) === nameKey(names[at]!) ? code : `${code} ("${names[at]!}")`];
  });
  const more = assets.length - LISTED_ASSETS;
  return assets.slice(0, LISTED_ASSETS).join(", ") + (more > 0 ? ` and ${more} more` : "");
}
