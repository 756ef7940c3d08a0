import type { GoldPiece, GoldWorth } from "../../../../core/mod.ts";
import type { MarketRow } from "../../market_summary.ts";
import { usePage } from "../context.ts";
import { ratioOf } from "../market/entries.ts";
import { Change, Price } from "../market/numbers.tsx";
import { addressOf } from "../places.ts";
import { nameOf } from "../titles.ts";
import { COINS } from "./messages.ts";
import type { BubbleDay } from "./year.ts";

/** One coin or weight of gold. */
export interface PieceRowProps {
  readonly piece: GoldPiece;
  readonly latest: MarketRow;
  readonly worth: GoldWorth;
  readonly year: readonly BubbleDay[] | undefined;
  /** The largest bubble that is drawn, as a ratio: the width of the bars. */
  readonly most: number;
  readonly isChosen: boolean;
  choose(): void;
}

/** Draws its row. A click shows its year. */
export function PieceRow({ piece, latest, worth, year, most, isChosen, choose }: PieceRowProps) {
  const { settings, preferences: { language }, format } = usePage();
  const asset = settings.assets.find(({ code }) => code === piece.code);
  const price = (value: number): string => format.priceNumber(Math.round(value), "RLS");
  const fineness = new Intl.NumberFormat(format.locale, { useGrouping: false }).format(Math.round(piece.fineness * 1_000));
  const grams = new Intl.NumberFormat(format.locale, { minimumFractionDigits: 3, maximumFractionDigits: 3 }).format(piece.grams);
  return (
    <tr class={isChosen ? "chosen" : undefined} onClick={choose}>
      <th scope="row"><a id={`coin-${piece.code}`} href={addressOf("asset", piece.code)} onFocus={choose}>{asset ? nameOf(asset, language) : piece.code}</a></th>
      <td class="small"><bdi>{COINS[language].grams(grams, fineness)}</bdi></td>
      <td class="num"><strong><Price value={latest.value} unit="RLS" /></strong></td>
      <td class="num"><Change entry={{ latest, ratio: ratioOf(latest) }} /></td>
      <td class="num none"><bdi class="n" dir="ltr">{price(worth.gold)}</bdi></td>
      <td class="num"><bdi class="n" dir="ltr">{price(worth.bubble)}</bdi></td>
      <td class="num bubble"><bdi class="n" dir="ltr">{format.percent(worth.ratio)}</bdi></td>
      <td><BubbleBar ratio={worth.ratio} year={year} most={most} /></td>
      <td class="num"><bdi class="n" dir="ltr">{price(worth.impliedDollar)}</bdi></td>
    </tr>
  );
}

const WIDTH = 112;

/** The bubble as a bar from zero, over the grey range of its year. Bars begin at the reading side. */
function BubbleBar({ ratio, year = [], most }: { readonly ratio: number; readonly year: readonly BubbleDay[] | undefined; readonly most: number }) {
  const { preferences, format } = usePage();
  const ratios = year.map((day) => day.ratio);
  const [low, high] = [Math.min(...ratios), Math.max(...ratios)];
  const x = (value: number): number => Math.round((Math.min(Math.max(value, -0.1), most) / most) * WIDTH * 10) / 10;
  const text = year.length > 0 ? `${format.percent(low)} – ${format.percent(high)}` : format.percent(ratio);
  return (
    <svg class="bubble-bar" viewBox={`-18 0 ${WIDTH + 22} 16`} width={WIDTH + 22} height="16" role="img" aria-label={text}>
      <g transform={preferences.language === "fa" ? `translate(${WIDTH - 14} 0) scale(-1 1)` : undefined}>
        {year.length > 0 && <rect class="year" x={x(low)} y="1" width={Math.max(1, x(high) - x(low))} height="14" rx="2" />}
        <rect class="fill" x={Math.min(0, x(ratio))} y="5" width={Math.abs(x(ratio))} height="6" />
        <path class="zero" d="M0 0v16" />
        <path class="mark" d={`M${x(ratio)} 1v14`} />
      </g>
    </svg>
  );
}
