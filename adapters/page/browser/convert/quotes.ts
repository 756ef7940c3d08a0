import { useState } from "preact/hooks";
import { dayNumber, parseDate } from "../../../../core/internal.ts";
import { answerTo, daysCall } from "../asset/calls.ts";
import { useAnswers } from "../asset/use_answers.ts";
import { usePage } from "../context.ts";
import { quotesOf } from "./convert.ts";
import type { Pair } from "./convert.ts";

/**
 * The latest quotes, those of one of the 30 days of the market's answer, or of an older day, for which the API is asked.
 *
 * @param day `YYYY-MM-DD`; an empty text for the latest ones.
 */
export function useQuotes(pair: Pair, day: string) {
  const { market: { summary, rows }, live, key } = usePage();
  const [paid, pay] = useState("");
  const date = parseDate(day);
  const range = date && { from: date, to: date };
  const index = date === undefined || summary === undefined ? undefined : dayNumber(date) - Math.round(Date.parse(summary.from) / 86_400_000);
  const calls = range === undefined || index === undefined || index >= 0 ? [] : quotesOf(pair).map((code) => daysCall(code, range));
  const name = calls.map(({ target }) => target).join(" ");
  const isAsked = live.isFree || paid === name;
  const { thrown, retry } = useAnswers(isAsked ? calls : []);
  return {
    valueOf(code: string): number | undefined {
      if (range === undefined) return rows.get(code)?.value;
      return (calls.length === 0 ? rows.get(code)?.days[index ?? -1] : answerTo(daysCall(code, range), key)?.at(-1)?.value) ?? undefined;
    },
    /** Units that the missing ones cost; 0 where nothing has to be asked for, or that is free. */
    units: isAsked ? 0 : calls.filter((call) => answerTo(call, key) === undefined).length,
    /** Asks for them. */
    load: () => pay(name),
    thrown, retry,
  };
}
