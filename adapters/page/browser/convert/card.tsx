import { useState } from "preact/hooks";
import { usePage } from "../context.ts";
import { nameOf } from "../titles.ts";
import { Icon } from "../ui/icon.tsx";
import { MONEY, amountOf, convert, convertibles, latestValues, valuesOfDay } from "./convert.ts";
import type { Convertible } from "./convert.ts";
import { waysToDollar } from "./dollars.ts";
import { CONVERT } from "./messages.ts";
import { persianWords } from "./words.ts";

/** What is converted. */
export interface Conversion {
  /** As it was typed. */
  readonly amount: string;
  readonly from: Convertible;
  readonly to: Convertible;
  /** A market day, `YYYY-MM-DD`; an empty text for the latest values. */
  readonly day: string;
}

interface ConverterProps {
  /** The ids of its fields begin with it. */
  readonly id: string;
  readonly value: Conversion;
  readonly isTitle?: boolean;
  change(value: Conversion): void;
}

/** The converter: two amounts, and at which quote. In Persian the result stands in words, too. */
export function Converter({ id, value, change, isTitle = false }: ConverterProps) {
  const { preferences: { language }, format, market } = usePage();
  const texts = CONVERT[language];
  const valueOf = useValues(value.day);
  const amount = amountOf(value.amount);
  const result = amount === undefined ? undefined : convert(amount, value, valueOf);
  const latest = [value.from, value.to].flatMap((code) => market.rows.get(code)?.businessTime ?? []).sort()[0];
  const quote = value.day !== "" ? texts.onDay(format.date(value.day)) : latest === undefined ? "" : texts.atQuote(format.time(latest));
  const Title = isTitle ? "h1" : "h2";
  return (
    <section class="sheet card converter">
      <Title>{texts.title} <span class="small">{quote}</span></Title>
      <div class="convert-row">
        <Choice id={`${id}-from`} label={texts.from} chosen={value.from} choose={(from) => change({ ...value, from })} />
        <input
          id={`${id}-amount`} aria-label={texts.amount} inputMode="decimal" autocomplete="off" dir="ltr" value={value.amount} aria-invalid={amount === undefined} title={texts.hint}
          onInput={({ currentTarget }) => change({ ...value, amount: currentTarget.value })}
        />
      </div>
      <button type="button" class="swap" aria-label={texts.swap} title={texts.swap} onClick={() => change({ ...value, from: value.to, to: value.from })}>
        <Icon name="swap" />
      </button>
      <div class="convert-row">
        <Choice id={`${id}-to`} label={texts.to} chosen={value.to} choose={(to) => change({ ...value, to })} />
        <output id={`${id}-result`} for={`${id}-amount`}>{result === undefined ? "—" : <bdi class="n" dir="ltr">{rounded(result, format.locale)}</bdi>}</output>
      </div>
      <p class="small convert-note">
        {amount === undefined ? texts.hint : result === undefined ? texts.unknown
          : language === "fa" && Object.hasOwn(MONEY, value.to) && result < 1e15 && `${persianWords(Math.round(result))} ${format.unitName(value.to.toLowerCase())}`}
      </p>
    </section>
  );
}

/** The converter beside prices, with a state of its own. */
export function ConverterCard({ id, from }: { readonly id: string; readonly from: Convertible }) {
  const { preferences } = usePage();
  const [value, change] = useState<Conversion>({ amount: "1", from, to: preferences.unit === "toman" ? "TOMAN" : "RIAL", day: "" });
  return <Converter id={id} value={value} change={change} />;
}

/** The values that a conversion reads. */
export function useValues(day: string) {
  const { market } = usePage();
  const first = market.summary?.from;
  return day === "" || first === undefined ? latestValues(market.rows) : valuesOfDay(market.rows, Math.round((Date.parse(day) - Date.parse(first)) / 86_400_000));
}

function Choice({ id, label, chosen, choose }: { readonly id: string; readonly label: string; readonly chosen: Convertible; choose(code: Convertible): void }) {
  const { settings } = usePage();
  const nameOfOne = useNames();
  return (
    <select id={id} aria-label={label} value={chosen} onChange={({ currentTarget: { value } }) => choose(value)}>
      {convertibles(settings.assets).map((code) => <option key={code} value={code}>{nameOfOne(code)}</option>)}
    </select>
  );
}

/** What is called how: money by its unit, assets by their name. */
export function useNames(): (code: Convertible) => string {
  const { settings, preferences: { language } } = usePage();
  const money: Readonly<Record<string, string>> = language === "fa" ? { RIAL: "ریال", TOMAN: "تومان" } : { RIAL: "Rial", TOMAN: "Toman" };
  return (code) => money[code] ?? nameOf(settings.assets.find((asset) => asset.code === code) ?? { labelEn: code, labelFa: code }, language);
}

/** A result with the digits that matter: whole above 10,000, else six significant ones. */
export function rounded(value: number, locale: string): string {
  return new Intl.NumberFormat(locale, value >= 10_000 ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: 6 }).format(value);
}

/** The dollar by other ways than cash. */
export function DollarByWay() {
  const { preferences: { language }, market, format } = usePage();
  const texts = CONVERT[language];
  const ways = waysToDollar(latestValues(market.rows));
  if (ways.length < 2) return null;
  return (
    <section class="sheet card">
      <h2>{texts.byWay} <span class="small">{format.unitName("RLS")}</span></h2>
      <dl class="by-way">
        {ways.map(({ code, dollar, ratio }) => (
          <div key={code}>
            <dt>{texts.ways[code]}</dt> <dd><bdi class="n" dir="ltr">{format.priceNumber(Math.round(dollar), "RLS")}</bdi></dd>
            <dd class="way-ratio">{code === "USD_RLS" ? "—" : <bdi class="n" dir="ltr">{format.percent(ratio)}</bdi>}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
