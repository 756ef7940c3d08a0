import { useState } from "preact/hooks";
import { usePage } from "../context.ts";
import { fill, textsIn } from "../texts.ts";
import { nameOf } from "../titles.ts";
import { Icon } from "../ui/icon.tsx";
import { MONEY, amountOf, convert, convertibles, waysToDollar } from "./convert.ts";
import type { Pair, ValueOf } from "./convert.ts";
import { CONVERT } from "./messages.ts";
import { persianWords } from "./words.ts";

/** What is converted. */
export interface Conversion extends Pair {
  /** As it was typed. */
  readonly amount: string;
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
export function Converter({ id, value, valueOf, day, change }: ConverterProps) {
  const { preferences: { language }, format, market } = usePage();
  const texts = textsIn(CONVERT, language);
  const { from, to } = value;
  const amount = amountOf(value.amount);
  const result = amount === undefined ? undefined : convert(amount, value, valueOf);
  const shown = result === undefined ? "—" : rounded(result, format.locale);
  const latest = [from, to].flatMap((code) => market.rows.get(code)?.businessTime ?? []).sort()[0];
  const quote = day !== "" ? fill(texts.onDay, { day: format.date(day) }) : latest === undefined ? "" : fill(texts.atQuote, { time: format.time(latest) });
  return (
    <section class="sheet card converter">
      <h2>{texts.title} <span class="small">{quote}</span></h2>
      <div class="convert-row">
        <Choice id={`${id}-from`} label={texts.from} chosen={from} choose={(next) => change({ ...value, from: next })} />
        <AmountField id={`${id}-amount`} label={texts.amount} text={value.amount} change={(text) => change({ ...value, amount: text })} />
      </div>
      <button type="button" class="swap" aria-label={texts.swap} title={texts.swap} onClick={() => change({ ...value, from: to, to: from })}>
        <Icon name="swap" />
      </button>
      <div class="convert-row">
        <Choice id={`${id}-to`} label={texts.to} chosen={to} choose={(next) => change({ ...value, to: next })} />
        <output id={`${id}-result`} for={`${id}-amount`} class={shown.length > 12 ? "long" : undefined}><bdi class="n" dir="ltr">{shown}</bdi></output>
      </div>
      <p class="small convert-note">
        {amount === undefined ? texts.hint : result === undefined ? texts.unknown
          : Object.hasOwn(MONEY, to) && result < 1e15 && `${inWords(result, language)} ${format.unitName(to.toLowerCase())}`}
      </p>
    </section>
  );
}

/** A field for an amount, in digits of any script. Where nobody types in it, it looks like the number that it is. `label` is for screen readers. */
export function AmountField({ id, label, text, change }: { readonly id: string; readonly label?: string; readonly text: string; change(text: string): void }) {
  const { format } = usePage();
  const [typed, setTyped] = useState<string>();
  const amount = amountOf(text);
  const shown = typed ?? (amount === undefined ? text : new Intl.NumberFormat(format.locale, { maximumFractionDigits: 12 }).format(amount));
  return (
    <input
      id={id} aria-label={label} inputMode="decimal" autocomplete="off" dir="ltr" value={shown} size={Math.max(6, shown.length)} aria-invalid={amountOf(shown) === undefined}
      onInput={({ currentTarget: { value } }) => (setTyped(value), change(value))} onBlur={() => setTyped(undefined)}
    />
  );
}

/** The converter, filled in with the asset that is shown, and the dollar by other ways: beside the market and an asset. */
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

function Choice({ id, label, chosen, choose }: { readonly id: string; readonly label: string; readonly chosen: string; choose(code: string): void }) {
  const { settings } = usePage();
  const nameOfOne = useNames();
  return (
    <select id={id} aria-label={label} value={chosen} onChange={({ currentTarget: { value } }) => choose(value)}>
      {convertibles(settings.assets).map((code) => <option key={code} value={code}>{nameOfOne(code)}</option>)}
    </select>
  );
}

/** What is called how: money by its unit, assets by their name. */
export function useNames(): (code: string) => string {
  const { settings, preferences: { language } } = usePage();
  const { money } = textsIn(CONVERT, language);
  return (code) => (code === "RIAL" || code === "TOMAN" ? money[code] : nameOf(settings.assets.find((asset) => asset.code === code)!, language));
}

/** A result with the digits that matter: whole above 10,000, else six significant ones. */
export function rounded(value: number, locale: string): string {
  return new Intl.NumberFormat(locale, value >= 10_000 ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: 6 }).format(value);
}

/** An amount of money as it is said: on a cheque in Persian, `2.98 billion` in English. */
function inWords(value: number, language: "en" | "fa"): string {
  if (language === "fa") return persianWords(Math.round(value));
  return new Intl.NumberFormat("en", { notation: "compact", compactDisplay: "long", maximumSignificantDigits: 3 }).format(value);
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
