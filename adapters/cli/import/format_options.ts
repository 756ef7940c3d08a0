import { createZone } from "../../../core/internal.ts";
import type { Asset } from "../../../core/mod.ts";
import { COLUMNS } from "../../intake/csv/record_columns.ts";
import { createAssetNames } from "../../intake/names/find_asset.ts";
import { wrongUsage } from "../command_failure.ts";
import type { OptionTable, OptionValues } from "../parse_arguments.ts";
import { parseWidth } from "./candle_columns.ts";
import type { FormatOptions } from "./detect_dialect.ts";

/** The options of `import` that say how files are read. */
export const FORMAT_OPTIONS = {
  map: {
    kind: "texts",
    placeholder: "COLUMN=NAME,…",
    summary:
      "Names of columns in the file, e.g. value=قیمت,code=symbol; of a table with a column for each asset USD_RLS=دلار",
  },
  code: {
    kind: "text",
    placeholder: "CODE",
    summary: "Asset of all records, for files without a code column; or one for each file, A,B",
  },
  names: {
    kind: "texts",
    placeholder: "NAME=CODE,…",
    summary: "What names of assets in the file mean, e.g. طلا=GOLD_18_RLS",
  },
  wide: { kind: "switch", summary: "Each asset has a column, named by its code, a name, or with --map" },
  unit: {
    kind: "text",
    placeholder: "UNIT",
    summary: "rial, or toman: values of _RLS codes are multiplied by ten [default rial]",
  },
  decimal: {
    kind: "text",
    placeholder: "MARK",
    summary: "Mark before the fraction: . , or / where values can be read in two ways",
  },
  calendar: {
    kind: "text",
    placeholder: "NAME",
    summary: "gregorian or jalali [default: as years of four digits tell]",
  },
  "date-order": {
    kind: "text",
    placeholder: "ORDER",
    summary: "dmy, mdy or ymd, for dates that do not begin with a year of four digits",
  },
  "day-at": { kind: "text", placeholder: "HH:MM", summary: "Time at which dates without an hour stand" },
  sheet: {
    kind: "texts",
    placeholder: "NAME",
    summary: "Sheet of an .xlsx workbook; may be repeated [default all with prices, where these have one header]",
  },
  zone: {
    kind: "text",
    placeholder: "ZONE",
    summary: "Time zone of times without one; of --day-at [default that of the market]",
  },
  ohlc: {
    kind: "switch",
    summary: "Keep open, high, low and close of candles as four records [default the close, at the candle's end]",
  },
  interval: {
    kind: "text",
    placeholder: "WIDTH",
    summary: "How long candles are, e.g. 15m, 1h, 1d, 1w, where their rows do not tell",
  },
} as const satisfies OptionTable;

/** What the format options depend on besides themselves. */
export interface FormatDefaults {
  /** IANA name of the zone that dates without an hour belong to. */
  readonly marketTimeZone: string;
  /** The catalog. */
  readonly assets: readonly Asset[];
}

/** The format options of a command line. Throws a usage failure for a value that cannot be used. */
export function readFormatOptions(
  given: OptionValues<typeof FORMAT_OPTIONS>,
  { marketTimeZone, assets }: FormatDefaults,
): FormatOptions {
  const codes = new Set<string>(assets.map(({ code }) => code));
  const isCode = (text: string): boolean => codes.has(text);
  const { code, unit, decimal, calendar, zone, ohlc, interval } = given;
  const [dayAt, dateOrder] = [given["day-at"], given["date-order"]];
  const map = columnMap(given.map, isCode);
  const wide = given.wide || [...map.keys()].some(isCode);
  if (code !== undefined && wide) throw wrongUsage("--code and --wide exclude each other");
  if (unit === "toman" && code !== undefined && !code.endsWith("_RLS"))
    throw wrongUsage(`--unit toman is for codes that end in _RLS: received "${code}"`);
  const dayAtMs = dayAt === undefined ? undefined : timeOfDay(dayAt);
  const intervalMs = interval === undefined ? undefined : widthOf(interval);
  return {
    map,
    code,
    wide,
    names: createAssetNames(assets, addedNames(given.names, isCode)),
    ohlc,
    zone: zoneOf(zone ?? marketTimeZone),
    isZoneKnown: zone !== undefined,
    ...(dayAtMs !== undefined && { dayAtMs }),
    ...(intervalMs !== undefined && { intervalMs }),
    ...(unit !== undefined && { unit: oneOf("--unit", unit, ["rial", "toman"]) }),
    ...(decimal !== undefined && { decimal: oneOf("--decimal", decimal, [".", ",", "/"]) }),
    ...(calendar !== undefined && { calendar: oneOf("--calendar", calendar, ["gregorian", "jalali"]) }),
    ...(dateOrder !== undefined && { dateOrder: oneOf("--date-order", dateOrder, ["dmy", "mdy", "ymd"]) }),
  };
}

function columnMap(given: readonly string[], isCode: (text: string) => boolean): ReadonlyMap<string, string> {
  const map = new Map<string, string>();
  // A comma separates only where another name and = follow, as names in files may have commas.
  for (const pair of given.flatMap((text) => text.split(/,(?=\s*\w+=)/))) {
    const [name, file] = [pair.slice(0, pair.indexOf("=")).trim(), pair.slice(pair.indexOf("=") + 1).trim()];
    if (!pair.includes("=") || file === "") throw wrongUsage(`--map wants COLUMN=NAME: received "${pair}"`);
    if (!COLUMNS.some((column) => column === name) && !isCode(name))
      throw wrongUsage(`--map: "${name}" is neither a column (${COLUMNS.join(", ")}) nor an asset`);
    if (map.has(name)) throw wrongUsage(`--map names ${name} twice`);
    map.set(name, file);
  }
  return map;
}

function addedNames(given: readonly string[], isCode: (text: string) => boolean): ReadonlyMap<string, string> {
  const names = given
    .flatMap((text) => text.split(/,(?<==\w+,)/))
    .map((pair): [string, string] => [pair.slice(0, pair.lastIndexOf("=")), pair.slice(pair.lastIndexOf("=") + 1)]);
  const wrong = names.find(([name, code]) => name.trim() === "" || !isCode(code));
  if (wrong) throw wrongUsage(`--names wants NAME=CODE with codes of the catalog: received "${wrong.join("=")}"`);
  return new Map(names);
}

function oneOf<const Name extends string>(flag: string, given: string, names: readonly Name[]): Name {
  const found = names.find((name) => name === given);
  if (found === undefined) throw wrongUsage(`${flag} is ${names.join(" or ")}: received "${given}"`);
  return found;
}

function timeOfDay(text: string): number {
  const [, hour, minute] = /^(\d\d?):(\d\d)$/.exec(text) ?? [];
  if (hour === undefined || +hour > 23 || +minute! > 59)
    throw wrongUsage(`--day-at is a time such as 16:30: received "${text}"`);
  return (+hour * 60 + +minute!) * 60_000;
}

function widthOf(text: string): number {
  const width = parseWidth(text);
  if (width === undefined) throw wrongUsage(`--interval is a width such as 15m, 1h, 1d or 1w: received "${text}"`);
  return width;
}

function zoneOf(name: string): FormatOptions["zone"] {
  try {
    return createZone(name);
  } catch {
    throw wrongUsage(`--zone is the name of a time zone such as Asia/Tehran: received "${name}"`);
  }
}
