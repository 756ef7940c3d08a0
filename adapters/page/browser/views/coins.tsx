import { computed } from "@preact/signals";
import type { ComponentChild } from "preact";
import { useMemo, useState } from "preact/hooks";
import {
  GOLD_PIECES,
  type GoldPiece,
  type GoldRates,
  type GoldWorth,
  goldWorth,
  gramOfGold,
  OUNCE_GRAMS,
} from "../../../../core/mod.ts";
import type { MarketRow } from "../../market_summary.ts";
import { addressOf } from "../data/addresses.ts";
import { candlesCall } from "../data/answers.ts";
import { amountOf, type BubbleDay, bubbleDays, ticksOf } from "../data/conversion.ts";
import { scaleOf, tenths } from "../data/lines.ts";
import { chosenWindow } from "../data/ranges.ts";
import * as state from "../data/state.ts";
import { Card } from "../parts/card.tsx";
import { AmountField } from "../parts/fields.tsx";
import { GoldLinks } from "../parts/gold_links.tsx";
import { FailureBox } from "../parts/lazy_parts.tsx";
import { Change, num, Price, StaleAge, useStale } from "../parts/numbers.tsx";
import { useAnswers } from "../parts/use_answers.ts";
import { TEXTS } from "../texts/built_coins.ts";
import { fill } from "../texts/fill.ts";
import { DollarByWay } from "./convert.tsx";

const { settings } = state;
/** The assets whose prices are used as the two rates. */
const RATES = { ounce: "GOLD_OUNCE_USD", dollar: "USD_RLS" } as const;
const CODES = [RATES.ounce, RATES.dollar, ...GOLD_PIECES.map(({ code }) => code)];

/** The columns by width. */
const COLUMNS = {
  wide: ["piece", "bubble", "weight", "price", "change", "gold", "money", "range", "implied"],
  tablet: ["piece", "bubble", "range", "money", "price", "implied"],
  phone: ["piece", "bubble", "price"],
} as const;
type Column = (typeof COLUMNS)["wide"][number];
const columns = computed((): readonly Column[] => {
  if (state.isNarrow.value) return COLUMNS.phone;
  return state.isTablet.value ? COLUMNS.tablet : COLUMNS.wide;
});
/** On narrow screens, some values are shown below the value of another column, e.g. `weight` below `piece`. */
const BELOW: Readonly<Partial<Record<Column, Column>>> = { piece: "weight", bubble: "money", price: "change" };

function lookOf(column: Column): string {
  return { piece: "", weight: "", range: "bar-cell" }[column as string] ?? "num";
}

/** Coins and gold, with the value of their gold, their bubbles, and the dollar rates that their prices imply. */
export function View() {
  const rows = state.rows.value;
  const [own, setOwn] = useState<Partial<GoldRates>>({});
  const { ounce = rows.get(RATES.ounce)?.value, dollar = rows.get(RATES.dollar)?.value } = own;
  return (
    <div class="coins">
      <h1 class="visually-hidden">{state.texts.value.coins}</h1>
      <GoldLinks />
      {ounce && dollar ? <Coins rates={{ ounce, dollar }} own={own} change={setOwn} /> : <WhyNone />}
    </div>
  );
}

function WhyNone() {
  const { summary, failure, isLoading } = state.market.value;
  const page = state.texts.value;
  if (failure !== undefined && summary === undefined) return <FailureBox thrown={failure} retry={state.loadMarket} />;
  const isKeyMissing = state.key.value === undefined && summary === undefined && !settings.isEmpty;
  const missing = isKeyMissing ? page.noKeyYet : TEXTS[state.language.value].noPrices;
  return <p class="ask">{isLoading ? page.loading : missing}</p>;
}

/** The rates in use, and which of them the visitor has entered. */
type RatesProps = Readonly<{ rates: GoldRates; own: Partial<GoldRates>; change(own: Partial<GoldRates>): void }>;

function Coins({ rates, own, change }: RatesProps) {
  const texts = TEXTS[state.language.value];
  const [chosen, choose] = useState("SEKKEH_RLS");
  const year = useYear();
  const { comma, unitName } = state.format.value;
  const inUnit = (head: string): string => head + comma + unitName("RLS");
  const headOf = (column: Column): string => {
    if (column === "money") return inUnit(texts.bubble);
    return column === "price" ? inUnit(texts.price) : texts[column];
  };
  const rows = GOLD_PIECES.flatMap((piece): CoinRow | [] => {
    const latest = state.rows.value.get(piece.code);
    if (latest === undefined) return [];
    return { piece, latest, worth: goldWorth(piece, latest.value, rates), days: year.bubbles.get(piece.code) ?? [] };
  });
  const shown = rows.find(({ piece }) => piece.code === chosen) ?? rows[0];
  const most = Math.max(0.01, ...rows.flatMap(({ worth, days }) => [worth, ...days].map(({ ratio }) => ratio)));
  return (
    <>
      <Formula rates={rates} own={own} change={change} />
      <div class="sheet coin-table" role="region" tabIndex={0} aria-label={state.texts.value.coins}>
        <table>
          <thead>
            <tr>
              {columns.value.map((column) => (
                <th key={column} scope="col" class={lookOf(column)}>
                  {column === "range" && <span class="year-key" />} {headOf(column)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <PieceRow key={row.piece.code} {...row} most={most} isChosen={row === shown} choose={choose} />
            ))}
          </tbody>
        </table>
      </div>
      <div class="coin-cards">
        <DollarByWay {...own} />
        {shown !== undefined && <YearBox piece={shown.piece} year={year} />}
      </div>
      <p class="small">{texts.formula}</p>
    </>
  );
}

/** Ounce × dollar = a gram of pure gold. The visitor can edit ounce and dollar, which changes all rows. */
function Formula({ rates, own, change }: RatesProps) {
  const texts = TEXTS[state.language.value];
  const format = state.format.value;
  const unit = format.unitName("RLS");
  const take = (name: keyof GoldRates, typed: number | undefined, inApi: number): void =>
    change({ ...own, ...(typed && { [name]: typed * inApi }) });
  const field = (name: keyof GoldRates, text: string, beside: string, inApi: number) => (
    <label class="rate" for={`coins-${name}`}>
      <span class="small">{texts[name]}</span>
      <span>
        <AmountField id={`coins-${name}`} text={text} change={(typed) => take(name, amountOf(typed), inApi)} />{" "}
        <span class="small">{beside}</span>{" "}
        {own[name] === undefined && <StaleAge latest={state.rows.value.get(RATES[name])} />}
      </span>
    </label>
  );
  const cents = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  const dollars = format.number(rates.ounce / OUNCE_GRAMS, cents);
  const perGram = fill(texts.perGram, { unit: format.unitName("USD"), dollars });
  return (
    <div class="sheet formula">
      {field("ounce", format.number(rates.ounce), perGram, 1)} <span aria-hidden="true">×</span>{" "}
      {field("dollar", format.priceNumber(rates.dollar, "RLS"), unit, 1 / format.amount(1, "RLS"))}{" "}
      <span aria-hidden="true">=</span>
      <div class="rate">
        <span class="small">{texts.gram}</span>
        <span>
          <strong>{num(format.wholePrice(gramOfGold(rates), "RLS"))}</strong> <span class="small">{unit}</span>
        </span>
      </div>
      <p class="small">
        {Object.keys(own).length > 0 ? (
          <>
            {texts.yours}{" "}
            <button id="coins-back" onClick={() => change({})}>
              {texts.back}
            </button>
          </>
        ) : (
          texts.about
        )}
      </p>
    </div>
  );
}

/** A coin or a weight of gold, its price, the value of its gold, and its bubbles over a year. */
type CoinRow = Readonly<{ piece: GoldPiece; latest: MarketRow; worth: GoldWorth; days: readonly BubbleDay[] }>;
/** `most` is the largest of all bubbles as a ratio. All bars are scaled to `most`. */
type RowProps = CoinRow & { readonly most: number; readonly isChosen: boolean; choose(code: string): void };

/** Draws a row. A click shows the bubble of this piece over a year. */
function PieceRow({ piece: { code, grams, fineness }, latest, worth, days, most, isChosen, choose }: RowProps) {
  const { number, percent, wholePrice } = state.format.value;
  const stale = useStale(latest);
  const whole = (value: number) => num(wholePrice(value, "RLS"));
  const thousandths = number(fineness * 1_000, { useGrouping: false });
  const weight = { grams: number(grams, { maximumFractionDigits: 4 }), fineness: thousandths };
  const contents: Readonly<Record<Column, ComponentChild>> = {
    piece: (
      <a id={`coin-${code}`} href={addressOf("asset", code)} onFocus={() => choose(code)}>
        {state.nameOfCode(code)}
      </a>
    ),
    bubble: <span class="bubble">{num(percent(worth.ratio, 1))}</span>,
    weight: <bdi class="small">{fill(TEXTS[state.language.value].grams, weight)}</bdi>,
    price: (
      <strong>
        <Price value={latest.value} unit="RLS" />
      </strong>
    ),
    change: stale ? <StaleAge latest={latest} /> : <Change latest={latest} />,
    gold: <span class="none">{whole(worth.gold)}</span>,
    money: whole(worth.bubble),
    range: <BubbleBar worth={worth} days={days} most={most} />,
    implied: whole(worth.impliedDollar),
  };
  return (
    <tr class={`${isChosen ? "chosen" : ""}${stale ? " stale" : ""}`} onClick={() => choose(code)}>
      {columns.value.map((column) => {
        const Cell = column === "piece" ? "th" : "td";
        const below = BELOW[column];
        return (
          <Cell key={column} scope={column === "piece" ? "row" : undefined} class={lookOf(column)}>
            {contents[column]}
            {below && !columns.value.includes(below) && <span class="small below">{contents[below]}</span>}
          </Cell>
        );
      })}
    </tr>
  );
}

/** The bubble as a bar from zero, over the year's range in grey. In Persian, it starts on the right. */
function BubbleBar({ worth: { ratio }, days, most }: Pick<RowProps, "worth" | "days" | "most">) {
  const { percent } = state.format.value;
  const ratios = days.length === 0 ? [ratio] : days.map((day) => day.ratio);
  const [low, high] = [Math.min(...ratios), Math.max(...ratios)];
  const x = (value: number): number => tenths((Math.min(Math.max(value, -0.1), most) / most) * 100);
  return (
    <svg
      class="bubble-bar"
      viewBox="-11 0 114 16"
      preserveAspectRatio="none"
      role="img"
      aria-label={`${percent(low)} – ${percent(high)}`}
    >
      <g transform={state.language.value === "fa" ? "translate(92 0) scale(-1 1)" : undefined}>
        <rect class="year" x={x(low)} y="1" width={x(high) - x(low)} height="14" rx="2" />
        <rect class="fill" x={Math.min(0, x(ratio))} y="5" width={Math.abs(x(ratio))} height="6" />
        <path class="zero" d="M0 0v16" />
        <path class="mark" d={`M${x(ratio)} 1v14`} />
      </g>
    </svg>
  );
}

/** Returns the loaded bubbles of a year, by code. Sends the requests if they are free or the visitor wants them. */
function useYear() {
  const rows = state.rows.value;
  const [isWanted, want] = useState(false);
  const isAsked = state.isFree.value || isWanted;
  const window = chosenWindow({ interval: "1d", range: "1y" }, Date.now(), settings.maxCandles);
  // A loop around hooks is possible here, because the list of codes never changes.
  const asked = CODES.map((code) => useAnswers(isAsked && rows.has(code) ? [candlesCall(code, window)] : []));
  const candles = asked.map(({ answers: [answer] }) => answer);
  const bubbles = useMemo(() => {
    const [ounce = [], dollar = [], ...pieces] = candles;
    const daysOf = (piece: GoldPiece, at: number) => bubbleDays(piece, { piece: pieces[at] ?? [], ounce, dollar });
    return new Map(GOLD_PIECES.map((piece, at) => [piece.code, daysOf(piece, at)]));
  }, candles);
  const units = isAsked ? 0 : CODES.filter((code) => rows.has(code)).length;
  const isComing = asked.some(({ answers }) => answers.includes(undefined));
  return { bubbles, units, isComing, load: () => want(true), failed: asked.find(({ failed }) => failed)?.failed };
}

/** The bubble of one piece over a year, with its average. The cost is shown before the request. */
function YearBox({ piece: { code }, year }: { readonly piece: GoldPiece; readonly year: ReturnType<typeof useYear> }) {
  const { bubbles, units, isComing, load, failed } = year;
  const texts = TEXTS[state.language.value];
  const format = state.format.value;
  const days = bubbles.get(code) ?? [];
  const average = days.reduce((sum, { ratio }) => sum + ratio, 0) / days.length;
  return (
    <Card
      title={fill(texts.year, { name: state.nameOfCode(code) })}
      note={days.length > 0 ? fill(texts.average, { percent: format.percent(average, 1) }) : undefined}
    >
      {units > 0 && (
        <button id="coins-year" onClick={load}>
          {fill(texts.loadYear, { units: format.number(units) })}
        </button>
      )}
      {failed && <FailureBox {...failed} />}
      {days.length > 1 ? (
        <Line days={days} average={average} />
      ) : (
        units === 0 && !failed && <p class="loading">{isComing ? texts.loading : texts.fewDays}</p>
      )}
    </Card>
  );
}

function Line({ days, average }: { readonly days: readonly BubbleDay[]; readonly average: number }) {
  const format = state.format.value;
  const [width, height, first, last] = [540, 120, days[0]!.time, days.at(-1)!.time];
  const ratios = days.map(({ ratio }) => ratio);
  const [low, high] = [Math.min(...ratios), Math.max(...ratios)];
  const [x, y] = [scaleOf([first, last], 0, width), scaleOf(ratios, height, 0)];
  const month = new Intl.DateTimeFormat(format.locale, { timeZone: "UTC", month: "short" });
  const { percent } = format;
  const values = { from: percent(ratios[0]!), to: percent(ratios.at(-1)!), low: percent(low), high: percent(high) };
  return (
    <svg
      class="year-line"
      viewBox={`0 -8 ${width + 62} ${height + 34}`}
      role="img"
      aria-label={fill(TEXTS[state.language.value].yearText, values)}
    >
      {ticksOf(low, high).map((ratio) => (
        <g key={ratio}>
          <path class="grid" d={`M0 ${y(ratio)}H${width}`} />
          <text x={width + 8} y={y(ratio) + 4}>
            {format.number(ratio, { style: "percent", maximumFractionDigits: 1 })}
          </text>
        </g>
      ))}
      <path class="average" d={`M0 ${y(average)}H${width}`} />
      <polyline class="line" points={days.map(({ time, ratio }) => `${x(time)} ${y(ratio)}`).join(" ")} />
      <circle cx={width} cy={y(ratios.at(-1)!)} r="3.5" />
      {[0.1, 0.3, 0.5, 0.7, 0.9].map((part) => (
        <text key={part} x={part * width} y={height + 22} text-anchor="middle">
          {month.format(first + part * (last - first))}
        </text>
      ))}
    </svg>
  );
}
