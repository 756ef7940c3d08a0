import { useMemo } from "preact/hooks";
import { questionsAbout } from "../asset/answers.ts";
import type { Awaited } from "../asset/use_answer.ts";
import { useAnswer } from "../asset/use_answer.ts";
import { candleWindow } from "../asset/ranges.ts";
import { usePage } from "../context.ts";
import { GOLD_PIECES } from "../../../../core/mod.ts";
import type { PriceCandle } from "../../../../core/mod.ts";
import { bubbleDays } from "./year.ts";
import type { BubbleDay } from "./year.ts";

/** The bubbles of a year, as far as they have come, and what went wrong. */
export interface Year {
  /** By code of the piece. */
  readonly bubbles: ReadonlyMap<string, readonly BubbleDay[]>;
  readonly failed: Awaited<unknown> | undefined;
  /** Units that it costs: a request for each piece, the ounce and the dollar. */
  readonly units: number;
}

const CODES = ["GOLD_OUNCE_USD", "USD_RLS", ...GOLD_PIECES.map(({ code }) => code)];
const YEAR_MS = 365 * 86_400_000;

/** Asks for the year of each piece, of the ounce and the dollar, if that is wanted. */
export function useYear(isWanted: boolean): Year {
  const { settings, market, client, key } = usePage();
  const last = Math.floor(Date.now() / 86_400_000) * 86_400_000;
  const window = candleWindow("1d", "1y", { first: last - YEAR_MS, last, maxCandles: settings.maxCandles });
  // The list of codes never changes, so the hooks are the same with each drawing.
  const answers = CODES.map((code) => {
    const asset = settings.assets.find((one) => one.code === code);
    const question = isWanted && asset !== undefined && market.rows.has(code) ? questionsAbout(asset, client, key).candles(window) : undefined;
    return useAnswer(question);
  });
  const candles = answers.map(({ outcome }): readonly PriceCandle[] | undefined => (outcome?.ok === true ? outcome.value : undefined));
  const bubbles = useMemo(() => {
    const [ounce, dollar, ...pieces] = candles;
    if (ounce === undefined || dollar === undefined) return new Map<string, readonly BubbleDay[]>();
    return new Map(GOLD_PIECES.flatMap((piece, at) => (pieces[at] === undefined ? [] : [[piece.code, bubbleDays(piece, { piece: pieces[at], ounce, dollar })]])));
  }, candles);
  return { bubbles, failed: answers.find(({ outcome }) => outcome?.ok === false), units: CODES.filter((code) => market.rows.has(code)).length };
}
