import { useState } from "preact/hooks";
import { dayNumber, parseDate } from "../../../../core/internal.ts";
import type { GoldRates } from "../../../../core/mod.ts";
import { answerTo, daysCall } from "../asset/price_calls.ts";
import { useAnswers } from "../asset/use_answers.ts";
import { type Format, nameOf } from "../format_values.ts";
import { scaleOf } from "../market/price_numbers.tsx";
import { addressOf } from "../page_addresses.ts";
import { usePage } from "../page_context.ts";
import { fill } from "../texts.ts";
import { DateField, dayOf } from "../ui/date_field.tsx";
import { FailureBox } from "../ui/failure_box.tsx";
import { Icon } from "../ui/icon.tsx";
import { TEXTS } from "./built_texts.ts";
import {
  amountOf,
  convert,
  convertibles,
  listedAs,
  MONEY,
  type Pair,
  quoted,
  quotesOf,
  waysToDollar,
} from "./convert.ts";
import { persianWords } from "./persian_words.ts";

/** What is converted, with the amount as it was typed. */
type Conversion = Pair & { readonly amount: string };

const SAME = ["USD_RLS", "EUR_RLS", "AED_RLS", "GOLD_18_RLS", "SEKKEH_RLS", "USDT_USD", "BTC_USD", "TOMAN", "RIAL"];

/** The converter as a view: `#/convert?amount=1500&from=USD_RLS&to=TOMAN&day=2024-03-19`, with the same amount in what people compare with. */
export function View() {
  const {
    place,
    settings,
    preferences: { language, unit },
    format,
    market,
    replace,
    texts: page,
  } = usePage();
  const texts = TEXTS[language];
  const name = useNames();
  const known = convertibles(settings.assets);
  const chosen = (part: string, otherwise: string): string =>
    listedAs(place.query.get(part)?.toUpperCase() ?? "", known) ?? otherwise;
  const value: Conversion = {
    amount: place.query.get("amount") ?? "1",
    from: chosen("from", "USD_RLS"),
    to: chosen("to", unit === "toman" ? "TOMAN" : "RIAL"),
  };
  const day = dayOf(place.query.get("day") ?? "") ?? "";
  const quotes = useQuotes(value, day);
  const { units, resultIn } = quotes;
  const change = (next: Partial<Conversion>, on: string = day): void =>
    replace(addressOf("convert", undefined, { ...value, ...next, ...(on !== "" && { day: on }) }));
  const same = SAME.filter(
    (to) =>
      known.includes(to) && to !== value.from && to !== value.to && (resultIn(to) !== undefined || quotes.isComing(to)),
  );
  return (
    <div class="convert-view">
      <h1 class="visually-hidden">{page.convert}</h1>
      <Converter id="convert" value={value} quotes={quotes} day={day} change={change} />
      {market.summary !== undefined && (
        <p class="convert-day">
          <label>
            {texts.day}{" "}
            <DateField
              id="convert-day"
              value={day}
              max={market.summary.to}
              describedBy="convert-result"
              change={(on) => change({}, on)}
            />
          </label>{" "}
          {day !== "" && (
            <button type="button" onClick={() => change({}, "")}>
              {texts.today}
            </button>
          )}{" "}
          {units > 0 && (
            <button type="button" id="convert-load" onClick={quotes.load}>
              {fill(texts.load, { units: format.number(units) })}
            </button>
          )}
        </p>
      )}
      {quotes.failed && <FailureBox {...quotes.failed} />}
      {same.length > 0 && (
        <section class="sheet card">
          <h2>{texts.same}</h2>
          <dl>
            {same.map((to) => (
              <div key={to}>
                <dt>{name(to)}</dt>{" "}
                <dd>
                  <bdi class="n" dir="ltr">
                    {rounded(resultIn(to), to, format)}
                  </bdi>
                </dd>
              </div>
            ))}
          </dl>
        </section>
      )}
      {day === "" && <DollarByWay />}
    </div>
  );
}

/**
 * The amount at the latest quotes, those of one of the days of the market's answer, or of an older day, for which the API is asked.
 *
 * @param day `YYYY-MM-DD`; an empty text for the latest ones.
 */
function useQuotes({ amount: text, from, to: into }: Conversion, day: string) {
  const {
    preferences: { language },
    market: { summary, rows },
    live,
    key,
    isAwaited,
    texts: page,
  } = usePage();
  const [paid, pay] = useState("");
  const [date, first] = [parseDate(day), parseDate(summary?.from ?? "")];
  const isOld = date !== undefined && first !== undefined && date < first;
  const amount = amountOf(text);
  const callOf = (code: string) => daysCall(code, { from: date!, to: date! });
  const isOpen = (code: string): boolean => isOld && answerTo(callOf(code), key) === undefined;
  const has = (code: string): boolean => (isOpen(code) ? rows.has(code) : valueOf(code) !== undefined); // what no answer has told of may be there
  const quotesInto = (to: string): readonly string[] => quotesOf(quoted({ from, to }, has));
  const others = live.isFree ? SAME.filter((to) => to !== from && (rows.has(to) || Object.hasOwn(MONEY, to))) : []; // all that is shown, where that is free
  const codes = new Set([into, ...others].flatMap(quotesInto));
  const calls = isOld ? [...codes].map(callOf) : [];
  const name = calls.map(({ target }) => target).join(" ");
  const isAsked = live.isFree || paid === name;
  const { failed } = useAnswers(isAsked ? calls : []);

  function valueOf(code: string): number | undefined {
    if (date === undefined) return rows.get(code)?.value;
    if (isOld) return answerTo(callOf(code), key)?.at(-1)?.value;
    return (first && rows.get(code)?.days[dayNumber(date) - dayNumber(first)]) ?? undefined;
  }
  const isComing = (to: string): boolean =>
    isAsked && !failed && quotesInto(to).some((code) => codes.has(code) && isOpen(code));
  let missing: string = day === "" ? page.noPrice : TEXTS[language].unknown;
  if (amount === undefined) missing = TEXTS[language].hint;
  else if (isAwaited || isComing(into)) missing = page.loading;
  else if (quotesInto(into).some(isOpen)) missing = "";
  return {
    quotesInto,
    isComing,
    failed,
    /** What is said where there is no result. */
    missing,
    /** The amount in something else; `undefined` without a quote on the way. */
    resultIn: (to: string): number | undefined =>
      amount === undefined ? undefined : convert(amount, quoted({ from, to }, has), valueOf),
    /** Units that the missing ones cost; 0 where nothing has to be asked for, or that is free. */
    units: isAsked ? 0 : [...codes].filter(isOpen).length,
    load: () => pay(name),
  };
}

/** Beside the market and an asset: the converter, filled in with the asset that is shown, and the dollar by other ways. */
export function Rail() {
  const { place, settings, market } = usePage();
  const code = place.view === "asset" ? place.id! : "USD_RLS";
  const from = market.rows.has(code) ? listedAs(code, convertibles(settings.assets)) : undefined; // an index is not converted
  return (
    <>
      {from !== undefined && <ConverterOf key={from} from={from} />}
      <DollarByWay />
    </>
  );
}

function ConverterOf({ from }: Pick<Pair, "from">) {
  const { preferences } = usePage();
  const [value, change] = useState<Conversion>({
    amount: "1",
    from,
    to: preferences.unit === "toman" ? "TOMAN" : "RIAL",
  });
  return <Converter id="rail" value={value} quotes={useQuotes(value, "")} day="" change={change} />;
}

interface ConverterProps {
  /** The ids of its fields begin with it. */
  readonly id: string;
  readonly value: Conversion;
  readonly quotes: ReturnType<typeof useQuotes>;
  /** The day of the quotes, `YYYY-MM-DD`; an empty text for the latest. */
  readonly day: string;
  change(value: Conversion): void;
}

/** The converter: two amounts, and at which quote. The result also stands in words, or rounded: the best guard against toman for rial. */
function Converter({ id, value, quotes: { resultIn, quotesInto, missing }, day, change }: ConverterProps) {
  const {
    settings,
    preferences: { language },
    format,
    market,
    now,
    texts: page,
  } = usePage();
  const texts = TEXTS[language];
  const name = useNames();
  const { from, to } = value;
  const result = resultIn(to);
  const shown = rounded(result, to, format);
  const isSaid =
    Object.hasOwn(MONEY, to) &&
    result !== undefined &&
    result < 1e15 &&
    (result >= WHOLE_FROM || Number.isInteger(result));
  const latest = quotesInto(to)
    .flatMap((code) => market.rows.get(code)?.businessTime ?? [])
    .sort()[0];
  const at =
    latest && (format.date(Date.parse(latest)) === format.date(now) ? format.time(latest) : format.dateTime(latest));
  let quote = at === undefined ? "" : fill(texts.atQuote, { time: at });
  if (day !== "") quote = fill(texts.onDay, { day: format.date(day) });
  const choiceOf = (end: keyof Pair) => (
    <select
      id={`${id}-${end}`}
      aria-label={texts[end]}
      value={value[end]}
      onChange={({ currentTarget }) => change({ ...value, [end]: currentTarget.value })}
    >
      {convertibles(settings.assets).map((code) => (
        <option key={code} value={code}>
          {name(code)}
        </option>
      ))}
    </select>
  );
  /** As it is said: on a cheque in Persian, `2.98 billion` in English. */
  const words = (money: number): string =>
    language === "fa"
      ? persianWords(Math.round(money))
      : format.number(money, { notation: "compact", compactDisplay: "long", maximumSignificantDigits: 3 });
  // The same in the other money and in coins; in Persian the words say enough.
  const beside =
    language === "fa"
      ? []
      : [to === "TOMAN" ? "RIAL" : "TOMAN", "SEKKEH_RLS"].flatMap((code) => {
          const same = code === from ? undefined : resultIn(code);
          if (same === undefined || same < 0.01) return []; // this catalog may not have the coin
          return `${format.number(same < 1_000 ? same : Math.round(same))} ${Object.hasOwn(MONEY, code) ? format.unitName(code.toLowerCase()) : name(code)}`;
        });
  return (
    <section class="sheet card converter">
      <h2>
        {page.convert} <span class="small">{result !== undefined && quote}</span>
      </h2>
      <div class="convert-row">
        {choiceOf("from")}
        <AmountField
          id={`${id}-amount`}
          label={texts.amount}
          text={value.amount}
          change={(text) => change({ ...value, amount: text })}
        />
      </div>
      <button
        type="button"
        class="swap"
        aria-label={texts.swap}
        title={texts.swap}
        onClick={() => change({ ...value, from: to, to: from })}
      >
        <Icon name="swap" />
      </button>
      <div class="convert-row">
        {choiceOf("to")}
        <output id={`${id}-result`} for={`${id}-amount`} class={shown.length > 12 ? "long" : undefined}>
          <bdi class="n" dir="ltr">
            {shown}
          </bdi>
        </output>
      </div>
      <p class="small convert-note">
        {result === undefined
          ? missing
          : isSaid && (
              <>
                {words(result)} {format.unitName(to.toLowerCase())}
                <br />
                {beside.join(" · ")}
              </>
            )}
      </p>
      {id === "rail" && (
        <a class="small" href={addressOf("convert", undefined, value)}>
          {texts.more}
        </a>
      )}
    </section>
  );
}

/** A field for an amount, in digits of any script. Where nobody types in it, it looks like the number that it is. `label` is for screen readers. */
export function AmountField({
  id,
  label,
  text,
  change,
}: {
  readonly id: string;
  readonly label?: string;
  readonly text: string;
  change(text: string): void;
}) {
  const { format } = usePage();
  const [typed, setTyped] = useState<string>();
  const amount = amountOf(text);
  const shown = typed ?? (amount === undefined ? text : format.number(amount, { maximumFractionDigits: 12 }));
  return (
    <input
      id={id}
      aria-label={label}
      inputMode="decimal"
      autocomplete="off"
      dir="ltr"
      value={shown}
      size={Math.max(6, shown.length)}
      aria-invalid={amountOf(shown) === undefined}
      onInput={({ currentTarget: { value } }) => {
        setTyped(value);
        change(value);
      }}
      onBlur={() => setTyped(undefined)}
    />
  );
}

/** What is called how: money by its unit, assets by their name. */
export function useNames(): (code: string) => string {
  const {
    settings,
    preferences: { language },
    texts: { units },
  } = usePage();
  return (code) => {
    if (code === "RIAL") return units.rial;
    if (code === "TOMAN") return units.toman;
    return nameOf(settings.assets.find((asset) => asset.code === code)!, language);
  };
}

/** From here on, money is whole, and other results have two decimals; smaller ones have six significant digits. No number has more than 15. */
const WHOLE_FROM = 10_000;

function rounded(value: number | undefined, to: string, format: Format): string {
  if (value === undefined) return "—";
  return format.number(
    Number(value.toPrecision(15)),
    value < WHOLE_FROM ? { maximumSignificantDigits: 6 } : { maximumFractionDigits: Object.hasOwn(MONEY, to) ? 0 : 2 },
  );
}

/** The dollar by other ways than cash, at the visitor's own rates where given; on a wide card each also as a point between the cheapest and the dearest. */
export function DollarByWay({ ounce, dollar }: Partial<GoldRates>) {
  const {
    preferences: { language },
    market,
    format,
  } = usePage();
  const texts = TEXTS[language];
  const own: Readonly<Record<string, number | undefined>> = { GOLD_OUNCE_USD: ounce, USD_RLS: dollar };
  const ways = waysToDollar((code) => own[code] ?? market.rows.get(code)?.value);
  if (ways.length < 2) return null;
  const place = scaleOf(
    ways.map(({ dollar }) => dollar),
    0,
    100,
  );
  return (
    <section class="sheet card">
      <h2>
        {texts.byWay} <span class="small">{format.unitName("RLS")}</span>
      </h2>
      <dl class="by-way">
        {ways.map(({ code, dollar, ratio }) => (
          <div key={code}>
            <dt>{texts.ways[code]}</dt>{" "}
            <dd class="way-axis" aria-hidden="true">
              <i style={{ insetInlineStart: `${place(dollar)}%` }} />
            </dd>{" "}
            <dd>
              <bdi class="n" dir="ltr">
                {format.priceNumber(Math.round(dollar), "RLS")}
              </bdi>
            </dd>
            <dd class="way-ratio">
              {code === "USD_RLS" ? (
                "—"
              ) : (
                <bdi class="n" dir="ltr">
                  {format.percent(ratio, 1)}
                </bdi>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
