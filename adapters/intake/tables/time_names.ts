import { cleanText, nameKey, persianLetters } from "./clean_text.ts";

interface TimeName {
  /** The name without zone and calendar, such as `تاریخ` for `تاریخ (شمسی)`. */
  readonly rest: string;
  readonly zone: string | undefined;
  readonly calendar: "gregorian" | "jalali" | undefined;
}

const CALENDARS = {
  jalali: /(?:هجری ?)?(?:شمسی|خورشیدی)|jalali|shamsi|persian|^j(?=_?date)/,
  gregorian: /میلادی|gregorian|miladi/,
} as const;
const ZONES = [
  [/(?<![\p{L}\d])(?:utc|gmt|گرینویچ|جهانی)(?![\p{L}\d]| ?[+-])/u, "UTC"],
  [/(?<![\p{L}\d])(?:(?:utc|gmt) ?\+0?3:?30|asia\/tehran|tehran|iran|irst|تهران|ایران)(?![\p{L}\d])/u, "Asia/Tehran"],
] as const;
const HOURS_OFF = /(?<![\p{L}\d])(?:utc|gmt) ?([+-])0?(\d\d?)(?::?00)?(?![\d:])/u;
/** Zones in brackets that are not read, such as `(EET)` and `(GMT-4:30)`. */
export const OTHER_ZONE = /[([]((?:[A-Z]{1,4}T|MSK|(?:UTC|GMT) ?[+-]\d\d?(?::?\d\d)?))[)\]]/;
const BESIDE = /به ?وقت|وقت|به|[()[\]/،,:]/g;
/** Words that mean a date even without further words, unlike `Persian` and `Iran`. */
const ALONE = /شمسی|خورشیدی|jalali|shamsi|میلادی|gregorian|miladi|utc|gmt/;
const DATES = ["date", "تاریخ", "dtyyyymmdd"];
const DATETIMES = ["تاریخوساعت", "تاریخساعت", "تاریخوزمان", "زمانوتاریخ"];
const OTHERS = ["datetime", "time", "timestamp", "unix", "hour", "clock", "businesstime", "ساعت", "زمان"];

/** Parses the name of a column of times; `undefined` for other names. */
export function timeName(name: string): TimeName | undefined {
  const text = persianLetters(cleanText(name));
  const calendar = (["jalali", "gregorian"] as const).find((one) => CALENDARS[one].test(text));
  const [pattern, zone] = ZONES.find(([one]) => one.test(text)) ?? [HOURS_OFF, zoneOf(text)];
  const bare = calendar ? text.replace(CALENDARS[calendar], " ") : text;
  const key = nameKey(bare.replace(pattern, " ").replace(BESIDE, " "));
  let rest = DATETIMES.includes(key) ? "datetime" : key;
  if (key === "" && ALONE.test(text)) rest = "date";
  return [...DATES, ...OTHERS].includes(rest) ? { rest, zone, calendar } : undefined;
}

/** Whether a name means a column of dates. */
export function isDateName(name: string): boolean {
  return DATES.includes(timeName(name)?.rest ?? "");
}

/** IANA name of the zone in a title or a cell. */
export function zoneOf(text: string): string | undefined {
  const folded = cleanText(text).toLowerCase();
  const [, sign, hours] = HOURS_OFF.exec(folded) ?? [];
  // In names such as `Etc/GMT-3`, the sign of the offset is reversed.
  if (hours !== undefined) return `Etc/GMT${sign === "+" ? "-" : "+"}${hours}`;
  return ZONES.find(([pattern]) => pattern.test(folded))?.[1];
}
