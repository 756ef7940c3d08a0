import type { PageAsset } from "../../page_settings.ts";
import { TEXTS } from "../texts/built_page.ts";
import type { Language, Preferences } from "./preferences.ts";

/** Writes values for people, in the chosen language and unit. Times are in the market's time zone. */
export type Format = ReturnType<typeof createFormat>;

/** A day `YYYY-MM-DD`, or a moment. */
type Time = string | number | Date;
const DAY = /^\d{4}-\d\d-\d\d$/;
const YEAR_MS = 365 * 86_400_000;
/** The seconds in each unit of an age, and the age from which the unit is used. */
const AGES = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const;

/** The unit in which an asset is shown. The stock index, which the API quotes in rial, is shown in `POINT`. */
export function unitOf({ quoteUnit, category }: Pick<PageAsset, "quoteUnit" | "category">): string {
  return category === "INDEX" ? "POINT" : quoteUnit;
}

/** What is priced: `USD` of `USD_RLS`. */
export function baseOf({ code }: Pick<PageAsset, "code">): string {
  return code.replace(/_(RLS|USD)$/, "");
}

/** The name of an asset: the first part of its label, as in `US Dollar / Iranian Rial`. */
export function nameOf({ labelEn, labelFa }: Pick<PageAsset, "labelEn" | "labelFa">, language: Language): string {
  return (language === "fa" ? labelFa : labelEn).split(" / ")[0]!;
}

/** The name of the service; "Mazaneh" is written in the language's script. */
export function serviceName(application: string, language: Language): string {
  return application === "mazaneh" ? TEXTS[language].mazaneh : application;
}

/** Returns a function that gives the market day of a time: `YYYY-MM-DD`. */
export function marketDayOf(timeZone: string): (time: number) => string {
  const days = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short" }); // the Swedish format is YYYY-MM-DD
  return (time) => days.format(time);
}

/** The previous day, `YYYY-MM-DD`. */
export function dayBefore(day: string): string {
  return new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);
}

/** Returns the format functions for the given preferences. Each `Intl` formatter is created on first use: creating it takes up to 1 ms. */
export function createFormat({ language, unit: shown }: Preferences, marketTimeZone: string) {
  const locale = language === "fa" ? "fa-IR-u-ca-persian-nu-arabext" : "en-GB-u-ca-gregory-nu-latn";
  const { unitNames, ages, tehran } = TEXTS[language];
  const city = marketTimeZone === "Asia/Tehran" ? tehran : marketTimeZone.split("/").at(-1)!.replaceAll("_", " ");
  const comma = language === "fa" ? "، " : ", ";
  const numbers = new Map<string, Intl.NumberFormat>();
  const dates = new Map<string, Intl.DateTimeFormat>();

  function write(value: number, options: Intl.NumberFormatOptions): string {
    const writer = remembered(numbers, JSON.stringify(options), () => new Intl.NumberFormat(locale, options));
    return writer.format(value).replace("-", "\u2212"); // a minus sign that is as wide as a plus sign
  }

  function writeTime(time: Time, options: Intl.DateTimeFormatOptions): string {
    // A text such as `2026-11-21` is already a day, which no time zone may move to another day.
    const timeZone = typeof time === "string" && DAY.test(time) ? "UTC" : marketTimeZone;
    const all = { timeZone, ...options };
    return remembered(dates, JSON.stringify(all), () => new Intl.DateTimeFormat(locale, all)).format(new Date(time));
  }

  function amount(value: number, unit: string): number {
    return unit === "RLS" && shown === "toman" ? value / 10 : value;
  }

  /** Small prices get more decimals than large prices. */
  function decimals(value: number, unit: string): Intl.NumberFormatOptions {
    const size = Math.abs(amount(value, unit));
    if (size > 0 && size < 0.01) return { maximumFractionDigits: Math.min(100, 3 - Math.floor(Math.log10(size))) }; // four digits
    // From 1,000 toman on, there are no decimals: the decimal sign could be mistaken for a thousands separator.
    if (unit === "RLS" && shown === "toman" && size >= 1_000) return { maximumFractionDigits: 0 };
    const most = size < 1_000 ? 4 : 2;
    return { minimumFractionDigits: unit === "USD" ? 2 : 0, maximumFractionDigits: size < 1 ? 6 : most };
  }

  function priceNumber(value: number, unit: string): string {
    return write(amount(value, unit), decimals(value, unit));
  }

  function unitName(unit: string): string {
    return (unitNames as Readonly<Record<string, string>>)[unit === "RLS" ? shown : unit] ?? unit;
  }

  function shortDate(time: Time, now: number): string {
    const isLongAgo = now - new Date(time).getTime() >= YEAR_MS;
    return writeTime(time, isLongAgo ? day : { day: "numeric", month: "short" });
  }

  function dateTime(time: Time): string {
    return writeTime(time, day) + comma + writeTime(time, clock);
  }

  const day = { year: "numeric", month: "short", day: "numeric" } as const;
  const clock = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
  return {
    /** The BCP 47 tag with language, digits and calendar, for formats that this module does not have. */
    locale,
    /** Between the items of a list, with a space. */
    comma,
    /** The city of the market's time zone. */
    city,
    /** The market's time zone by name, e.g. `Iran Standard Time`. */
    marketZone(): string {
      const parts = new Intl.DateTimeFormat(locale, { timeZone: marketTimeZone, timeZoneName: "longGeneric" });
      return parts.formatToParts().find(({ type }) => type === "timeZoneName")?.value ?? marketTimeZone;
    },
    /** Grouped digits, e.g. `5,000`; without options, at most two decimals. */
    number: (value: number, options: Intl.NumberFormatOptions = { maximumFractionDigits: 2 }): string =>
      write(value, options),
    /** The value as a number in the chosen unit. Toman are a tenth of the value in rial. */
    amount,
    /** The number with its unit: `1,903,482 rial`. From 1,000 toman on, toman are rounded to whole toman. */
    price: (value: number, unit: string): string => `${priceNumber(value, unit)} ${unitName(unit)}`,
    /** The number without its unit, for tables that show the unit in a separate element. */
    priceNumber,
    unitName,
    /** The change of a price, with its sign and without its unit, e.g. `+1,200`. */
    difference: (value: number, unit: string): string =>
      write(amount(value, unit), { ...decimals(value, unit), signDisplay: "exceptZero" }),
    /** A computed price, rounded to whole units. */
    wholePrice: (value: number, unit: string): string => write(amount(value, unit), { maximumFractionDigits: 0 }),
    /** A day in short form. The year is left out if the day is at most a year ago. */
    shortDate,
    /** A ratio with its sign, e.g. `+0.52%` for 0.0052. */
    percent(ratio: number, digits = 2): string {
      const decimals = { minimumFractionDigits: digits, maximumFractionDigits: digits };
      return write(ratio, { style: "percent", ...decimals, signDisplay: "exceptZero" });
    },
    /** Writes a day, e.g. `21 Nov 2026`: a day given as `YYYY-MM-DD`, or the market day of a time. */
    date: (time: Time): string => writeTime(time, day),
    /** Hours and minutes, e.g. `13:30`. */
    time: (time: Time): string => writeTime(time, clock),
    /** A full hour of a day, e.g. `09:00`. */
    hour: (hour: number): string => [hour, 0].map((part) => write(part, { minimumIntegerDigits: 2 })).join(":"),
    dateTime,
    /** E.g. `22 Nov 2026, 03:30 Tehran`. */
    dateTimeInZone: (time: Time): string => `${dateTime(time)} ${city}`,
    /** Hours and minutes in UTC. */
    utcTime: (time: Time): string => writeTime(time, { ...clock, timeZone: "UTC" }),
    /** The short form for tables: `now`, `5 min`, `3 h`, then the date. */
    shortAge(from: number, now: number): string {
      const minutes = Math.floor((now - from) / 60_000);
      if (minutes < 1) return ages.now;
      if (minutes < 60) return `${write(minutes, {})} ${ages.minute}`;
      return minutes < 1_440 ? `${write(Math.floor(minutes / 60), {})} ${ages.hour}` : shortDate(from, now);
    },
    /** How long ago, e.g. `5 min ago`; `in 3 hr` for a time in the future. Times are in milliseconds since 1970. */
    age(from: number, now: number): string {
      const seconds = (from - now) / 1_000;
      const [unit, width] = AGES.find(([, atLeast]) => Math.abs(seconds) >= atLeast) ?? [];
      if (unit === undefined) return ages.justNow;
      return new Intl.RelativeTimeFormat(locale, { style: "short" }).format(Math.trunc(seconds / width!), unit);
    },
  };
}

function remembered<Value>(made: Map<string, Value>, name: string, make: () => Value): Value {
  const found = made.get(name) ?? make();
  made.set(name, found);
  return found;
}
