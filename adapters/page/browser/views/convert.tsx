import { useState } from "preact/hooks";
import { dayNumber, parseDate } from "../../../../core/internal.ts";
import type { GoldRates } from "../../../../core/mod.ts";
import type { MarketRow } from "../../market_summary.ts";
import { addressOf, type Place } from "../data/addresses.ts";
import { answerTo, daysCall } from "../data/answers.ts";
import {
  amountOf,
  convert,
  convertibles,
  listedAs,
  MONEY,
  type Pair,
  persianWords,
  quoted,
  quotesOf,
  waysToDollar,
} from "../data/conversion.ts";
import { scaleOf } from "../data/lines.ts";
import { isStale } from "../data/market.ts";
import * as state from "../data/state.ts";
import { Select } from "../parts/buttons.tsx";
import { Card } from "../parts/card.tsx";
import { AmountField, DateField, dayOf } from "../parts/fields.tsx";
import { icon } from "../parts/icons.tsx";
import { FailureBox } from "../parts/lazy_parts.tsx";
import { num, StaleAge } from "../parts/numbers.tsx";
import { useAnswers } from "../parts/use_answers.ts";
import { TEXTS } from "../texts/built_convert.ts";
import { fill } from "../texts/fill.ts";

type Conversion = Pair & { readonly amount: string };

const { settings } = state;
const CONVERTIBLES = convertibles(settings.assets);
const SAME = ["USD_RLS", "EUR_RLS", "AED_RLS", "GOLD_18_RLS", "SEKKEH_RLS", "USDT_USD", "BTC_USD", "TOMAN", "RIAL"];

const isMoney = (code: string): boolean => Object.hasOwn(MONEY, code);
const ownMoney = (): string => (state.preferences.value.unit === "toman" ? "TOMAN" : "RIAL");

const addressFor = (value: Conversion, day: string): string =>
  addressOf("convert", undefined, day === "" ? value : { ...value, day });

/** The converter's view: `#/convert?amount=1500&from=USD_RLS&to=TOMAN&day=2024-03-19`. */
export function View({ query }: Pick<Place, "query">) {
  const texts = TEXTS[state.language.value];
  const { summary } = state.market.value;
  const chosen = (part: string): string | undefined => listedAs(query.get(part)?.toUpperCase() ?? "", CONVERTIBLES);
  const pair = { from: chosen("from") ?? "USD_RLS", to: chosen("to") ?? ownMoney() };
  const value: Conversion = { amount: query.get("amount") ?? "1", ...pair };
  const day = dayOf(query.get("day") ?? "") ?? "";
  const quotes = useQuotes(value, day);
  const { resultIn, isComing } = quotes;
  const show = (next: Conversion, on: string): void => state.replaceAddress(addressFor(next, on));
  const changeDay = (on: string): void => show(value, on);
  const others = SAME.filter((to) => CONVERTIBLES.includes(to) && !Object.values(pair).includes(to));
  const same = others.filter((to) => resultIn(to) !== undefined || isComing(to));
  return (
    <div class="convert-view">
      <h1 class="visually-hidden">{state.texts.value.convert}</h1>
      <Converter id="convert" value={value} quotes={quotes} day={day} change={(next) => show(next, day)} />
      {summary !== undefined && (
        <p class="convert-day">
          <label>
            {texts.day}{" "}
            <DateField id="convert-day" value={day} max={summary.to} describedBy="convert-result" change={changeDay} />
          </label>{" "}
          {day !== "" && <button onClick={() => changeDay("")}>{texts.today}</button>}
        </p>
      )}
      {quotes.failed && <FailureBox {...quotes.failed} />}
      {same.length > 0 && (
        <Card title={texts.same} rows={same.map((to) => [nameOfCode(to), rounded(resultIn(to), to)])} />
      )}
      {day === "" && <DollarByWay />}
    </div>
  );
}

/**
 * Converts at the latest quotes or the quotes of a past day. Requests the day if the market's answer does not have it.
 *
 * @param day `YYYY-MM-DD`; empty for the latest quotes.
 * @param past The prices of that day, if already loaded, so that no request is needed.
 */
function useQuotes({ amount: text, from, to: into }: Conversion, day: string, past?: PastPrices) {
  const page = state.texts.value;
  const texts = TEXTS[state.language.value];
  const { summary, rows } = state.market.value;
  const isFree = state.isFree.value;
  const [paid, pay] = useState("");
  const [date, first] = [parseDate(day), parseDate(summary?.from ?? "")];
  const isOld = past === undefined && date !== undefined && first !== undefined && date < first;
  const amount = amountOf(text);
  const callOf = (code: string) => daysCall(code, { from: date!, to: date! });
  const answerOf = (code: string) => answerTo(callOf(code), state.key.value);
  const isOpen = (code: string): boolean => isOld && answerOf(code) === undefined;
  const has = (code: string): boolean => (isOpen(code) ? rows.has(code) : valueOf(code) !== undefined); // before loading, assume a price
  const quotesInto = (to: string): readonly string[] => quotesOf(quoted({ from, to }, has));
  const others = isFree ? SAME.filter((to) => to !== from && (rows.has(to) || isMoney(to))) : []; // other amounts are shown only if requests are free
  const codes = new Set([into, ...others].flatMap(quotesInto));
  const calls = isOld ? [...codes].map(callOf) : [];
  const name = calls.map(({ target }) => target).join(" ");
  const isAsked = isFree || paid === name;
  const { failed } = useAnswers(isAsked ? calls : []);

  function valueOf(code: string): number | undefined {
    if (past !== undefined) return past.rows.get(code)?.value;
    if (date === undefined) return rows.get(code)?.value;
    if (isOld) return answerOf(code)?.at(-1)?.value;
    return (first && rows.get(code)?.days[dayNumber(date) - dayNumber(first)]) ?? undefined;
  }
  const isComing = (to: string): boolean =>
    isAsked && !failed && quotesInto(to).some((code) => codes.has(code) && isOpen(code));
  let missing: string = day === "" ? page.noPrice : texts.unknown;
  if (state.key.value === undefined) missing = page.noKeyYet;
  if (amount === undefined) missing = texts.hint;
  else if (state.isAwaited.value || isComing(into)) missing = page.loading;
  else if (quotesInto(into).some(isOpen)) missing = "";
  return {
    quotesInto,
    isComing,
    failed,
    /** The text that is shown instead of a result. */
    missing,
    /** The amount in another asset or currency; `undefined` if a needed quote is missing. */
    resultIn: (to: string): number | undefined =>
      amount === undefined ? undefined : convert(amount, quoted({ from, to }, has), valueOf),
    /** How many units the missing prices cost; 0 if no price is missing or requests are free. */
    units: isAsked ? 0 : [...codes].filter(isOpen).length,
    load: () => pay(name),
  };
}

type PastPrices = Readonly<{ day: string; rows: ReadonlyMap<string, Pick<MarketRow, "value">> }>;
type RailProps = Readonly<{ code: string; past?: PastPrices | undefined; day?: string }>;

/**
 * Shown beside the market and an asset: the converter from `code` and, if all prices are loaded, the implied dollar
 * rates. The prices are the latest, those of `past`, or those of another `day`, which are requested.
 */
export function Rail({ code, past, day = past?.day ?? "" }: RailProps) {
  const from = state.rows.value.has(code) ? listedAs(code, CONVERTIBLES) : undefined; // indices cannot be converted
  return (
    <>
      {from !== undefined && <ConverterOf key={from} from={from} past={past} day={day} />}
      {(day === "" || past) && <DollarByWay {...(past && { rows: past.rows })} />}
    </>
  );
}

function ConverterOf({ from, past, day = "" }: Pick<Pair, "from"> & Omit<RailProps, "code">) {
  const [value, change] = useState<Conversion>({ amount: "1", from, to: ownMoney() });
  return <Converter id="rail" value={value} quotes={useQuotes(value, day, past)} day={day} change={change} />;
}

type Quotes = ReturnType<typeof useQuotes>;
type ConverterProps = Readonly<{
  id: string;
  value: Conversion;
  quotes: Quotes;
  day: string;
  change(next: Conversion): void;
}>;

/** The converter: two amounts and the quote used. The words below the result prevent confusion of rial and toman. */
function Converter({ id, value, quotes, day, change }: ConverterProps) {
  const page = state.texts.value;
  const texts = TEXTS[state.language.value];
  const { unitName } = state.format.value;
  const { from, to } = value;
  const swap = (): void => change({ ...value, from: to, to: from });
  const changeAmount = (amount: string): void => change({ ...value, amount });
  const result = quotes.resultIn(to);
  const shown = rounded(result, to);
  const isWhole = result !== undefined && result < 1e15 && (result >= WHOLE_FROM || Number.isInteger(result));
  const isOld = quotes.quotesInto(to).some((code) => {
    const row = day === "" ? state.rows.value.get(code) : undefined;
    return row !== undefined && isStale(row, state.now.value, settings.staleThresholdMinutes);
  });
  const choiceOf = (end: keyof Pair) => (
    <Select
      name={`${id}-${end}`}
      label={texts[end]}
      options={CONVERTIBLES.map((code) => [code, nameOfCode(code)])}
      chosen={value[end]}
      choose={(code) => change({ ...value, [end]: code })}
    />
  );
  return (
    <Card
      look={isOld ? "converter old" : "converter"}
      title={page.convert}
      note={result !== undefined && quoteText(quotes.quotesInto(to), day)}
    >
      <div class="convert-row">
        {choiceOf("from")}
        <AmountField id={`${id}-amount`} label={texts.amount} text={value.amount} change={changeAmount} />
      </div>
      <button class="swap" aria-label={texts.swap} title={texts.swap} onClick={swap}>
        {icon("swap")}
      </button>
      <div class="convert-row">
        {choiceOf("to")}
        <output id={`${id}-result`} for={`${id}-amount`} class={shown.length > 13 ? "long" : undefined}>
          {num(shown)}
        </output>
      </div>
      <p class="small convert-note">
        {result === undefined && quotes.missing}
        {isWhole && isMoney(to) && (
          <>
            {inWords(result)} {unitName(to.toLowerCase())}
            <br />
            {besideText(value, quotes)}
          </>
        )}
      </p>
      {quotes.units > 0 && (
        <button id={`${id}-load`} onClick={quotes.load}>
          {fill(texts.load, { units: state.format.value.number(quotes.units) })}
        </button>
      )}
      {id === "rail" && (
        <a class="small" href={addressFor(value, day)}>
          {texts.more}
        </a>
      )}
    </Card>
  );
}

/** Says which quotes were used: the day of the quotes, or the time of the oldest quote. */
function quoteText(codes: readonly string[], day: string): string {
  const { atQuote, onDay } = TEXTS[state.language.value];
  const { date, time, dateTime } = state.format.value;
  if (day !== "") return fill(onDay, { day: date(day) });
  const [oldest] = codes.flatMap((code) => state.rows.value.get(code)?.businessTime ?? []).sort();
  if (oldest === undefined) return "";
  const isToday = date(Date.parse(oldest)) === date(state.now.value);
  return fill(atQuote, { time: isToday ? time(oldest) : dateTime(oldest) });
}

/** Money in words: in Persian as on a cheque, in English e.g. `2.98 billion`. */
function inWords(money: number): string {
  if (state.language.value === "fa") return persianWords(Math.round(money));
  const digits = { minimumSignificantDigits: 3, maximumSignificantDigits: 3 };
  return state.format.value.number(money, { notation: "compact", compactDisplay: "long", ...digits });
}

/** The same amount in toman or rial, and in coins. Empty in Persian, where the amount in words is enough. */
function besideText({ from, to }: Conversion, { resultIn }: Quotes): string {
  if (state.language.value === "fa") return "";
  const { number, unitName } = state.format.value;
  const texts = [to === "TOMAN" ? "RIAL" : "TOMAN", "SEKKEH_RLS"].flatMap((code) => {
    const same = code === from ? undefined : resultIn(code);
    if (same === undefined || same < 0.01) return []; // a custom catalog may not have the coin
    const name = isMoney(code) ? unitName(code.toLowerCase()) : nameOfCode(code);
    return `${number(same < 1_000 ? same : Math.round(same))} ${name}`;
  });
  return texts.join(" · ");
}

/** The name of rial, toman or an asset. */
function nameOfCode(code: string): string {
  const { units } = state.texts.value;
  if (isMoney(code)) return code === "RIAL" ? units.rial : units.toman;
  return state.nameOfCode(code);
}

/** From this size on, money is rounded to whole numbers, assets to two decimals. Smaller results have six digits. */
const WHOLE_FROM = 10_000;

function rounded(value: number | undefined, to: string): string {
  if (value === undefined) return "—";
  const isWhole = to === "TOMAN" ? value >= 1_000 : isMoney(to) && value >= WHOLE_FROM; // toman as prices are
  const digits = value < WHOLE_FROM ? { maximumSignificantDigits: 6 } : { maximumFractionDigits: 2 };
  return state.format.value.number(Number(value.toPrecision(15)), isWhole ? { maximumFractionDigits: 0 } : digits);
}

/** The dollar rates that other assets imply. If given, `ounce` and `dollar` replace the market's rates. */
export function DollarByWay({ rows = state.rows.value, ...rates }: Partial<GoldRates & Pick<PastPrices, "rows">>) {
  const texts = TEXTS[state.language.value];
  const { unitName, wholePrice, percent } = state.format.value;
  const own: Readonly<Record<string, number | undefined>> = { GOLD_OUNCE_USD: rates.ounce, USD_RLS: rates.dollar };
  const ways = waysToDollar((code) => own[code] ?? rows.get(code)?.value);
  if (ways.length < 2) return null;
  const prices = ways.map(({ dollar }) => dollar);
  const place = scaleOf(prices, 0, 100);
  return (
    <Card title={texts.byWay} note={unitName("RLS")}>
      <dl class="by-way">
        {ways.map(({ code, dollar, ratio }) => (
          <div key={code}>
            <dt>
              {texts.ways[code]} {own[code] === undefined && <StaleAge latest={state.rows.value.get(code)} />}
            </dt>{" "}
            <dd class="way-axis" aria-hidden="true">
              <i style={{ insetInlineStart: `${place(dollar)}%` }} />
            </dd>{" "}
            <dd>{num(wholePrice(dollar, "RLS"))}</dd>
            <dd class="way-ratio">{code === "USD_RLS" ? "—" : num(percent(ratio, 1))}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
