import type { PageContext } from "../legacy.tsx";
import { unitOf } from "../format.ts";
import type { PriceUnit } from "../format.ts";
import { messagesOf } from "../messages.ts";
import type { PageAsset } from "../../page_settings.ts";
import { parseDate } from "../../../../core/internal.ts";
import type { CalendarDate, CatalogEntry } from "../../../../core/mod.ts";
import { questionsAbout } from "./answers.ts";
import type { Question, Questions } from "./answers.ts";
import { choiceAddress, parseChoice } from "./choice.ts";
import type { Choice } from "./choice.ts";
import type { DayRange } from "./days.ts";
import type { Outcome } from "./memory.ts";
import { ASSET } from "./messages.ts";
import type { AssetMessages } from "./messages.ts";
import type { Supply } from "./ranges.ts";

/** What all parts of the view are drawn from. */
export interface Scene {
  readonly context: PageContext;
  readonly asset: PageAsset;
  readonly unit: PriceUnit;
  readonly texts: AssetMessages;
  readonly choice: Choice;
  readonly questions: Questions;
}

/** Gathers what is known before any answer. */
export function createScene(context: PageContext, asset: PageAsset): Scene {
  return {
    context,
    asset,
    unit: unitOf(asset),
    texts: messagesOf(ASSET, context.preferences.language),
    choice: parseChoice(context.place.query),
    questions: questionsAbout(asset, context.client, context.key),
  };
}

/** Draws the view with another choice, without an entry in the history. */
export function choose({ context, asset, choice }: Scene, change: Partial<Choice>): void {
  context.replace(choiceAddress(asset.code, { ...choice, ...change }));
}

/** What there is of an asset, by its catalog entry; `undefined` if there is no record. */
export function supplyOf({ ohlcAvailableFrom, businessTime }: CatalogEntry<string>, maxCandles: number): Supply | undefined {
  if (businessTime === null) return undefined;
  return { first: Date.parse(ohlcAvailableFrom ?? businessTime), last: Date.parse(businessTime), maxCandles };
}

/** The market days of the first and the latest record. */
export function recordDays({ first, last }: Supply, marketTimeZone: string): DayRange {
  return { from: marketDay(first, marketTimeZone), to: marketDay(last, marketTimeZone) };
}

/** The calendar day of a moment in a time zone. */
export function marketDay(time: number, timeZone: string): CalendarDate {
  const day = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short" }).format(time); // Swedish dates are written YYYY-MM-DD
  return parseDate(day)!;
}

/** Uses an answer: at once if there is one, else when it has come, unless the view was left or drawn anew. */
export function whenAnswered<Value>(question: Question<Value>, signal: AbortSignal, use: (outcome: Outcome<Value>) => void): void {
  const known = question.answer();
  if (known !== undefined) return use(known);
  void question.ask().then((outcome) => {
    if (!signal.aborted) use(outcome);
  });
}
