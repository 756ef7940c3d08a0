import { GOLD_PIECES, goldWorth } from "../../../../core/mod.ts";
import { addressOf } from "../data/addresses.ts";
import * as state from "../data/state.ts";
import { Card } from "../parts/card.tsx";
import { num, useStale } from "../parts/numbers.tsx";
import { TEXTS as COIN_TEXTS } from "../texts/built_coins.ts";
import type { Scene } from "./asset_scene.ts";

/** How far the price of a coin or of gold is above the value of its gold. Stale prices have no bubble. */
export function Bubble({ asset, texts, latest }: Scene) {
  const coinTexts = COIN_TEXTS[state.language.value];
  const { percent, wholePrice } = state.format.value;
  const stale = useStale(latest);
  const piece = GOLD_PIECES.find(({ code }) => code === asset.code);
  const ounce = state.rows.value.get("GOLD_OUNCE_USD")?.value;
  const dollar = state.rows.value.get("USD_RLS")?.value;
  if (piece === undefined || latest === undefined || stale || !ounce || !dollar) return null;
  const { gold, bubble, ratio, impliedDollar } = goldWorth(piece, latest.value, { ounce, dollar });
  const values = [
    [coinTexts.gold, gold],
    [coinTexts.bubble, bubble],
    [coinTexts.implied, impliedDollar],
  ] as const;
  const rows = values.map(([name, value]) => [name, wholePrice(value, "RLS")] as const);
  return (
    <Card id="asset-bubble" title={[coinTexts.bubble, " ", num(percent(ratio, 1))]} rows={rows}>
      <a class="small" href={addressOf("coins")}>
        {texts.coins}
      </a>
    </Card>
  );
}
