import { ok } from "../../../core/internal.ts";
import type { UtcMillis } from "../../../core/mod.ts";
import { cleanText, nameKey } from "./clean_text.ts";
import { mapping } from "./column_names.ts";
import type { TableOptions } from "./detect_dialect.ts";
import { parseEpoch, parseSerial } from "./epoch_and_serial_times.ts";
import { type OpenQuestion, type ReadResult, unread } from "./open_questions.ts";
import { createTimeReader, parseTime } from "./parse_times.ts";
import type { ColumnPlan } from "./plan_columns.ts";
import type { Cells } from "./record_columns.ts";
import { isDateName, timeName } from "./time_names.ts";

/** The calendars in order of preference. Tables often have the same days in both calendars. */
const CALENDARS = ["gregorian", undefined, "jalali"] as const;
const PARTS = [
  ["year", "سال"],
  ["month", "ماه"],
  ["day", "روز"],
];
const CLOCKS = ["time", "hour", "clock", "ساعت", "زمان"];
const WHOLE = ["businesstime", "datetime", "timestamp", "unix"];

/**
 * Finds the column of dates, and the column of their hours if there is one; `undefined` if the header shows no dates.
 *
 * @param map The columns that the caller names, such as `date+time` for the time.
 */
export function findDateAndClock(
  names: readonly string[],
  map: ReadonlyMap<string, string>,
): readonly [date: number, clock: number | undefined] | undefined {
  const keys = names.map(nameKey);
  const mapped = map.get("businessTime");
  if (mapped !== undefined) {
    const [date, clock, ...more] = keys.includes(nameKey(mapped))
      ? []
      : mapped.split("+").map((name) => keys.indexOf(nameKey(name)));
    return date !== undefined && clock !== undefined && date !== -1 && clock !== -1 && more.length === 0
      ? [date, clock]
      : undefined;
  }
  const taken = [...map.values()].map(nameKey);
  const times = names.flatMap((name, at) => {
    const found = taken.includes(keys[at]!) ? undefined : timeName(name);
    return found ? [{ at, ...found }] : [];
  });
  const dates = CALENDARS.map((calendar) =>
    times.filter(({ at, calendar: own }) => isDateName(names[at]!) && own === calendar),
  ).find((found) => found.length > 0);
  const clocks = times.filter(({ rest }) => CLOCKS.includes(rest));
  return dates?.length === 1 && clocks.length < 2 && !times.some(({ rest }) => WHOLE.includes(rest))
    ? [dates[0]!.at, clocks[0]?.at]
    : undefined;
}

/** Columns that together contain one time. */
export interface DateParts {
  /** The joined names of the columns, such as `year+month+day`. */
  readonly name: string;
  /** The places of the year, the month, the day and, if there are any, the hours. */
  readonly places: readonly number[];
  /** The day of all rows, if the caller gives it. With such a day, `places` has only the hours. */
  readonly day?: string;
}

/** Finds the column of times if the caller gives the day. The column has hours, or dates equal to that day. */
export function findGivenDay(names: readonly string[], map: ReadonlyMap<string, string>, day: string): DateParts {
  const keys = names.map(nameKey);
  const mapped = map.get("businessTime");
  const found = findDateAndClock(names, map) ?? [
    mapped === undefined ? names.findIndex((name) => timeName(name)) : keys.indexOf(nameKey(mapped)),
  ];
  return { name: `day ${day}`, places: found.filter((at) => at !== undefined && at !== -1) as number[], day };
}

/** The columns of year, month and day in a table without a date. */
export function findDateParts(names: readonly string[], map: ReadonlyMap<string, string>): DateParts | undefined {
  const keys = names.map(nameKey);
  const places = PARTS.map((kind) => keys.findIndex((key) => kind.includes(key)));
  const mapped = map.get("businessTime");
  const name = places.map((at) => names[at]).join("+");
  const hasWhole = names.some(isDateName) || keys.some((key) => WHOLE.includes(key));
  if (hasWhole || places.includes(-1) || (mapped ?? name) !== name) return undefined;
  const clock = keys.findIndex((key) => CLOCKS.includes(key));
  return { name, places: clock === -1 ? places : [...places, clock] };
}

/** Whether a text may be a day of the month or an hour. */
export function isCount(clean: string): boolean {
  return /^\d\d?$/.test(clean);
}

/** Joins year, month, day and hours of a row into one text. */
export function joinDateParts(cells: Cells, { places, day: given }: DateParts, leftOut?: string): string {
  if (given !== undefined) {
    const text = places.length === 0 ? "" : (timeText(cells, places[0]!, places[1]) ?? "");
    return isCount(cleanText(text)) || parseTime(cleanText(text), leftOut) ? text : joinDateAndClock(given, text);
  }
  const [year = "", month = "", day = "", clock = ""] = places.map((at) => cleanText(String(cells[at] ?? "")));
  if (year === "") return "";
  return joinDateAndClock(/^\d+$/.test(month) ? `${year}/${month}/${day}` : `${day} ${month} ${year}`, clock);
}

/** Joins a date and hours into one text. If the text of the hours also has a date, returns only that text. */
export function joinDateAndClock(date: string, clock: string): string {
  const hours = cleanText(clock).replace(
    /^(?!0\.)(\d\d?)(?:\.(?=\d\d$))?(\d\d)?(\d\d)?$/,
    (_, hour, minute = "00", second = "00") => `${hour}:${minute}:${second}`,
  );
  if (hours === "") return date;
  if (parseTime(hours) || parseEpoch(hours)) return hours;
  // Spreadsheets write a day as its midnight, and hours as a fraction of a day.
  const withoutMidnight = date.replace(/(?<![T ])[T ]+(?:00:00(?::00(?:\.0+)?)?|12:00(?::00)? AM)$/i, "");
  const day = parseSerial(cleanText(date))?.date.join("-") ?? withoutMidnight;
  if (!/^0?\.\d+$/.test(hours)) return `${day} ${hours}`;
  return `${day} ${new Date(Math.round(Number(hours) * 86_400) * 1_000).toISOString().slice(11, 19)}`;
}

/** Returns the text of the time in cell `at`, joined with the hours in cell `clock`; `undefined` without a time. */
export function timeText(cells: Cells, at: number, clock?: number): string | undefined {
  const [date, hours] = [at, clock ?? -1].map((place) =>
    typeof cells[place] === "number" ? String(cells[place]) : cells[place],
  );
  if (typeof date !== "string") return undefined;
  return typeof hours === "string" ? joinDateAndClock(date, hours) : date;
}

/** The question which column has the dates, if a second column of dates has other days. */
export function dateQuestions(
  plan: ColumnPlan,
  rows: readonly Cells[],
  options: TableOptions,
): ReadResult<readonly OpenQuestion[]> {
  const { names, columns, clock } = plan;
  const at = columns.indexOf("businessTime");
  const read = createTimeReader({ ...options, isZoneKnown: true, dayAtMs: 0 });
  const dayOf = (cell: unknown): string | undefined => {
    const time = read(timeText([cell], 0) ?? "");
    const millis = time.ok ? Date.parse(time.value) : NaN;
    return Number.isNaN(millis) ? undefined : options.zone.dateAt(millis as UtcMillis);
  };
  const rowWithTwoDays = (other: number): Cells | undefined =>
    rows.find((cells) => {
      const [day, same] = [dayOf(cells[at]), dayOf(cells[other])];
      return day !== undefined && same !== undefined && day !== same;
    });
  const hasTwoTables = names.some((_, other) => {
    const row = mayBeOfOtherTable(other, plan) ? rowWithTwoDays(other) : undefined;
    // A price may look like a compact date.
    return row !== undefined && Number.isNaN(Number(cleanText(String(row[other]))));
  });
  if (hasTwoTables) return unread("it has two tables side by side: save each in a separate file");
  if (options.map.has("businessTime") || !isDateName(names[at] ?? "")) return ok([]);
  for (const [other, name] of names.entries()) {
    const row = other === at || !isDateName(name) ? undefined : rowWithTwoDays(other);
    if (!row) continue;
    const reason = `its columns "${names[at]!}" and "${name}" have different days: "${String(row[at])}" and "${String(row[other])}"`;
    const own = clock === undefined ? names[at]! : `${names[at]!}+${names[clock]!}`;
    return ok([{ ...mapping("businessTime", own), reason }]);
  }
  return ok([]);
}

/** Whether an ignored column may have a second table's dates: some prices are between it and the times, others not. */
function mayBeOfOtherTable(at: number, { names, columns, codes, isWide, ignored }: ColumnPlan): boolean {
  if (!isWide || columns[at] !== undefined || codes[at] !== undefined || !ignored.includes(names[at]!)) return false;
  const time = columns.indexOf("businessTime");
  const [start, end] = [Math.min(at, time), Math.max(at, time)];
  const prices = codes.flatMap((code, place) => (code === undefined ? [] : [place]));
  return prices.some((place) => place > start && place < end) && prices.some((place) => place < start || place > end);
}
