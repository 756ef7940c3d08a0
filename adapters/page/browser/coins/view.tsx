import { useState } from "preact/hooks";
import { GOLD_PIECES, OUNCE_GRAMS, goldWorth, gramOfGold } from "../../../../core/mod.ts";
import type { GoldPiece, GoldRates, GoldWorth } from "../../../../core/mod.ts";
import type { MarketRow } from "../../market_summary.ts";
import { usePage } from "../context.ts";
import { AmountField, DollarByWay } from "../convert/card.tsx";
import { amountOf } from "../convert/convert.ts";
import { ratioOf } from "../market/entries.ts";
import { Change, Price } from "../market/numbers.tsx";
import { addressOf } from "../places.ts";
import { fill, textsIn } from "../texts.ts";
import { nameOf } from "../titles.ts";
import { FailureBox } from "../ui/failure_box.tsx";
import type { BubbleDay } from "./bubbles.ts";
import { COINS } from "./messages.ts";
import { YearBox, useYear } from "./year.tsx";

/** Coins and gold: what the gold in each is worth, the bubble above it, and the dollar that each price implies. */
export function View() {
  const { preferences: { language }, market, known, key, format, texts: page } = usePage();
  const texts = textsIn(COINS, language);
  const [own, setOwn] = useState<Partial<GoldRates>>({});
  const [chosen, choose] = useState("SEKKEH_RLS");
  const year = useYear();
  const { ounce, dollar } = { ounce: market.rows.get("GOLD_OUNCE_USD")?.value, dollar: market.rows.get("USD_RLS")?.value, ...own };
  const title = <h1 class="visually-hidden">{page.coins}</h1>;
  if (market.failure !== undefined && market.summary === undefined) return <div class="coins">{title}<FailureBox thrown={market.failure} retry={() => void known.load()} /></div>;
  if (!ounce || !dollar) {
    const why = market.isLoading ? page.loading : key === undefined ? page.noKeyYet : texts.noPrices;
    return <div class="coins">{title}<p class="ask">{why}</p></div>;
  }
  const unit = format.unitName("RLS");
  const heads = [texts.piece, texts.weight, `${texts.price} (${unit})`, texts.change, texts.gold, `${texts.bubble} (${unit})`, texts.bubble, texts.range, texts.implied];
  const rows = GOLD_PIECES.flatMap((piece): readonly Row[] => {
    const latest = market.rows.get(piece.code);
    return latest === undefined ? [] : [{ piece, latest, worth: goldWorth(piece, latest.value, { ounce, dollar }), days: year.bubbles.get(piece.code) ?? [] }];
  });
  const shown = rows.find(({ piece }) => piece.code === chosen) ?? rows[0];
  const most = Math.max(0.01, ...rows.flatMap(({ worth, days }) => [worth, ...days].map(({ ratio }) => ratio)));
  return (
    <div class="coins">
      {title}
      <Formula rates={{ ounce, dollar }} own={own} change={setOwn} />
      <div class="sheet coin-table" role="region" tabIndex={0} aria-label={page.coins}>
        <table>
          <thead>
            <tr>{heads.map((head, at) => <th key={head} scope="col" class={at < 2 || at === 7 ? undefined : "num"}>{at === 7 && <span class="year-key" />} {head}</th>)}</tr>
          </thead>
          <tbody>{rows.map((row) => <PieceRow key={row.piece.code} {...row} most={most} isChosen={row === shown} choose={() => choose(row.piece.code)} />)}</tbody>
        </table>
      </div>
      <div class="coin-cards">
        <DollarByWay />
        {shown !== undefined && <YearBox code={shown.piece.code} year={year} />}
      </div>
      <p class="small">{texts.formula}</p>
    </div>
  );
}

/** Ounce × dollar = a gram of pure gold; both can be changed, and all rows follow. */
function Formula({ rates, own, change }: { readonly rates: GoldRates; readonly own: Partial<GoldRates>; change(own: Partial<GoldRates>): void }) {
  const { preferences: { language }, format } = usePage();
  const texts = textsIn(COINS, language);
  const unit = format.unitName("RLS");
  const field = (name: keyof GoldRates, text: string, beside: string, inApi: number) => (
    <label class="rate" for={`coins-${name}`}>
      <span class="small">{texts[name]}</span>
      <span>
        <AmountField id={`coins-${name}`} text={text} change={(typed) => change({ ...own, ...(amountOf(typed) && { [name]: amountOf(typed)! * inApi }) })} />{" "}
        <span class="small">{beside}</span>
      </span>
    </label>
  );
  const perGram = fill(texts.perGram, { unit: format.unitName("USD"), dollars: format.number(rates.ounce / OUNCE_GRAMS) });
  return (
    <div class="sheet formula">
      {field("ounce", format.number(rates.ounce), perGram, 1)} <span aria-hidden="true">×</span>{" "}
      {field("dollar", format.priceNumber(rates.dollar, "RLS"), unit, 1 / format.amount(1, "RLS"))} <span aria-hidden="true">=</span>
      <div class="rate">
        <span class="small">{texts.gram}</span>
        <span><strong><bdi class="n" dir="ltr">{format.priceNumber(Math.round(gramOfGold(rates)), "RLS")}</bdi></strong> <span class="small">{unit}</span></span>
      </div>
      <p class="small">
        {Object.keys(own).length > 0 ? <>{texts.yours} <button type="button" id="coins-back" onClick={() => change({})}>{texts.back}</button></> : texts.about}
      </p>
    </div>
  );
}

/** A coin or weight of gold with its price, what its gold is worth, and the bubbles of its year. */
interface Row {
  readonly piece: GoldPiece;
  readonly latest: MarketRow;
  readonly worth: GoldWorth;
  readonly days: readonly BubbleDay[];
}

/** `most` is the largest bubble of all, as a ratio: the width of the bars. */
type RowProps = Row & { readonly most: number; readonly isChosen: boolean; choose(): void };

/** Draws a row. A click shows its year. */
function PieceRow({ piece: { code, grams, fineness }, latest, worth, days, most, isChosen, choose }: RowProps) {
  const { settings, preferences: { language }, format } = usePage();
  const texts = textsIn(COINS, language);
  const write = (value: number, decimals: number): string =>
    new Intl.NumberFormat(format.locale, { useGrouping: false, minimumFractionDigits: decimals, maximumFractionDigits: decimals }).format(value);
  const price = (value: number) => <bdi class="n" dir="ltr">{format.priceNumber(Math.round(value), "RLS")}</bdi>;
  return (
    <tr class={isChosen ? "chosen" : undefined} onClick={choose}>
      <th scope="row"><a id={`coin-${code}`} href={addressOf("asset", code)} onFocus={choose}>{nameOf(settings.assets.find((asset) => asset.code === code)!, language)}</a></th>
      <td class="small"><bdi>{fill(texts.grams, { grams: write(grams, 3), fineness: write(fineness * 1_000, 0) })}</bdi></td>
      <td class="num"><strong><Price value={latest.value} unit="RLS" /></strong></td>
      <td class="num"><Change entry={{ latest, ratio: ratioOf(latest) }} /></td>
      <td class="num none">{price(worth.gold)}</td>
      <td class="num">{price(worth.bubble)}</td>
      <td class="num bubble"><bdi class="n" dir="ltr">{format.percent(worth.ratio)}</bdi></td>
      <td><BubbleBar worth={worth} days={days} most={most} /></td>
      <td class="num">{price(worth.impliedDollar)}</td>
    </tr>
  );
}

const WIDTH = 112;

/** The bubble as a bar from zero, over the grey range of its year. Bars begin at the reading side. */
function BubbleBar({ worth: { ratio }, days, most }: Pick<RowProps, "worth" | "days" | "most">) {
  const { preferences, format } = usePage();
  const ratios = days.length === 0 ? [ratio] : days.map((day) => day.ratio);
  const [low, high] = [Math.min(...ratios), Math.max(...ratios)];
  const x = (value: number): number => Math.round((Math.min(Math.max(value, -0.1), most) / most) * WIDTH * 10) / 10;
  return (
    <svg class="bubble-bar" viewBox={`-18 0 ${WIDTH + 22} 16`} width={WIDTH + 22} height="16" role="img" aria-label={`${format.percent(low)} – ${format.percent(high)}`}>
      <g transform={preferences.language === "fa" ? `translate(${WIDTH - 14} 0) scale(-1 1)` : undefined}>
        <rect class="year" x={x(low)} y="1" width={x(high) - x(low)} height="14" rx="2" />
        <rect class="fill" x={Math.min(0, x(ratio))} y="5" width={Math.abs(x(ratio))} height="6" />
        <path class="zero" d="M0 0v16" />
        <path class="mark" d={`M${x(ratio)} 1v14`} />
      </g>
    </svg>
  );
}
