import { usePage } from "../context.ts";
import { nameOf } from "../titles.ts";
import { FailureBox } from "../ui/failure_box.tsx";
import { COINS } from "./messages.ts";
import type { Year } from "./use_year.ts";

const [WIDTH, HEIGHT] = [540, 120];

/** The bubble of one piece over a year, with its average. */
export function YearBox({ code, year, ask }: { readonly code: string; readonly year: Year; readonly ask: (() => void) | undefined }) {
  const { settings, preferences: { language }, format } = usePage();
  const texts = COINS[language];
  const asset = settings.assets.find((one) => one.code === code);
  const days = year.bubbles.get(code) ?? [];
  const average = days.reduce((sum, { ratio }) => sum + ratio, 0) / days.length;
  return (
    <section class="sheet card">
      <h2>{texts.year(asset ? nameOf(asset, language) : code)} {days.length > 0 && <span class="small">{texts.average(format.percent(average))}</span>}</h2>
      {ask !== undefined && <button type="button" id="coins-year" onClick={ask}>{texts.loadYear(format.number(year.units))}</button>}
      {year.failed?.outcome?.ok === false && <FailureBox thrown={year.failed.outcome.error} retry={year.failed.retry} />}
      {days.length > 1 ? <Line days={days} average={average} /> : ask === undefined && year.failed === undefined && <p class="loading">{texts.loading}</p>}
    </section>
  );
}

function Line({ days, average }: { readonly days: readonly { readonly time: number; readonly ratio: number }[]; readonly average: number }) {
  const { format, preferences: { language } } = usePage();
  const ratios = days.map(({ ratio }) => ratio);
  const [low, high] = [Math.min(...ratios), Math.max(...ratios)];
  const [first, last] = [days[0]!, days.at(-1)!];
  const x = (time: number): number => Math.round(((time - first.time) / (last.time - first.time)) * WIDTH * 10) / 10;
  const y = (ratio: number): number => Math.round((high === low ? 0.5 : 1 - (ratio - low) / (high - low)) * HEIGHT * 10) / 10;
  const months = [0.1, 0.3, 0.5, 0.7, 0.9].map((part) => first.time + part * (last.time - first.time));
  const month = new Intl.DateTimeFormat(format.locale, { timeZone: "UTC", month: "short" });
  const percent = (ratio: number): string => new Intl.NumberFormat(format.locale, { style: "percent", maximumFractionDigits: 1 }).format(ratio);
  const text = COINS[language].yearText(format.percent(first.ratio), format.percent(last.ratio), format.percent(low), format.percent(high));
  return (
    <svg class="year-line" viewBox={`0 -8 ${WIDTH + 62} ${HEIGHT + 34}`} role="img" aria-label={text}>
      {[low, (low + high) / 2, high].map((ratio) => (
        <g key={ratio}><path class="grid" d={`M0 ${y(ratio)}H${WIDTH}`} /><text x={WIDTH + 8} y={y(ratio) + 4}>{percent(ratio)}</text></g>
      ))}
      <path class="average" d={`M0 ${y(average)}H${WIDTH}`} />
      <path class="line" d={`M${days.map(({ time, ratio }) => `${x(time)} ${y(ratio)}`).join("L")}`} />
      <circle cx={x(last.time)} cy={y(last.ratio)} r="3.5" />
      {months.map((time) => <text key={time} x={x(time)} y={HEIGHT + 22} text-anchor="middle">{month.format(time)}</text>)}
    </svg>
  );
}
