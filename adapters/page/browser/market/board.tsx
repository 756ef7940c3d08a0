import { usePage } from "../context.ts";
import type { MarketDay } from "../../market_summary.ts";
import type { PageAsset } from "../../page_settings.ts";
import { addressOf } from "../places.ts";
import type { Entry } from "./entries.ts";
import { isStale } from "./known.ts";
import { Change, Difference, Price, Sparkline, directionOf, tenths } from "./numbers.tsx";

const WANTED = ["USD_RLS", "SEKKEH_RLS", "GOLD_18_RLS", "USDT_RLS", "BTC_USD"];

/** The assets that people come for each day, also while prices are awaited; of another catalog, the first five. */
export function boardOf(assets: readonly PageAsset[], rows: ReadonlyMap<string, unknown>): readonly PageAsset[] {
  const priced = rows.size === 0 ? assets : assets.filter(({ code }) => rows.has(code));
  const wanted = WANTED.flatMap((code) => priced.find((asset) => asset.code === code) ?? []);
  return wanted.length > 1 ? wanted : [...wanted, ...priced.filter((asset) => !wanted.includes(asset))].slice(0, WANTED.length);
}

/** The board: the first as hero with its day, the others with their 30 days. */
export function Board({ entries }: { readonly entries: readonly Entry[] }) {
  return <div class="board">{entries.map((entry, at) => <Tile key={entry.asset.code} entry={entry} isHero={at === 0} />)}</div>;
}

function Tile({ entry, isHero }: { readonly entry: Entry; readonly isHero: boolean }) {
  const { format, now, settings, texts } = usePage();
  const { asset, name, unit, latest } = entry;
  const stale = latest !== undefined && isStale(latest, now, settings.staleThresholdMinutes);
  const day = isHero ? latest?.day : undefined;
  return (
    <a class={`tile${isHero ? " hero" : ""}${stale ? " stale" : ""}`} href={addressOf("asset", asset.code)}>
      <span class="tile-text">
        <span class="tile-head"><bdi>{name}</bdi> <span class="small">{format.unitName(unit)}</span></span>
        <span class="tile-price">{latest === undefined ? <span class="bar" /> : <Price value={latest.value} unit={unit} />}</span>
        {stale && <span class="stale-age">{format.age(Date.parse(latest.businessTime), now)}</span>}
        {latest !== undefined && !stale && (
          <span class="tile-change">
            <Change latest={latest} />{" "}
            {isHero && latest.before && <span class="small"><Difference latest={latest} unit={unit} /> {format.unitName(unit)}</span>}
          </span>
        )}
        {day && <span class="small day-range">{texts.today} <bdi class="n" dir="ltr">{format.priceNumber(day.low, unit)} – {format.priceNumber(day.high, unit)}</bdi></span>}
      </span>
      {day?.line !== undefined && day.line.length > 1
        ? <DayLine line={day.line} before={latest?.before?.value} ratio={entry.ratio} />
        : <Sparkline entry={entry} width={180} height={26} />}
    </a>
  );
}

const [WIDTH, HEIGHT] = [164, 84];

/** The day so far as an area against the close of the day before, which is dotted. */
function DayLine({ line, before, ratio }: { readonly line: NonNullable<MarketDay["line"]>; readonly before: number | undefined; readonly ratio: number | undefined }) {
  const { format } = usePage();
  const values = line.map(([, value]) => value).concat(before ?? []);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const [start, end] = [line[0]![0], line.at(-1)![0]];
  const x = (minute: number): number => tenths((WIDTH * (minute - start)) / (end - start));
  const y = (value: number): number => tenths(high === low ? HEIGHT / 2 : HEIGHT * (1 - (value - low) / (high - low)));
  const path = line.map(([minute, value]) => `${x(minute)} ${y(value)}`).join("L");
  const hours = [1, 3, 5].map((sixth) => Math.round((start + ((end - start) * sixth) / 6) / 60)).filter((hour, at, all) => hour !== all[at - 1] && hour < 24);
  return (
    <svg class={`day-line ${directionOf(ratio)}`} viewBox={`-2 -4 ${WIDTH + 8} ${HEIGHT + 26}`} aria-hidden="true">
      <linearGradient id="day-fill" x1="0" x2="0" y1="0" y2="1"><stop offset="0" stop-opacity="0.16" /><stop offset="1" stop-opacity="0" /></linearGradient>
      <path class="area" d={`M${x(start)} ${HEIGHT}L${path}L${x(end)} ${HEIGHT}Z`} fill="url(#day-fill)" />
      {before !== undefined && <path class="close" d={`M0 ${y(before)}H${WIDTH}`} />}
      <path class="line" d={`M${path}`} />
      <circle cx={x(end)} cy={y(line.at(-1)![1])} r={3} />
      {hours.map((hour) => (
        <text key={hour} x={Math.min(WIDTH - 12, Math.max(14, x(hour * 60)))} y={HEIGHT + 17} text-anchor="middle">{format.hour(hour)}</text>
      ))}
    </svg>
  );
}
