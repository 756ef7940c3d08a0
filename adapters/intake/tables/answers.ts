import { createZone, err, gregorianOf, ok, parseDate, type Zone } from "../../../core/internal.ts";
import { ASSETS, type Asset, type CalendarDate, type Result } from "../../../core/mod.ts";
import { createAssetNames } from "../names/find_asset.ts";
import { CANDLE_COLUMNS, parseWidth } from "./candle_columns.ts";
import type { TableOptions } from "./detect_dialect.ts";
import { UNIT_ANSWERS, type UnitAnswer } from "./detect_price_unit.ts";
import { DECIMAL_MARKS, type DecimalMark } from "./parse_numbers.ts";
import { CALENDARS, type Calendar, DATE_ORDERS, type DateOrder } from "./parse_times.ts";
import { COLUMNS } from "./record_columns.ts";

/** A caller's answers about a table, as plain JSON data. The reader detects missing answers, or asks for them. */
export interface TableAnswers {
  /**
   * The column names in the file, as in `{ value: "Kurs" }` and `{ open: "2" }`. The keys are asset codes, or columns
   * of records or candles. A number means the position of a column, unless a column has that name.
   */
  readonly columns?: Readonly<Record<string, string>>;
  /** The asset of all records, for a table without a column of assets. */
  readonly code?: string;
  /** Whether each asset has a column of its own. */
  readonly wide?: boolean;
  /** Codes by the names in the file, such as `{ طلا: "GOLD_18_RLS" }`. */
  readonly names?: Readonly<Record<string, string>>;
  /** The unit of values for codes that end in `_RLS`. */
  readonly unit?: UnitAnswer;
  /** The mark before the fraction, for ambiguous values. */
  readonly decimal?: DecimalMark;
  readonly calendar?: Calendar;
  /** The order of day, month and year in dates that do not begin with a year of four digits. */
  readonly dateOrder?: DateOrder;
  /** The day of all rows, Gregorian or Jalali, for a table without dates, such as `1405-05-30`. */
  readonly day?: string;
  /** The year of dates without a year, in the calendar of the dates, such as `1405`. */
  readonly year?: string;
  /** The time of day of dates without an hour, such as `16:30`. */
  readonly dayAt?: string;
  /** The IANA zone of `dayAt`, and of times without a zone, such as `Asia/Tehran`. */
  readonly zone?: string;
  /** Whether open, high and low of candles become records as well as the close. */
  readonly ohlc?: boolean;
  /** Only rows with this text in this column are read. Example: `{ نوع: "فروش" }`. */
  readonly where?: Readonly<Record<string, string>>;
  /** The length of candles: `15m`, `1h`, `1d`, `1w`. */
  readonly interval?: string;
}

/** An invalid answer. The answer's name and `reason` form a sentence. */
type AnswerFault = { readonly answer: keyof TableAnswers; readonly reason: string };

/** The context in which answers are interpreted. */
export interface AnswerContext {
  /** The catalog. Default: the assets of the contract. */
  readonly assets?: readonly Asset[];
  /** IANA name of the market's zone. Default: `Asia/Tehran`. */
  readonly marketTimeZone?: string;
  /** The current day. Missing years are derived from weekdays and this day. */
  readonly today?: CalendarDate;
}

/** Merges answers; a later answer replaces an earlier answer to the same question. */
export function joinAnswers<Answers extends TableAnswers>(first: Answers, ...others: readonly Answers[]): Answers {
  let joined = first;
  for (const next of others) {
    const lists = (["columns", "names", "where"] as const).flatMap((name) =>
      next[name] ? [[name, { ...joined[name], ...next[name] }]] : [],
    );
    joined = { ...joined, ...next, ...Object.fromEntries(lists) };
  }
  return joined;
}

/** Turns answers into options; fails with the first invalid answer. */
export function readAnswers(answers: TableAnswers, context: AnswerContext = {}): Result<TableOptions, AnswerFault> {
  const { assets = ASSETS, marketTimeZone = "Asia/Tehran" } = context;
  const { columns = {}, names = {}, where = {}, ohlc = false } = answers;
  const { code, unit, decimal, calendar, dateOrder, dayAt, interval } = answers;
  const codes = new Set<string>(assets.map((asset) => asset.code));
  const [dayAtMs, intervalMs] = [parseClock(dayAt), parseWidth(interval ?? "")];
  const day = answers.day === undefined ? undefined : (gregorianOf(answers.day) ?? parseDate(answers.day));
  const zoneName = answers.zone ?? marketTimeZone;
  const zone = zoneOf(zoneName);
  const wide = answers.wide === true || Object.keys(columns).some((name) => codes.has(name));
  const fault = (answer: keyof TableAnswers, reason: string): Result<never, AnswerFault> => err({ answer, reason });
  // `time` is another name for `businessTime`.
  const named = [...COLUMNS, "time", ...CANDLE_COLUMNS];
  for (const name of Object.keys(columns)) {
    if (!named.some((column) => column === name) && !codes.has(name))
      return fault("columns", `has "${name}", which is neither a column (${named.join(", ")}) nor an asset`);
  }
  const wrongName = Object.entries(names).find(([name, one]) => name.trim() === "" || !codes.has(one));
  if (wrongName) return fault("names", `wants NAME=CODE with codes of the catalog: received "${wrongName.join("=")}"`);
  if (code !== undefined && !codes.has(code)) return fault("code", `must be one of the catalog: received "${code}"`);
  if (code !== undefined && wide) return fault("code", "is for tables without a column for each asset");
  if (unit !== undefined && unit !== "rial" && code !== undefined && !code.endsWith("_RLS"))
    return fault("unit", `${unit} is for codes that end in _RLS: received "${code}"`);
  const wanted = [
    ["day", day !== undefined && day >= "1900", "a day such as 2026-08-21, or 1405-05-30 (Jalali)"],
    ["year", /^(?:1[345]|19|20)\d\d$/.test(answers.year ?? ""), "a year such as 2026, or 1405 (Jalali)"],
    ["dayAt", dayAtMs !== undefined, "a time such as 16:30"],
    ["interval", intervalMs !== undefined, "a width such as 15m, 1h, 1d or 1w"],
    ["unit", UNIT_ANSWERS.some((one) => one === unit), UNIT_ANSWERS.join(" or ")],
    ["decimal", DECIMAL_MARKS.some((one) => one === decimal), DECIMAL_MARKS.join(" or ")],
    ["calendar", CALENDARS.some((one) => one === calendar), CALENDARS.join(" or ")],
    ["dateOrder", DATE_ORDERS.some((one) => one === dateOrder), DATE_ORDERS.join(" or ")],
  ] as const;
  for (const [answer, isValid, form] of wanted) {
    const given = answers[answer];
    if (given !== undefined && !isValid) return fault(answer, `must be ${form}: received "${given}"`);
  }
  if (!zone) return fault("zone", `must be a time zone such as Asia/Tehran: received "${zoneName}"`);
  return ok({
    ...{ answers, context, code, wide, unit, decimal, calendar, dateOrder, day, dayAtMs, zone, intervalMs, ohlc },
    map: new Map(Object.entries(columns).map(([name, column]) => [name === "time" ? "businessTime" : name, column])),
    where: new Map(Object.entries(where)),
    names: createAssetNames(assets, new Map(Object.entries(names))),
    isZoneKnown: answers.zone !== undefined,
    year: answers.year ?? answers.day?.slice(0, 4),
  });
}

/** The codes of indexes, whose values are points. */
export function indexesOf({ assets = ASSETS }: AnswerContext): ReadonlySet<unknown> {
  return new Set(assets.filter(({ category }) => category === "INDEX").map(({ code }) => code));
}

function parseClock(text = ""): number | undefined {
  const [, hour, minute] = /^(\d\d?):(\d\d)$/.exec(text) ?? [];
  return hour === undefined || +hour > 23 || +minute! > 59 ? undefined : (+hour * 60 + +minute!) * 60_000;
}

function zoneOf(name: string): Zone | undefined {
  try {
    return createZone(name);
  } catch {
    return undefined;
  }
}
