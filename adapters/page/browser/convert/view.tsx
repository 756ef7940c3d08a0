import { usePage } from "../context.ts";
import { addressOf } from "../places.ts";
import { DateField } from "../ui/date_field.tsx";
import { ASSET } from "../asset/messages.ts";
import { Converter, DollarByWay, rounded, useNames, useValues } from "./card.tsx";
import type { Conversion } from "./card.tsx";
import { amountOf, convert, convertibles } from "./convert.ts";
import { CONVERT } from "./messages.ts";

const SAME = ["USD_RLS", "EUR_RLS", "AED_RLS", "GOLD_18_RLS", "SEKKEH_RLS", "USDT_USD", "BTC_USD", "TOMAN", "RIAL"];

/** The converter as a view: `#/convert?amount=1500&from=USD_RLS&to=TOMAN`, with the same amount in what people compare with. */
export function View() {
  const { place, settings, preferences, format, market, replace } = usePage();
  const texts = CONVERT[preferences.language];
  const known = convertibles(settings.assets);
  const chosen = (name: string, otherwise: string): string => known.find((code) => code === place.query.get(name)) ?? otherwise;
  const value: Conversion = {
    amount: place.query.get("amount") ?? "1", from: chosen("from", "USD_RLS"), to: chosen("to", preferences.unit === "toman" ? "TOMAN" : "RIAL"), day: place.query.get("day") ?? "",
  };
  const change = ({ amount, from, to, day }: Conversion): void => replace(addressOf("convert", undefined, { amount, from, to, ...(day !== "" && { day }) }));
  const valueOf = useValues(value.day);
  const name = useNames();
  const amount = amountOf(value.amount);
  const same = SAME.filter((code) => known.includes(code) && code !== value.from && code !== value.to)
    .map((to) => ({ to, result: amount === undefined ? undefined : convert(amount, { from: value.from, to }, valueOf) }));
  const { summary } = market;
  return (
    <div class="convert-view">
      <Converter id="convert" value={value} change={change} isTitle />
      {summary !== undefined && (
        <p class="convert-day">
          <label>
            {texts.day}{" "}
            <DateField
              id="convert-day" value={value.day} min={summary.from} max={summary.to} describedBy="convert-result"
              hint={ASSET[preferences.language].jalaliHint} change={(day) => change({ ...value, day })}
            />
          </label>
          {value.day !== "" && <button type="button" onClick={() => change({ ...value, day: "" })}>{texts.today}</button>}
        </p>
      )}
      <section class="sheet card">
        <h2>{texts.same}</h2>
        <dl>
          {same.map(({ to, result }) => result !== undefined && <div key={to}><dt>{name(to)}</dt> <dd><bdi class="n" dir="ltr">{rounded(result, format.locale)}</bdi></dd></div>)}
        </dl>
      </section>
      <DollarByWay />
    </div>
  );
}
