import { useState } from "preact/hooks";
import { dayNumber, parseDate } from "../../../../core/internal.ts";
import { answerTo, daysCall } from "../asset/calls.ts";
import { useAnswers } from "../asset/use_answers.ts";
import { usePage } from "../context.ts";
import type { Format } from "../format.ts";
import { nameOf } from "../format.ts";
import { addressOf } from "../places.ts";
import { fill, textsIn } from "../texts.ts";
import { DateField } from "../ui/date_field.tsx";
import { FailureBox } from "../ui/failure_box.tsx";
import { Icon } from "../ui/icon.tsx";
import { MONEY, amountOf, convert, convertibles, quotesOf, waysToDollar } from "./convert.ts";
import type { Pair, ValueOf } from "./convert.ts";
import { CONVERT } from "./messages.ts";
import { persianWords } from "./words.ts";

/** What is converted, with the amount as it was typed. */
type Conversion = Pair & { readonly amount: string };

const SAME = ["USD_RLS", "EUR_RLS", "AED_RLS", "GOLD_18_RLS", "SEKKEH_RLS", "USDT_USD", "BTC_USD", "TOMAN", "RIAL"];

/** The converter as a view: `#/convert?amount=1500&from=USD_RLS&to=TOMAN&day=2024-03-19`, with the same amount in what people compare with. */
export function View() {
  const { place, settings, preferences: { language, unit }, format, market, replace, texts: page } = usePage();
  const texts = textsIn(CONVERT, language);
  const name = useNames();
  const known = convertibles(settings.assets);
  const chosen = (part: string, otherwise: string): string => known.find((code) => code === place.query.get(part)) ?? otherwise;
  const value: Conversion = { amount: place.query.get("amount") ?? "1", from: chosen("from", "USD_RLS"), to: chosen("to", unit === "toman" ? "TOMAN" : "RIAL") };
  const day = parseDate(place.query.get("day") ?? "") ?? "";
  const { valueOf, units, load, failed } = useQuotes(value, day);
  const change = (next: Partial<Conversion>, on: string = day): void => replace(addressOf("convert", undefined, { ...value, ...next, ...(on !== "" && { day: on }) }));
  const amount = amountOf(value.amount);
  const same = SAME.filter((to) => amount !== undefined && known.includes(to) && to !== value.from && to !== value.to)
    .map((to) => ({ to, result: convert(amount!, { from: value.from, to }, valueOf) })).filter(({ result }) => result !== undefined);
  return (
    <div class="convert-view">
      <h1 class="visually-hidden">{page.convert}</h1>
      <Converter id="convert" value={value} valueOf={valueOf} day={day} change={change} />
      {market.summary !== undefined && (
        <p class="convert-day">
          <label>{texts.day} <DateField id="convert-day" value={day} max={market.summary.to} describedBy="convert-result" change={(on) => change({}, on)} /></label>{" "}
          {day !== "" && <button type="button" onClick={() => change({}, "")}>{texts.today}</button>}{" "}
          {units > 0 && <button type="button" id="convert-load" onClick={load}>{fill(texts.load, { units: format.number(units) })}</button>}
        </p>
      )}
      {failed && <FailureBox {...failed} />}
      {same.length > 0 && (
        <section class="sheet card">
          <h2>{texts.same}</h2>
          <dl>{same.map(({ to, result }) => <div key={to}><dt>{name(to)}</dt> <dd><bdi class="n" dir="ltr">{rounded(result!, format)}</bdi></dd></div>)}</dl>
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
function useQuotes(pair: Pair, day: string) {
  const { market: { summary, rows }, live, key } = usePage();
  const [paid, pay] = useState("");
  const [date, first] = [parseDate(day), parseDate(summary?.from ?? "")];
  const callOf = (code: string) => daysCall(code, { from: date!, to: date! });
  const isOld = date !== undefined && first !== undefined && date < first;
  const calls = isOld ? quotesOf(pair).map(callOf) : [];
  const name = calls.map(({ target }) => target).join(" ");
  const isAsked = live.isFree || paid === name;
  const { failed } = useAnswers(isAsked ? calls : []);

  function valueOf(code: string): number | undefined {
    if (date === undefined) return rows.get(code)?.value;
    if (isOld) return answerTo(callOf(code), key)?.at(-1)?.value;
    return (first && rows.get(code)?.days[dayNumber(date) - dayNumber(first)]) ?? undefined;
  }
  /** Units that the missing ones cost; 0 where nothing has to be asked for, or that is free. */
  const units = isAsked ? 0 : calls.filter((call) => answerTo(call, key) === undefined).length;
  return { valueOf, units, load: () => pay(name), failed };
}

/** Beside the market and an asset: the converter, filled in with the asset that is shown, and the dollar by other ways. */
export function Rail() {
  const { place, market } = usePage();
  const code = place.view === "asset" ? place.id! : "USD_RLS";
  return <>{market.rows.has(code) && code !== "STOCK_IR" && <ConverterOf key={code} code={code} />}<DollarByWay /></>;
}

function ConverterOf({ code }: { readonly code: string }) {
  const { preferences, market } = usePage();
  const [value, change] = useState<Conversion>({ amount: "1", from: code, to: preferences.unit === "toman" ? "TOMAN" : "RIAL" });
  return <Converter id="rail" value={value} valueOf={(one) => market.rows.get(one)?.value} day="" change={change} />;
}

interface ConverterProps {
  /** The ids of its fields begin with it. */
  readonly id: string;
  readonly value: Conversion;
  readonly valueOf: ValueOf;
  /** The day of the quotes, `YYYY-MM-DD`; an empty text for the latest. */
  readonly day: string;
  change(value: Conversion): void;
}

/** The converter: two amounts, and at which quote. The result also stands in words, or rounded: the best guard against toman for rial. */
function Converter({ id, value, valueOf, day, change }: ConverterProps) {
  const { settings, preferences: { language }, format, market, texts: page } = usePage();
  const texts = textsIn(CONVERT, language);
  const name = useNames();
  const { from, to } = value;
  const amount = amountOf(value.amount);
  const result = amount === undefined ? undefined : convert(amount, value, valueOf);
  const shown = result === undefined ? "—" : rounded(result, format);
  const latest = [from, to].flatMap((code) => market.rows.get(code)?.businessTime ?? []).sort()[0];
  const quote = day !== "" ? fill(texts.onDay, { day: format.date(day) }) : latest === undefined ? "" : fill(texts.atQuote, { time: format.time(latest) });
  const choiceOf = (end: keyof Pair) => (
    <select id={`${id}-${end}`} aria-label={texts[end]} value={value[end]} onChange={({ currentTarget }) => change({ ...value, [end]: currentTarget.value })}>
      {convertibles(settings.assets).map((code) => <option key={code} value={code}>{name(code)}</option>)}
    </select>
  );
  /** As it is said: on a cheque in Persian, `2.98 billion` in English. */
  const words = (money: number): string =>
    language === "fa" ? persianWords(Math.round(money)) : format.number(money, { notation: "compact", compactDisplay: "long", maximumSignificantDigits: 3 });
  return (
    <section class="sheet card converter">
      <h2>{page.convert} <span class="small">{quote}</span></h2>
      <div class="convert-row">
        {choiceOf("from")}
        <AmountField id={`${id}-amount`} label={texts.amount} text={value.amount} change={(text) => change({ ...value, amount: text })} />
      </div>
      <button type="button" class="swap" aria-label={texts.swap} title={texts.swap} onClick={() => change({ ...value, from: to, to: from })}>
        <Icon name="swap" />
      </button>
      <div class="convert-row">
        {choiceOf("to")}
        <output id={`${id}-result`} for={`${id}-amount`} class={shown.length > 12 ? "long" : undefined}><bdi class="n" dir="ltr">{shown}</bdi></output>
      </div>
      <p class="small convert-note">
        {amount === undefined ? texts.hint : result === undefined ? texts.unknown
          : Object.hasOwn(MONEY, to) && result < 1e15 && `${words(result)} ${format.unitName(to.toLowerCase())}`}
      </p>
    </section>
  );
}

/** A field for an amount, in digits of any script. Where nobody types in it, it looks like the number that it is. `label` is for screen readers. */
export function AmountField({ id, label, text, change }: { readonly id: string; readonly label?: string; readonly text: string; change(text: string): void }) {
  const { format } = usePage();
  const [typed, setTyped] = useState<string>();
  const amount = amountOf(text);
  const shown = typed ?? (amount === undefined ? text : format.number(amount, { maximumFractionDigits: 12 }));
  return (
    <input
      id={id} aria-label={label} inputMode="decimal" autocomplete="off" dir="ltr" value={shown} size={Math.max(6, shown.length)} aria-invalid={amountOf(shown) === undefined}
      onInput={({ currentTarget: { value } }) => (setTyped(value), change(value))} onBlur={() => setTyped(undefined)}
    />
  );
}

/** What is called how: money by its unit, assets by their name. */
function useNames(): (code: string) => string {
  const { settings, preferences: { language }, texts: { units } } = usePage();
  return (code) => (code === "RIAL" ? units.rial : code === "TOMAN" ? units.toman : nameOf(settings.assets.find((asset) => asset.code === code)!, language));
}

/** A result with the digits that matter: whole above 10,000, else six significant ones. */
function rounded(value: number, format: Format): string {
  return format.number(value, value >= 10_000 ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: 6 });
}

/** The dollar by other ways than cash; on a wide card each also as a point between the cheapest and the dearest. */
export function DollarByWay() {
  const { preferences: { language }, market, format } = usePage();
  const texts = textsIn(CONVERT, language);
  const ways = waysToDollar((code) => market.rows.get(code)?.value);
  if (ways.length < 2) return null;
  const [low, high] = [Math.min, Math.max].map((most) => most(...ways.map(({ dollar }) => dollar)));
  return (
    <section class="sheet card">
      <h2>{texts.byWay} <span class="small">{format.unitName("RLS")}</span></h2>
      <dl class="by-way">
        {ways.map(({ code, dollar, ratio }) => (
          <div key={code}>
            <dt>{texts.ways[code]}</dt>{" "}
            <dd class="way-axis" aria-hidden="true"><i style={{ insetInlineStart: `${((dollar - low!) / (high! - low! || 1)) * 100}%` }} /></dd>{" "}
            <dd><bdi class="n" dir="ltr">{format.priceNumber(Math.round(dollar), "RLS")}</bdi></dd>
            <dd class="way-ratio">{code === "USD_RLS" ? "—" : <bdi class="n" dir="ltr">{format.percent(ratio)}</bdi>}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
