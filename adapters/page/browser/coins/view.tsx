import { useState } from "preact/hooks";
import { GOLD_PIECES, OUNCE_GRAMS, goldWorth, gramOfGold } from "../../../../core/mod.ts";
import type { GoldRates } from "../../../../core/mod.ts";
import { usePage } from "../context.ts";
import { amountOf } from "../convert/convert.ts";
import { FRAME } from "../header/messages.ts";
import { FailureBox } from "../ui/failure_box.tsx";
import { DollarAxis } from "./axis.tsx";
import { COINS } from "./messages.ts";
import { PieceRow } from "./row.tsx";
import { YearBox } from "./year_box.tsx";
import { useYear } from "./use_year.ts";

/** Coins and gold: what the gold in each is worth, the bubble above it, and the dollar that each price implies. */
export function View() {
  const { preferences: { language }, market, format, known, key, live } = usePage();
  const texts = COINS[language];
  const [own, setOwn] = useState<Partial<GoldRates>>({});
  const [chosen, choose] = useState("SEKKEH_RLS");
  const [isAsked, ask] = useState(false);
  const year = useYear(live.isFree || isAsked);
  const told = { ounce: market.rows.get("GOLD_OUNCE_USD")?.value, dollar: market.rows.get("USD_RLS")?.value };
  const { ounce, dollar } = { ...told, ...own };
  const isOwn = own.ounce !== undefined || own.dollar !== undefined;
  const title = <h1 class="visually-hidden">{FRAME[language].coins}</h1>;
  if (market.failure !== undefined) return <div class="coins">{title}<FailureBox thrown={market.failure} retry={() => void known.load()} /></div>;
  if (!ounce || !dollar) {
    const why = market.isLoading ? FRAME[language].loading : key === undefined ? FRAME[language].noKeyYet : texts.noPrices;
    return <div class="coins">{title}<p class="ask">{why}</p></div>;
  }
  const rates = { ounce, dollar };
  const rows = GOLD_PIECES.flatMap((piece) => {
    const latest = market.rows.get(piece.code);
    return latest === undefined ? [] : [{ piece, latest, worth: goldWorth(piece, latest.value, rates) }];
  });
  const most = Math.max(0.01, ...rows.map(({ worth }) => worth.ratio), ...[...year.bubbles.values()].flatMap((days) => days.map(({ ratio }) => ratio)));
  return (
    <div class="coins">
      {title}
      <div class="sheet formula">
        <Rate
          id="coins-ounce" label={texts.ounce} shown={format.number(ounce)} unit={texts.perGram(format.unitName("USD"), format.number(ounce / OUNCE_GRAMS))}
          change={(value) => setOwn({ ...own, ounce: value })}
        />
        <span aria-hidden="true">×</span>
        <Rate
          id="coins-dollar" label={texts.dollar} shown={format.priceNumber(dollar, "RLS")} unit={format.unitName("RLS")}
          change={(value) => setOwn({ ...own, dollar: value / format.amount(1, "RLS") })}
        />
        <span aria-hidden="true">=</span>
        <div class="rate">
          <span class="small">{texts.gram}</span>
          <span>
            <strong><bdi class="n" dir="ltr">{format.priceNumber(Math.round(gramOfGold(rates)), "RLS")}</bdi></strong> <span class="small">{format.unitName("RLS")}</span>
          </span>
        </div>
        <p class="small">{isOwn ? <>{texts.yours} <button type="button" id="coins-back" onClick={() => setOwn({})}>{texts.back}</button></> : texts.about}</p>
      </div>
      <div class="sheet coin-table" role="region" tabIndex={0} aria-label={FRAME[language].coins}>
        <table>
          <thead>
            <tr>
              <th scope="col">{texts.piece}</th>
              <th scope="col">{texts.weight}</th>
              <th scope="col" class="num">{texts.price}{language === "fa" ? "، " : ", "}{format.unitName("RLS")}</th>
              <th scope="col" class="num">{texts.change}</th>
              <th scope="col" class="num">{texts.gold}</th>
              <th scope="col" colSpan={2} class="num">{texts.bubble}</th>
              <th scope="col"><span class="year-key" aria-hidden="true" /> {texts.range}</th>
              <th scope="col" class="num">{texts.implied}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ piece, latest, worth }) => (
              <PieceRow
                key={piece.code} piece={piece} latest={latest} worth={worth} year={year.bubbles.get(piece.code)} most={most}
                isChosen={piece.code === chosen} choose={() => choose(piece.code)}
              />
            ))}
          </tbody>
        </table>
      </div>
      <p class="small">{texts.formula}</p>
      <div class="coin-cards">
        <DollarAxis />
        <YearBox code={chosen} year={year} ask={isAsked || live.isFree ? undefined : () => ask(true)} />
      </div>
    </div>
  );
}

/** A rate that can be changed: it looks like the number that it is. */
function Rate({ id, label, shown, unit, change }: RateProps) {
  const [typed, setTyped] = useState<string>();
  return (
    <label class="rate" for={id}>
      <span class="small">{label}</span>
      <span>
        <input
          id={id} inputMode="decimal" autocomplete="off" dir="ltr" value={typed ?? shown} size={Math.max(6, shown.length)} aria-invalid={typed !== undefined && !amountOf(typed)}
          onInput={({ currentTarget }) => {
            setTyped(currentTarget.value);
            const amount = amountOf(currentTarget.value);
            if (amount) change(amount);
          }}
          onBlur={() => setTyped(undefined)}
        />{" "}
        <span class="small">{unit}</span>
      </span>
    </label>
  );
}

interface RateProps {
  readonly id: string;
  readonly label: string;
  readonly shown: string;
  readonly unit: string;
  change(value: number): void;
}
