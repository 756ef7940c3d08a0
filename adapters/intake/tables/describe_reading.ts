import { indexesOf } from "./answers.ts";
import { assetsInWords, type NamedAsset } from "./asset_names.ts";
import { widthInWords } from "./candle_columns.ts";
import { nameKey } from "./clean_text.ts";
import type { Dialect, TableOptions } from "./detect_dialect.ts";
import { GIVEN } from "./detect_price_unit.ts";
import type { ColumnPlan } from "./plan_columns.ts";

/** Facts about a table that its description mentions. */
export interface TableFacts {
  /** The layout of the file, such as `CSV with tabs`, `Excel`, `NDJSON` and `JSON list "data"`. */
  readonly layout: string;
  readonly plan: ColumnPlan;
  /** The meanings of the codes in the first rows. */
  readonly named: ReadonlyMap<string, NamedAsset>;
  readonly dialect: Dialect;
  /** The line of the header: 0 for a table without a header, and 1 for objects. */
  readonly headerLine: number;
}

/**
 * Describes in one line how a file is read, such as `CSV with semicolons, value from "قیمت", Jalali calendar, dates at
 * 16:30 Asia/Tehran, values in rial`; `undefined` for the plain import format.
 */
export function describeReading(facts: TableFacts, options: TableOptions): string | undefined {
  const { layout, plan, named, dialect, headerLine } = facts;
  const { code } = options;
  const hour = new Date(options.dayAtMs ?? 0).toISOString().slice(11, 16);
  const { zone, dateOrder } = dialect.times;
  const { service } = plan;
  const names = [...named].filter(([name, asset]) => nameKey(name) !== nameKey(asset.code));
  const hasUnit = dialect.hasUnits || plan.unitColumn !== undefined || dialect.units.some((unit) => unit !== undefined);
  const values = plan.columns.includes("value") || plan.isWide;
  const parts = [
    headerLine === 0 ? "no header" : headerLine > 1 && `header in line ${headerLine}`,
    ...plan.renamed.map(([column, name]) => `${column} from "${name}"`),
    plan.clock !== undefined && `its hours from "${plan.names[plan.clock]!}"`,
    code !== undefined && `all of ${code}`,
    service && `names and units of ${service.name}`,
    names.length > 0 && `assets ${assetsInWords(names)}`,
    ...[...options.where].map(([name, text]) => `only rows whose "${name}" is "${text}"`),
    plan.isWide && `a column for each of ${assetsInWords(assetColumns(plan))}`,
    plan.candle &&
      `candles of ${widthInWords(dialect.candleMs)}, each as ${options.ohlc ? "four prices" : "its close"}`,
    dialect.hasJalali && "Jalali calendar",
    dialect.hasDates && `${plan.candle ? "days end" : "dates"} at ${hour} ${zone.name}`,
    dialect.hasLocalTimes && `times in ${zone.name}`,
    dateOrder && `${FIRST[dateOrder]} first`,
    dialect.marks.mark === "," && "decimal comma",
    dialect.hasSlashes && (dialect.marks.slash === "thousands" ? "slashes between thousands" : "decimal slash"),
  ].filter((part) => typeof part === "string");
  if (parts.length === 0 && !hasUnit && (layout === "CSV" || layout === "NDJSON")) return undefined;
  const numbering = layout.startsWith("JSON ") ? ", whose elements are counted as lines" : "";
  return [layout + numbering, ...parts, ...(values ? [unitInWords(facts, options)] : [])].join(", ");
}

const FIRST = { dmy: "day", mdy: "month", ymd: "year" } as const;

function unitInWords({ plan, named, dialect }: TableFacts, { code, unit: answer, context }: TableOptions): string {
  const [indexes, codes] = [indexesOf(context), code === undefined ? [...plan.codes, ...named.values()] : [code]];
  const known = codes.flatMap((one) => (typeof one === "object" ? one.code : (one ?? [])));
  if (known.length > 0 && known.every((one) => indexes.has(one))) return "values in points";
  if (plan.unitColumn !== undefined) return `values in the unit from column "${plan.names[plan.unitColumn]!}"`;
  if (dialect.hasUnits) return "values in the unit beside them";
  if ([...named.values()].some(({ unit }) => unit && unit.places > 0))
    return "values in the units from the names of assets, else in rial";
  const stated = dialect.units.filter((one) => one !== undefined);
  const first = dialect.units[plan.columns.indexOf("value")] ?? stated[0];
  if (first && stated.some(({ unit }) => unit.name !== first.unit.name))
    return "values in the units from the names of their columns";
  if (first) {
    const { name, places } = first.unit;
    const forRial = first.by === GIVEN && code === undefined ? " for codes that end in _RLS" : "";
    const source = answer === undefined ? `, as ${first.by} says` : "";
    const times = places === 1 ? "ten" : (10 ** places).toLocaleString("en-US");
    return `values in ${name}${forRial}${source}${places === 0 ? "" : `, stored as ${times} times as many rial`}`;
  }
  if (code === undefined) return dialect.hasRial ? "values in rial for codes that end in _RLS" : "values in US dollars";
  return code.endsWith("_USD") ? "values in US dollars" : "values in rial";
}

function assetColumns({ assets, codes, names }: ColumnPlan) {
  return codes.flatMap((code, at) => {
    return code === undefined ? [] : [[names[at]!, { code, per: assets[at]?.per ?? 1 }] as const];
  });
}
