import { DAY_MS } from "../../../core/internal.ts";
import { cleanText, nameKey } from "./clean_text.ts";
import { parseEpoch, parseSerial } from "./counted_time.ts";
import { parseTime } from "./times.ts";

const DATES = ["date", "day", "تاریخ"];
const CLOCKS = ["time", "hour", "clock", "ساعت", "زمان"];
const WHOLE = ["businesstime", "datetime", "timestamp"];

/** The columns of a date and of its hours, where these are two. `mapped` is what `--map` says of the time, e.g. `date+time`. */
export function findDateAndClock(names: readonly string[], map: ReadonlyMap<string, string>): readonly [date: number, clock: number] | undefined {
  const keys = names.map(nameKey);
  const mapped = map.get("businessTime");
  const taken = [...map].filter(([column]) => column !== "businessTime").map(([, name]) => nameKey(name));
  const isFree = (key: string): boolean => !taken.includes(key);
  if (mapped === undefined && keys.some((key) => WHOLE.includes(key) && isFree(key))) return undefined;
  if (mapped !== undefined && keys.includes(nameKey(mapped))) return undefined;
  const kinds = mapped === undefined ? [DATES.filter(isFree), CLOCKS.filter(isFree)] : mapped.split("+").map((name) => [nameKey(name)]);
  const [date = [], clock = []] = kinds.map((kind) => keys.flatMap((key, at) => (kind.includes(key) ? [at] : [])));
  return date.length === 1 && clock.length === 1 ? [date[0]!, clock[0]!] : undefined;
}

/** A date and its hours as one text; the hours alone where they are a whole time. */
export function joinDateAndClock(date: string, clock: string): string {
  const hours = cleanText(clock).replace(/^(\d\d?)(\d\d)(\d\d)?$/, (_, hour, minute, second = "00") => `${hour}:${minute}:${second}`);
  if (hours === "") return date;
  if (parseTime(hours) || parseEpoch(hours)) return hours;
  // Spreadsheets write a day as its midnight, and hours as a part of a day.
  const day = parseSerial(cleanText(date))?.date.join("-") ?? date.replace(/[T ]+(?:00:00(?::00(?:\.0+)?)?|12:00(?::00)? AM)$/i, "");
  return `${day} ${/^0?\.\d+$/.test(hours) ? new Date(Math.round(Number(hours) * DAY_MS)).toISOString().slice(11, 23) : hours}`;
}

/** The text of the time in the cell `at`, with the hours of the cell `clock`; `undefined` where there is none. JSON has counts as numbers. */
export function timeText(cells: readonly unknown[], at: number, clock?: number): string | undefined {
  const [date, hours] = [at, clock ?? -1].map((place) => (typeof cells[place] === "number" ? String(cells[place]) : cells[place]));
  if (typeof date !== "string") return undefined;
  return typeof hours === "string" ? joinDateAndClock(date, hours) : date;
}
