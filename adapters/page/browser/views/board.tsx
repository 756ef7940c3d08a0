import type { ComponentChildren } from "preact";
import type { MarketDay } from "../../market_summary.ts";
import { addressOf } from "../data/addresses.ts";
import { dayBefore } from "../data/format.ts";
import { directionOf, scaleOf } from "../data/lines.ts";
import type { Entry } from "../data/market_entries.ts";
import { format, texts } from "../data/state.ts";
import { Age, Change, Difference, Price, Span, Sparkline, useStale } from "../parts/numbers.tsx";

type Past = Readonly<{ day: string; note: ComponentChildren }>;
type TileProps = Readonly<{ entry: Entry; isHero: boolean; past?: Past }>;

/**
 * A tile of the board. The large tile has a line of the day so far, the other tiles a line of 30 days. The tile of a
 * past day has a note in place of the line.
 */
export function Tile({ entry, isHero, past }: TileProps) {
  const { unitName, priceNumber } = format.value;
  const { asset, name, unit, latest } = entry;
  const stale = useStale(past === undefined ? latest : undefined);
  const day = isHero ? latest?.day : undefined;
  return (
    <a
      class={`tile${isHero ? " hero" : ""}${stale ? " stale" : ""}`}
      href={addressOf("asset", asset.code, past && { day: past.day })}
    >
      <span class="tile-text">
        <span class="tile-head">
          <bdi>{name}</bdi> <span class="small">{unitName(unit)}</span>
        </span>
        <span class="tile-price">
          {latest && <Price value={latest.value} unit={unit} />}
          {!latest && (past === undefined ? <span class="bar" /> : "—")}
        </span>
        {latest && stale && (
          <span class="stale-age">
            <Age latest={latest} />
          </span>
        )}
        {latest && !stale && (
          <span class="tile-change">
            <Change latest={latest} usual={past && dayBefore(past.day)} />{" "}
            {isHero && latest.before && (
              <span class="small">
                <Difference latest={latest} unit={unit} />
              </span>
            )}
          </span>
        )}
        {day && (
          <span class="small day-range">
            {texts.value.today} <Span low={priceNumber(day.low, unit)} high={priceNumber(day.high, unit)} />
          </span>
        )}
      </span>
      {past !== undefined && <span class="small">{past.note}</span>}
      {past === undefined &&
        (day?.line !== undefined && day.line.length > 1 ? (
          <DayLine line={day.line} before={latest?.before?.value} ratio={entry.ratio} />
        ) : (
          <Sparkline entry={entry} width={180} height={isHero ? 60 : 26} />
        ))}
    </a>
  );
}

type DayLineProps = Required<Pick<MarketDay, "line">> & Pick<Entry, "ratio"> & { readonly before: number | undefined };

/** The day so far as an area, with the close of the previous day as a dotted line. It fills its container. */
function DayLine({ line, before, ratio }: DayLineProps) {
  const [start, end] = [line[0]![0], line.at(-1)![0]];
  const [x, y] = [scaleOf([start, end], 0, 100), scaleOf(line.map(([, value]) => value).concat(before ?? []), 100, 0)];
  const path = line.map(([minute, value]) => `${x(minute)} ${y(value)}`).join("L");
  const thirds = [1, 3, 5].map((sixth) => Math.round((start + ((end - start) * sixth) / 6) / 60));
  const hours = [...new Set(thirds)].filter((hour) => hour * 60 > start && hour * 60 < end);
  return (
    <span class={`day-line ${directionOf(ratio)}`} dir="ltr" aria-hidden="true">
      <svg viewBox="0 0 100 100" preserveAspectRatio="none">
        <linearGradient id="day-fill" x1="0" x2="0" y1="0" y2="1">
          <stop offset="0" stop-opacity="0.16" />
          <stop offset="1" stop-opacity="0" />
        </linearGradient>
        <path d={`M0 100L${path}L100 100Z`} fill="url(#day-fill)" />
        {before !== undefined && <path class="close" d={`M0 ${y(before)}H100`} />}
        <path class="line" d={`M${path}`} />
        <path class="end" d={`M100 ${y(line.at(-1)![1])}h0`} />
      </svg>
      {hours.map((hour) => (
        <span key={hour} style={{ left: `${x(hour * 60)}%` }}>
          {format.value.hour(hour)}
        </span>
      ))}
    </span>
  );
}
