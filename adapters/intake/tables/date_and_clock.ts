import { DAY_MS } from "../../../core/internal.ts";
import { cleanText, nameKey } from "./clean_text.ts";
import { parseEpoch, parseSerial } from "./epoch_and_serial_times.ts";
import { parseTime } from "./parse_times.ts";
import { isDateName, timeName } from "./time_names.ts";

/** Of dates in several calendars, the first kind is read. The same days in the other calendar are often beside them. */
const CALENDARS = ["gregorian", undefined, "jalali"] as const;
const PARTS = [
  ["year", "سال"],
  ["month", "ماه"],
  ["day", "روز"],
];
const CLOCKS = ["time", "hour", "clock", "ساعت", "زمان"];
const WHOLE = ["businesstime", "datetime", "timestamp", "unix"];

/**
 * The column of a date, and that of its hours if these stand in another; `undefined` where the header does not tell.
 *
 * @param map The columns that the caller names; of the time e.g. `date+time`.
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

/** Columns that make one time together. */
export interface DateParts {
  /** Their names as one, e.g. `year+month+day`. */
  readonly name: string;
  /** Those of year, month, day, and of the hours if there are any. */
  readonly places: readonly number[];
  /** The day of all rows, where the caller gives it; the columns may have its hours. */
  readonly day?: string;
}

/** What stands for the time of rows whose day the caller gives: a column of hours, or of dates that are to be of that day. */
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
  if (
    places.includes(-1) ||
    names.some(isDateName) ||
    keys.some((key) => WHOLE.includes(key)) ||
    (mapped ?? name) !== name
  )
    return undefined;
  return {
    name,
    places: [...places, ...keys.flatMap((key, at) => (CLOCKS.includes(key) ? at : []))].slice(0, PARTS.length + 1),
  };
}

/** Whether a text may be a day of the month as well as an hour. */
export function isCount(clean: string): boolean {
  return /^\d\d?$/.test(clean);
}

/** Year, month and day of a row as one text, with its hours. */
export function joinDateParts(cells: readonly unknown[], { places, day: given }: DateParts, leftOut?: string): string {
  if (given !== undefined) {
    const text = places.length === 0 ? "" : (timeText(cells, places[0]!, places[1]) ?? "");
    return isCount(cleanText(text)) || parseTime(cleanText(text), leftOut) ? text : joinDateAndClock(given, text);
  }
  const [year = "", month = "", day = "", clock = ""] = places.map((at) => cleanText(String(cells[at] ?? "")));
  return year === ""
    ? ""
    : joinDateAndClock(/^\d+$/.test(month) ? `${year}/${month}/${day}` : `${day} ${month} ${year}`, clock);
}

/** A date and its hours as one text; the hours alone where they are a whole time. */
export function joinDateAndClock(date: string, clock: string): string {
  const hours = cleanText(clock).replace(
    /^(?!0\.)(\d\d?)(?:\.(?=\d\d$))?(\d\d)?(\d\d)?$/,
    (_, hour, minute = "00", second = "00") => `${hour}:${minute}:${second}`,
  );
  if (hours === "") return date;
  if (parseTime(hours) || parseEpoch(hours)) return hours;
  // Spreadsheets write a day as its midnight, and hours as a part of a day.
  const day =
    parseSerial(cleanText(date))?.date.join("-") ??
    date.replace(/(?<![T ])[T ]+(?:00:00(?::00(?:\.0+)?)?|12:00(?::00)? AM)$/i, "");
  return `${day} ${/^0?\.\d+$/.test(hours) ? new Date(Math.round(Number(hours) * DAY_MS)).toISOString().slice(11, 23) : hours}`;
}

/** The text of the time in the cell `at`, with the hours of the cell `clock`; `undefined` where there is none. JSON has counts as numbers. */
export function timeText(cells: readonly unknown[], at: number, clock?: number): string | undefined {
  const [date, hours] = [at, clock ?? -1].map((place) =>
    typeof cells[place] === "number" ? String(cells[place]) : cells[place],
  );
  if (typeof date !== "string") return undefined;
  return typeof hours === "string" ? joinDateAndClock(date, hours) : date;
}
