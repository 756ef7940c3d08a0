import { parseDate } from "../../../../core/internal.ts";
import { usePage } from "../context.ts";
import { addressOf } from "../places.ts";
import { fill, textsIn } from "../texts.ts";
import { DateField } from "../ui/date_field.tsx";
import { FailureBox } from "../ui/failure_box.tsx";
import { Converter, DollarByWay, rounded, useNames } from "./card.tsx";
import type { Conversion } from "./card.tsx";
import { amountOf, convert, convertibles } from "./convert.ts";
import { CONVERT } from "./messages.ts";
import { useQuotes } from "./quotes.ts";

const SAME = ["USD_RLS", "EUR_RLS", "AED_RLS", "GOLD_18_RLS", "SEKKEH_RLS", "USDT_USD", "BTC_USD", "TOMAN", "RIAL"];

/** The converter as a view: `#/convert?amount=1500&from=USD_RLS&to=TOMAN&day=2024-03-19`, with the same amount in what people compare with. */
export function View() {
  const { place, settings, preferences: { language, unit }, format, market, replace } = usePage();
  const texts = textsIn(CONVERT, language);
  const name = useNames();
  const known = convertibles(settings.assets);
  const chosen = (part: string, otherwise: string): string => known.find((code) => code === place.query.get(part)) ?? otherwise;
  const value: Conversion = { amount: place.query.get("amount") ?? "1", from: chosen("from", "USD_RLS"), to: chosen("to", unit === "toman" ? "TOMAN" : "RIAL") };
  const { from } = value;
  const day = parseDate(place.query.get("day") ?? "") ?? "";
  const { valueOf, units, load, thrown, retry } = useQuotes(value, day);
  const change = (next: Partial<Conversion>, on: string = day): void => replace(addressOf("convert", undefined, { ...value, ...next, ...(on !== "" && { day: on }) }));
  const amount = amountOf(value.amount);
  const same = SAME.filter((code) => known.includes(code) && code !== from && code !== value.to)
    .map((to) => ({ to, result: amount === undefined ? undefined : convert(amount, { from, to }, valueOf) })).filter(({ result }) => result !== undefined);
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
