import type { PageContext } from "../context.ts";
import { unitOf } from "../format.ts";
import type { PriceUnit } from "../format.ts";
import type { PageAsset } from "../../page_settings.ts";
import { parseDate } from "../../../../core/internal.ts";
import type { CalendarDate, CatalogEntry } from "../../../../core/mod.ts";
import { questionsAbout } from "./answers.ts";
import type { Questions } from "./answers.ts";
import { choiceAddress, parseChoice } from "./choice.ts";
import type { Choice } from "./choice.ts";
import type { DayRange } from "./days.ts";
import { marketDayOf } from "../market_day.ts";
import { ASSET } from "./messages.ts";
import type { AssetMessages } from "./messages.ts";
import type { Supply } from "./ranges.ts";

/** What all parts of the view are drawn from. */
export interface Scene {
  readonly asset: PageAsset;
  readonly unit: PriceUnit;
  readonly texts: AssetMessages;
  readonly choice: Choice;
  readonly questions: Questions;
  /** The market day of a time. */
  dayOf(time: number): CalendarDate;
  /** Shows another choice, without an entry in the history. */
  choose(change: Partial<Choice>): void;
}

/** Gathers what is known before any answer. */
export function createScene({ client, key, place, preferences, replace, settings }: PageContext, asset: PageAsset): Scene {
  const choice = parseChoice(place.query);
  const dayOf = marketDayOf(settings.marketTimeZone);
  return {
    asset, choice,
    unit: unitOf(asset),
    texts: ASSET[preferences.language],
    questions: questionsAbout(asset, client, key),
    dayOf: (time) => parseDate(dayOf(time))!,
    choose: (change) => replace(choiceAddress(asset.code, { ...choice, ...change })),
  };
}

/** What there is of an asset, by its catalog entry; `undefined` if there is no record. */
export function supplyOf({ ohlcAvailableFrom, businessTime }: CatalogEntry<string>, maxCandles: number): Supply | undefined {
  if (businessTime === null) return undefined;
  return { first: Date.parse(ohlcAvailableFrom ?? businessTime), last: Date.parse(businessTime), maxCandles };
}

/** The market days of the first and the latest record. */
export function recordDays({ first, last }: Supply, dayOf: Scene["dayOf"]): DayRange {
  return { from: dayOf(first), to: dayOf(last) };
}
