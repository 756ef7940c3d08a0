import { type AnswerContext, readAnswers, type TableAnswers } from "../../intake/tables/answers.ts";
import type { TableOptions } from "../../intake/tables/detect_dialect.ts";
import { wrongUsage } from "../command_failure.ts";
import { type OptionTable, type OptionValues, switchOption, textOption, textsOption } from "../parse_arguments.ts";
import { optionNameOf } from "./import_answers.ts";

/** The options of `import` that say how to read files. */
export const FORMAT_OPTIONS = {
  map: textsOption("COLUMN=NAME,…", "Columns to read, e.g. value=قیمت,code=symbol; or by asset: USD_RLS=دلار"),
  code: textOption("CODE", "Asset of all records; or one asset for each file: A,B"),
  names: textsOption("NAME=CODE,…", "Codes for names that the file uses for assets, e.g. طلا=GOLD_18_RLS"),
  wide: switchOption("Each asset has a column, headed by its code or a name, or set with --map"),
  unit: textOption("UNIT", "Unit for _RLS codes, e.g. toman or 'thousand toman' [default rial]"),
  decimal: textOption("MARK", "Decimal mark, if the file does not show which it is: . , or /"),
  calendar: textOption("NAME", "gregorian or jalali [default: found from years of four digits]"),
  "date-order": textOption("ORDER", "dmy, mdy or ymd, for dates that do not begin with a year of four digits"),
  day: textOption("DAY", "Day of all rows, e.g. 2026-08-21 or 1405-05-30"),
  year: textOption("YEAR", "Year of dates that state no year, e.g. 1405"),
  "day-at": textOption("HH:MM", "Time of day for dates without an hour"),
  sheet: textsOption("NAME", "Sheet of a workbook; may be repeated [default: all sheets with prices]"),
  zone: textOption("ZONE", "Time zone of --day-at [default: the market's], and of times without a zone"),
  ohlc: switchOption("Keep open, high, low and close of candles [default: the close only]"),
  where: textsOption("COLUMN=TEXT", "Read only rows with this text in this column, e.g. نوع=فروش; may be repeated"),
  interval: textOption("WIDTH", "Length of candles whose rows do not show it, e.g. 15m, 1h, 1d, 1w"),
} as const satisfies OptionTable;

/** The answers that the options of a command line give. */
export function answersOf(given: OptionValues<typeof FORMAT_OPTIONS>): TableAnswers {
  const { code, unit, decimal, calendar, day, year, zone, interval } = given;
  // `readAnswers` checks these values.
  const answers: { [Answer in keyof TableAnswers]: unknown } = {
    ...(given.map.length > 0 && { columns: pairs("map", "COLUMN=NAME", given.map) }),
    ...(given.names.length > 0 && { names: pairs("names", "NAME=CODE", given.names) }),
    ...(given.where.length > 0 && { where: pairs("where", "COLUMN=TEXT", given.where) }),
    ...(given.wide && { wide: true }),
    ...(given.ohlc && { ohlc: true }),
    ...{ code, unit, decimal, calendar, day, year, zone, interval },
    dayAt: given["day-at"],
    dateOrder: given["date-order"],
  };
  return Object.fromEntries(Object.entries(answers).filter(([, value]) => value !== undefined)) as TableAnswers;
}

/** The options of the table reader for these answers. Throws a usage failure for an answer that cannot be used. */
export function tableOptions(answers: TableAnswers, context: AnswerContext): TableOptions {
  const read = readAnswers(answers, context);
  if (!read.ok) throw wrongUsage(`${optionNameOf(read.error.answer)} ${read.error.reason}`);
  return read.value;
}

/** Reads pairs of names. Names may contain commas, so only a comma after a complete pair separates two pairs. */
function pairs(option: "map" | "names" | "where", wanted: string, given: readonly string[]) {
  const separator = { map: /,(?=\s*\w+=)/, names: /,(?<==\w+,)/, where: /(?!)/ }[option];
  const found = new Map<string, string>();
  for (const pair of given.flatMap((text) => text.split(separator))) {
    const at = option === "names" ? pair.lastIndexOf("=") : pair.indexOf("=");
    const [name, other] = [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
    if (at === -1 || name === "" || other === "") throw wrongUsage(`--${option} wants ${wanted}: received "${pair}"`);
    if (found.has(name)) throw wrongUsage(`--${option} names ${name} twice`);
    found.set(name, other);
  }
  return Object.fromEntries(found);
}
