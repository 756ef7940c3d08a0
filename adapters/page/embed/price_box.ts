// The texts and the chart line of an embedded price. Both depend only on the given data and choices.
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../core/internal.ts";
import { createFormat, marketDayOf, nameOf, serviceName, unitOf } from "../browser/data/format.ts";
import { directionOf, pointsOf } from "../browser/data/lines.ts";
import { choicesOf, type Preferences, preferencesOf } from "../browser/data/preferences.ts";
import { TEXTS } from "../browser/texts/built_embed.ts";
import { fill } from "../browser/texts/fill.ts";
import type { MarketRow } from "../market_summary.ts";
import type { PageAsset, PageSettings } from "../page_settings.ts";

/** The reason why a box has no price. */
export type Missing = keyof (typeof TEXTS)["en"]["missing"];

/** The data that a box is made from. */
export interface BoxFacts extends Pick<PageSettings, "application" | "staleThresholdMinutes" | "isSample"> {
  /** The requested code, which may be any text, and the asset if the catalog has one with this code. */
  readonly code: string;
  readonly asset: PageAsset | undefined;
  readonly price: Pick<MarketRow, "value" | "businessTime" | "before" | "days"> | Missing;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** What a box shows. Texts are not escaped. */
export interface PriceBox extends Pick<Preferences, "language" | "theme"> {
  readonly application: string;
  /** The asset's name; for an unknown asset the code or, if that is no valid code, the server's name. */
  readonly name: string;
  /** The target of the box's link, relative to the box's address. */
  readonly link: string;
  /** The price, or a sentence that says why there is none. */
  readonly content: BoxPrice | string;
}

/** The price in a box. */
export type BoxPrice = ReturnType<ReturnType<typeof createWriter>>;

/** The size of the line's area. */
export const LINE = { width: 110, height: 38 };
const PRICE_SIZE = 26;
/** How many characters of a price fit at the font size `PRICE_SIZE`. */
const PRICE_SIGNS = { en: 10, fa: 13 };
/** Days older than this are shown with their year. */
const YEAR_AFTER_MS = 180 * DAY_MS;
const AGES = [
  ["day", DAY_MS],
  ["hour", HOUR_MS],
  ["minute", MINUTE_MS],
] as const;

/** Reads the choices from the query of a request. The defaults are English and the language's default unit. */
export function parseChoices(query: string): Preferences {
  const sent = new URLSearchParams(query);
  const { language = "en", ...others } = choicesOf([
    ["language", sent.get("lang")],
    ["unit", sent.get("unit")],
    ["theme", sent.get("theme")],
  ]);
  return preferencesOf(others, language);
}

/** Returns the function that makes boxes. They share formatters, because creating a formatter takes up to 1 ms. */
export function createPriceBoxes(timeZone: string) {
  const writers = new Map<string, ReturnType<typeof createWriter>>();
  return (facts: BoxFacts, choices: Preferences): PriceBox => {
    const { language, unit, theme } = choices;
    const { code, asset, price } = facts;
    const application = serviceName(facts.application, language);
    const unknown = /^\w{1,32}$/.test(code) ? code : application;
    const name = asset ? nameOf(asset, language) : unknown;
    const shown = { language, theme, application, name, link: asset ? `../asset/${asset.code}` : "../../docs" };
    if (!asset || typeof price === "string")
      return { ...shown, content: TEXTS[language].missing[typeof price === "string" ? price : "unknown"] };
    const write = writers.get(language + unit) ?? createWriter(choices, timeZone);
    writers.set(language + unit, write);
    return { ...shown, content: write(price, unitOf(asset), facts) };
  };
}

/** Returns the function that writes prices in a language and unit. */
function createWriter(choices: Preferences, timeZone: string) {
  const { language } = choices;
  const texts = TEXTS[language];
  const format = createFormat(choices, timeZone);
  const marketDay = marketDayOf(timeZone);

  function day(time: number, now: number, zone = timeZone): string {
    const year = now - time > YEAR_AFTER_MS ? ({ year: "numeric" } as const) : {};
    const options = { timeZone: zone, day: "numeric", month: "short", ...year } as const;
    return new Intl.DateTimeFormat(format.locale, options).format(time);
  }

  function age(elapsed: number): string {
    const [unit, width] = AGES.find(([, atLeast]) => elapsed >= atLeast) ?? AGES[2];
    return format.number(Math.floor(elapsed / width), { style: "unit", unit, unitDisplay: "long" });
  }

  return (row: Exclude<BoxFacts["price"], Missing>, unit: string, facts: BoxFacts) => {
    const { value, before } = row;
    const { now, isSample, staleThresholdMinutes } = facts;
    const time = Date.parse(row.businessTime);
    const isStale = now - time > staleThresholdMinutes * MINUTE_MS;
    const ratio = isStale || !before?.value ? undefined : value / before.value - 1;
    const isNextDay = before && Date.parse(before.date) + DAY_MS === Date.parse(marketDay(time));
    const price = format.priceNumber(value, unit);
    const hour = `${format.time(time)} ${format.city}`;
    const dayAndHour = `${day(time, now)}${format.comma}${hour}`;
    const isToday = marketDay(time) === marketDay(now);
    return {
      price,
      /** The font size of the price in pixels. The size is smaller for long prices, so that they fit beside the line. */
      size: Math.floor(PRICE_SIZE * Math.min(1, PRICE_SIGNS[language] / price.length)),
      unit: format.unitName(unit),
      direction: directionOf(ratio),
      /** Since the previous day with a record; absent if there is no such day or the price is stale. */
      ...(ratio !== undefined && {
        change: {
          percent: format.percent(ratio),
          difference: format.difference(value - before!.value, unit),
          /** The day that the change is relative to; absent if that is the calendar day before the price's day. */
          ...(!isNextDay && { since: fill(texts.since, { day: day(Date.parse(before!.date), now, "UTC") }) }),
        },
      }),
      /** Day and hour of the price, e.g. `22 Nov, 16:24 Tehran`. */
      time: dayAndHour,
      /** The age and the time of a stale price, e.g. `3 hours old, from 13:21 Tehran`. */
      age: isStale ? fill(texts.old, { age: age(now - time), time: isToday ? hour : dayAndHour }) : undefined,
      /** The last thirty days in an area of the size `LINE`. */
      line: pointsOf(row.days, LINE.width, LINE.height),
      /** A notice, if the price is made up. */
      sample: isSample ? texts.sample : undefined,
    };
  };
}
