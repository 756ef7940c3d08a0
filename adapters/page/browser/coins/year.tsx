import { useMemo, useState } from "preact/hooks";
import { DAY_MS } from "../../../../core/internal.ts";
import { GOLD_PIECES } from "../../../../core/mod.ts";
import type { GoldPiece } from "../../../../core/mod.ts";
import { candlesCall } from "../asset/calls.ts";
import { chosenWindow } from "../asset/choice.ts";
import { useAnswers } from "../asset/use_answers.ts";
import { usePage } from "../context.ts";
import { lineOf } from "../market/sparkline.tsx";
import { fill, textsIn } from "../texts.ts";
import { nameOf } from "../titles.ts";
import { FailureBox } from "../ui/failure_box.tsx";
import { bubbleDays } from "./bubbles.ts";
import type { BubbleDay } from "./bubbles.ts";
import { COINS } from "./messages.ts";

const CODES = ["GOLD_OUNCE_USD", "USD_RLS", ...GOLD_PIECES.map(({ code }) => code)];

/** The bubbles of a year by code of the piece, as far as they have come: a request for each piece, the ounce and the dollar, where that is free or wanted. */
export function useYear() {
  const { settings, market, live } = usePage();
  const [isWanted, want] = useState(false);
  const last = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const window = chosenWindow({ interval: "1d", range: "1y" }, last, settings.maxCandles);
  // The list of codes never changes, so the hooks are the same with each drawing.
  const asked = CODES.map((code) => useAnswers((live.isFree || isWanted) && market.rows.has(code) ? [candlesCall(code, window)] : []));
  const candles = asked.map(({ answers: [answer] }) => answer);
  const bubbles = useMemo(() => {
    const [ounce, dollar, ...pieces] = candles;
    const daysOf = (piece: GoldPiece, at: number) => bubbleDays(piece, { piece: pieces[at] ?? [], ounce: ounce ?? [], dollar: dollar ?? [] });
    return new Map(GOLD_PIECES.map((piece, at) => [piece.code, daysOf(piece, at)]));
  }, candles);
  const units = live.isFree || isWanted ? 0 : CODES.filter((code) => market.rows.has(code)).length;
  return { bubbles, units, load: () => want(true), failed: asked.find(({ thrown }) => thrown !== undefined) };
}

/** The bubble of one piece over a year, with its average; what it costs is said before it is asked for. */
export function YearBox({ code, year: { bubbles, units, load, failed } }: { readonly code: string; readonly year: ReturnType<typeof useYear> }) {
  const { settings, preferences: { language }, format } = usePage();
  const texts = textsIn(COINS, language);
  const asset = settings.assets.find((one) => one.code === code)!;
  const days = bubbles.get(code) ?? [];
  const average = days.reduce((sum, { ratio }) => sum + ratio, 0) / days.length;
  return (
    <section class="sheet card">
      <h2>{fill(texts.year, { name: nameOf(asset, language) })} {days.length > 0 && <span class="small">{fill(texts.average, { percent: format.percent(average) })}</span>}</h2>
      {units > 0 && <button type="button" id="coins-year" onClick={load}>{fill(texts.loadYear, { units: format.number(units) })}</button>}
      {failed?.thrown !== undefined && <FailureBox thrown={failed.thrown.error} retry={failed.retry} />}
      {days.length > 1 ? <Line days={days} average={average} /> : units === 0 && failed === undefined && <p class="loading">{texts.loading}</p>}
    </section>
  );
}

const [WIDTH, HEIGHT] = [540, 120];

function Line({ days, average }: { readonly days: readonly BubbleDay[]; readonly average: number }) {
  const { format, preferences: { language } } = usePage();
  const first = days[0]!.time;
  const span = days.at(-1)!.time - first;
  const ratios = new Map(days.map(({ time, ratio }) => [time, ratio]));
  const { path, end, low, high } = lineOf(Array.from({ length: span / DAY_MS + 1 }, (_, at) => ratios.get(first + at * DAY_MS) ?? null), WIDTH, HEIGHT)!;
  const y = (ratio: number): number => Math.round((1 - (ratio - low) / (high - low || 1)) * HEIGHT);
  const month = new Intl.DateTimeFormat(format.locale, { timeZone: "UTC", month: "short" });
  const percent = new Intl.NumberFormat(format.locale, { style: "percent", maximumFractionDigits: 1 });
  const said = { from: format.percent(days[0]!.ratio), to: format.percent(days.at(-1)!.ratio), low: format.percent(low), high: format.percent(high) };
  return (
    <svg class="year-line" viewBox={`0 -8 ${WIDTH + 62} ${HEIGHT + 34}`} role="img" aria-label={fill(textsIn(COINS, language).yearText, said)}>
      {[low, (low + high) / 2, high].map((ratio) => (
        <g key={ratio}><path class="grid" d={`M0 ${y(ratio)}H${WIDTH}`} /><text x={WIDTH + 8} y={y(ratio) + 4}>{percent.format(ratio)}</text></g>
      ))}
      <path class="average" d={`M0 ${y(average)}H${WIDTH}`} />
      <path class="line" d={path} />
      <circle cx={end[0]} cy={end[1]} r="3.5" />
      {[0.1, 0.3, 0.5, 0.7, 0.9].map((part) => <text key={part} x={part * WIDTH} y={HEIGHT + 22} text-anchor="middle">{month.format(first + part * span)}</text>)}
    </svg>
  );
}
