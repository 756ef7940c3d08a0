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
 * Describes in one line how a file is read, such as `CSV with semicolons, value from "قیمت", Jalali dates at 16:30
 * Asia/Tehran, values in rial`; `undefined` for the plain import format.
 */
export function describeReading(facts: TableFacts, options: TableOptions): string | undefined {
  const { layout, plan, named, dialect, headerLine } = facts;
  const { code, dayAtMs } = options;
  const { zone } = dialect.times;
  const { service, isWide } = plan;
  const names = [...named].filter(([name, asset]) => nameKey(name) !== nameKey(asset.code));
  const jalali = dialect.hasJalali ? "Jalali " : "";
  const hours = plan.clock === undefined ? undefined : plan.names[plan.clock];
  const hasUnit = dialect.hasUnits || plan.unitColumn !== undefined || dialect.units.some((unit) => unit !== undefined);
  const values = plan.columns.includes("value") || isWide;
  const parts = [
    headerLine === 0 ? "no header" : headerLine > 1 && `header in line ${headerLine}`,
    ...plan.renamed.map(([column, name]) => `${column} from "${name}"`),
    hours !== undefined && `its hours from "${hours}"`,
    code !== undefined && `all of ${code}`,
    service && `names and units of ${service.name}`,
    names.length > 0 && `assets ${assetsInWords(names)}`,
    ...[...options.where].map(([name, text]) => `only rows whose "${name}" is "${text}"`),
    isWide && `a column for each of ${assetsInWords(assetColumns(plan))}`,
    plan.candle && candlesInWords(dialect, options),
    dialect.countedIn && `times in ${dialect.countedIn} since 1970`,
    dialect.hasDates &&
      !plan.candle &&
      dayAtMs !== undefined &&
      `${jalali}dates at ${clockInWords(dayAtMs)} ${zone.name}`,
    dialect.hasLocalTimes && `${jalali}times ${dialect.hasZonedTimes ? "without a zone " : ""}in ${zone.name}`,
    (!dialect.hasDates || plan.candle) && !dialect.hasLocalTimes && jalali !== "" && "Jalali times",
    dialect.dateOrder !== undefined && `${FIRST[dialect.dateOrder]} first`,
    dialect.marks.mark === "," && "decimal comma",
    dialect.marks.mark === "." && dialect.hasCommas && "commas between thousands",
    dialect.hasSlashes && (dialect.marks.slash === "thousands" ? "slashes between thousands" : "decimal slash"),
  ].filter((part) => typeof part === "string");
  if (parts.length === 0 && !hasUnit && (layout === "CSV" || layout === "NDJSON")) return undefined;
  const numbering = layout.startsWith("JSON ") ? ", whose elements are counted as lines" : "";
  return [layout + numbering, ...parts, ...(values ? [unitInWords(facts, options)] : [])].join(", ");
}

const FIRST = { dmy: "day", mdy: "month", ymd: "year" } as const;

/** Describes candles, such as `candles of 1d, each as its close at 16:30 Asia/Tehran`. */
function candlesInWords({ candleMs, hasDates, times: { zone } }: Dialect, { ohlc, dayAtMs }: TableOptions): string {
  const endOfDay =
    dayAtMs === undefined ? `the end of the day in ${zone.name}` : `${clockInWords(dayAtMs)} ${zone.name}`;
  const prices = ohlc ? "open, high, low and close from its start to" : "its close at";
  return `candles of ${widthInWords(candleMs)}, each as ${prices} ${hasDates ? endOfDay : "its end"}`;
}

function clockInWords(timeOfDayMs: number): string {
  return new Date(timeOfDayMs).toISOString().slice(11, 16);
}

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
    if (code === undefined) return [];
    const name = nameKey(code) === nameKey(names[at]!) ? code : names[at]!;
    return [[name, { code, per: assets[at]?.per ?? 1 }] as const];
  });
}
