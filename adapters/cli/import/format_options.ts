import { createZone } from "../../../core/internal.ts";
import type { OptionTable, OptionValues } from "../args.ts";
import { wrongUsage } from "../failure.ts";
import type { FormatOptions } from "./dialect.ts";
import { COLUMNS } from "./record_columns.ts";

/** The options of `import` that say how files are read. */
export const FORMAT_OPTIONS = {
  map: { kind: "texts", placeholder: "COLUMN=NAME,…", summary: "Names of columns in the file, e.g. value=قیمت,code=symbol; with --wide also USD_RLS=دلار" },
  code: { kind: "text", placeholder: "CODE", summary: "Asset of all records, for files without a code column; or one for each file, A,B" },
  wide: { kind: "switch", summary: "Each asset has a column, named by its code or with --map" },
  unit: { kind: "text", placeholder: "UNIT", summary: "rial, or toman: values of _RLS codes are multiplied by ten [default rial]" },
  decimal: { kind: "text", placeholder: "MARK", summary: "Mark before the fraction: . or , where values can be read in two ways" },
  calendar: { kind: "text", placeholder: "NAME", summary: "gregorian or jalali [default gregorian]" },
  "date-order": { kind: "text", placeholder: "ORDER", summary: "dmy or mdy, for dates that end with the year" },
  "day-at": { kind: "text", placeholder: "HH:MM", summary: "Time at which dates without an hour stand" },
  zone: { kind: "text", placeholder: "ZONE", summary: "Time zone of times without one; of --day-at [default that of the market]" },
} as const satisfies OptionTable;

/** What the format options depend on besides themselves. */
export interface FormatDefaults {
  /** IANA name of the zone that dates without an hour belong to. */
  readonly marketTimeZone: string;
  readonly isCode: (text: string) => boolean;
}

/** The format options of a command line. Throws a usage failure for a value that cannot be used. */
export function readFormatOptions(given: OptionValues<typeof FORMAT_OPTIONS>, { marketTimeZone, isCode }: FormatDefaults): FormatOptions {
  const { code, wide, unit, decimal, calendar, zone } = given;
  const [dayAt, dateOrder] = [given["day-at"], given["date-order"]];
  if (code !== undefined && wide) throw wrongUsage("--code and --wide exclude each other");
  if (unit === "toman" && code !== undefined && !code.endsWith("_RLS")) throw wrongUsage(`--unit toman is for codes that end in _RLS: received "${code}"`);
  const dayAtMs = dayAt === undefined ? undefined : timeOfDay(dayAt);
  return {
    map: columnMap(given.map, { wide, isCode }),
    code,
    wide,
    isCode,
    zone: zoneOf(zone ?? marketTimeZone),
    isZoneTold: zone !== undefined,
    ...(dayAtMs !== undefined && { dayAtMs }),
    ...(unit !== undefined && { unit: oneOf("--unit", unit, ["rial", "toman"]) }),
    ...(decimal !== undefined && { decimal: oneOf("--decimal", decimal, [".", ","]) }),
    ...(calendar !== undefined && { calendar: oneOf("--calendar", calendar, ["gregorian", "jalali"]) }),
    ...(dateOrder !== undefined && { dateOrder: oneOf("--date-order", dateOrder, ["dmy", "mdy"]) }),
  };
}

function columnMap(given: readonly string[], { wide, isCode }: { readonly wide: boolean; readonly isCode: (text: string) => boolean }): ReadonlyMap<string, string> {
  const map = new Map<string, string>();
  // A comma separates only where another name and = follow, as names in files may have commas.
  for (const pair of given.flatMap((text) => text.split(/,(?=\s*\w+=)/))) {
    const [name, file] = [pair.slice(0, pair.indexOf("=")).trim(), pair.slice(pair.indexOf("=") + 1).trim()];
    if (!pair.includes("=") || file === "") throw wrongUsage(`--map wants COLUMN=NAME: received "${pair}"`);
    const isColumn = COLUMNS.some((column) => column === name);
    if (!isColumn && !isCode(name)) throw wrongUsage(`--map: "${name}" is neither a column (${COLUMNS.join(", ")}) nor an asset`);
    if (!isColumn && !wide) throw wrongUsage(`--map: "${name}" is an asset, which has a column only with --wide`);
    if (map.has(name)) throw wrongUsage(`--map names ${name} twice`);
    map.set(name, file);
  }
  return map;
}

function oneOf<const Name extends string>(flag: string, given: string, names: readonly Name[]): Name {
  const found = names.find((name) => name === given);
  if (found === undefined) throw wrongUsage(`${flag} is ${names.join(" or ")}: received "${given}"`);
  return found;
}

function timeOfDay(text: string): number {
  const [, hour, minute] = /^(\d\d?):(\d\d)$/.exec(text) ?? [];
  if (hour === undefined || +hour > 23 || +minute! > 59) throw wrongUsage(`--day-at is a time such as 16:30: received "${text}"`);
  return (+hour * 60 + +minute!) * 60_000;
}

function zoneOf(name: string): FormatOptions["zone"] {
  try {
    return createZone(name);
  } catch {
    throw wrongUsage(`--zone is the name of a time zone such as Asia/Tehran: received "${name}"`);
  }
}
