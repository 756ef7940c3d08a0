import { useState } from "preact/hooks";
import { dayNumber, parseDate } from "../../../../core/internal.ts";
import { answerTo, daysCall } from "../asset/calls.ts";
import { useAnswers } from "../asset/use_answers.ts";
import { usePage } from "../context.ts";
import { addressOf } from "../places.ts";
import { fill, textsIn } from "../texts.ts";
import { DateField } from "../ui/date_field.tsx";
import { FailureBox } from "../ui/failure_box.tsx";
import { Converter, DollarByWay, rounded, useNames } from "./card.tsx";
import type { Conversion } from "./card.tsx";
import { amountOf, convert, convertibles, quotesOf } from "./convert.ts";
import { CONVERT } from "./messages.ts";

const SAME = ["USD_RLS", "EUR_RLS", "AED_RLS", "GOLD_18_RLS", "SEKKEH_RLS", "USDT_USD", "BTC_USD", "TOMAN", "RIAL"];

/** The converter as a view: `#/convert?amount=1500&from=USD_RLS&to=TOMAN&day=2024-03-19`, with the same amount in what people compare with. */
export function View() {
  const { place, settings, preferences: { language, unit }, format, market, replace } = usePage();
  const texts = textsIn(CONVERT, language);
  const name = useNames();
  const known = convertibles(settings.assets);
  const chosen = (part: string, otherwise: string): string => known.find((code) => code === place.query.get(part)) ?? otherwise;
  const value: Conversion = { amount: place.query.get("amount") ?? "1", from: chosen("from", "USD_RLS"), to: chosen("to", unit === "toman" ? "TOMAN" : "RIAL") };
  const day = parseDate(place.query.get("day") ?? "") ?? "";
  const { valueOf, units, load, thrown, retry } = useQuotes(value, day);
  const change = (next: Partial<Conversion>, on: string = day): void => replace(addressOf("convert", undefined, { ...value, ...next, ...(on !== "" && { day: on }) }));
  const amount = amountOf(value.amount);
  const same = SAME.filter((to) => amount !== undefined && known.includes(to) && to !== value.from && to !== value.to)
    .map((to) => ({ to, result: convert(amount!, { from: value.from, to }, valueOf) })).filter(({ result }) => result !== undefined);
  return (
    <div class="convert-view">
      <h1 class="visually-hidden">{texts.title}</h1>
      <Converter id="convert" value={value} valueOf={valueOf} day={day} change={change} />
      {market.summary !== undefined && (
        <p class="convert-day">
          <label>
            {texts.day}{" "}
            <DateField id="convert-day" value={day} min="" max={market.summary.to} describedBy="convert-result" change={(on) => change({}, on)} />
          </label>{" "}
          {day !== "" && <button type="button" onClick={() => change({}, "")}>{texts.today}</button>}{" "}
          {units > 0 && <button type="button" id="convert-load" onClick={load}>{fill(texts.load, { units: format.number(units) })}</button>}
        </p>
      )}
      {thrown !== undefined && <FailureBox thrown={thrown.error} retry={retry} />}
      {same.length > 0 && (
        <section class="sheet card">
          <h2>{texts.same}</h2>
          <dl>{same.map(({ to, result }) => <div key={to}><dt>{name(to)}</dt> <dd><bdi class="n" dir="ltr">{rounded(result!, format.locale)}</bdi></dd></div>)}</dl>
        </section>
      )}
      {day === "" && <DollarByWay />}
    </div>
  );
}

/**
 * The latest quotes, those of one of the 30 days of the market's answer, or of an older day, for which the API is asked.
 *
 * @param day `YYYY-MM-DD`; an empty text for the latest ones.
 */
function useQuotes(pair: Conversion, day: string) {
  const { market: { summary, rows }, live, key } = usePage();
  const [paid, pay] = useState("");
  const [date, first] = [parseDate(day), parseDate(summary?.from ?? "")];
  const callOf = (code: string) => daysCall(code, { from: date!, to: date! });
  const isOld = date !== undefined && first !== undefined && date < first;
  const calls = isOld ? quotesOf(pair).map(callOf) : [];
  const name = calls.map(({ target }) => target).join(" ");
  const isAsked = live.isFree || paid === name;
  const { thrown, retry } = useAnswers(isAsked ? calls : []);

  function valueOf(code: string): number | undefined {
    if (date === undefined) return rows.get(code)?.value;
    if (isOld) return answerTo(callOf(code), key)?.at(-1)?.value;
    return (first && rows.get(code)?.days[dayNumber(date) - dayNumber(first)]) ?? undefined;
  }
  /** Units that the missing ones cost; 0 where nothing has to be asked for, or that is free. */
  const units = isAsked ? 0 : calls.filter((call) => answerTo(call, key) === undefined).length;
  return { valueOf, units, load: () => pay(name), thrown, retry };
}
