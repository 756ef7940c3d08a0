import { useEffect, useRef, useState } from "preact/hooks";
import { DAY_MS } from "../../../../core/internal.ts";
import { usePage } from "../context.ts";
import type { Format } from "../format.ts";
import { loadFile } from "../load_file.ts";
import { nameOf } from "../titles.ts";
import { colorOf } from "../ui/color.ts";
import { Icon } from "../ui/icon.tsx";
import type { PriceChart } from "./chart.ts";
import { areCandles, axisDecimals, summarize } from "./chart_data.ts";
import type { Bar } from "./chart_data.ts";
import { axisShift, barTime, canvasText, tickKind, tickText } from "./chart_labels.ts";
import { widthOf } from "./ranges.ts";
import type { CandleWindow } from "./ranges.ts";
import { Readout, barText } from "./readout.tsx";
import type { Scene } from "./scene.ts";

const PHONE = "(width < 40rem)";

/** What the chart is drawn from. */
export interface ChartProps {
  readonly scene: Scene;
  readonly window: CandleWindow;
  /** In the unit of the API, at least one. */
  readonly bars: readonly Bar[];
  /** Those of the asset that is compared; `undefined`: none. */
  readonly compared: readonly Bar[] | undefined;
}

/**
 * The chart with the values of one bar, and the controls that need no pointer: a slider that moves over the bars, and
 * buttons to zoom. All of it but the picture is there at once.
 */
export function PriceChartBox({ scene, window: { interval }, bars, compared }: ChartProps) {
  const { format, settings, preferences } = usePage();
  const { texts, unit, choice } = scene;
  const canvas = useRef<HTMLDivElement>(null);
  const chart = useRef<PriceChart>();
  const [pointed, setPointed] = useState<number>();
  const [hasFailed, setFailed] = useState(false);
  const isDark = useMedia("(prefers-color-scheme: dark)");
  const isPhone = useMedia(PHONE);
  const isLine = choice.kind === undefined ? !areCandles(bars) : choice.kind === "line";
  const shift = axisShift(bars, interval, settings.marketTimeZone);
  const shown = (bar: Bar): Bar => shownBar(bar, shift, (value) => format.amount(value, unit));
  const now = useRef({ bars, compared, shown });
  now.current = { bars, compared, shown };
  const look = JSON.stringify([isLine, choice.isLog, compared !== undefined, isDark, isPhone, preferences, interval]);

  useEffect(() => {
    let isLeft = false;
    const decimals = axisDecimals(format.amount(summarize(bars)?.highest.high ?? 0, unit));
    const axisNumber = new Intl.NumberFormat(format.locale, isPhone && decimals === 0
      ? { notation: "compact", minimumSignificantDigits: 4, maximumSignificantDigits: 4 }
      : { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
    const draw = async (): Promise<void> => {
      await nextPaint();
      const { createPriceChart } = await loadFile(() => import("./chart.ts"));
      if (isLeft) return;
      chart.current = createPriceChart(canvas.current!, {
        isLine, isLog: choice.isLog, isCompared: compared !== undefined, widthMs: bars[0]?.observations === undefined ? DAY_MS : widthOf(interval), decimals,
        colors: {
          text: colorOf("--ink-soft"), grid: colorOf("--line"), paper: colorOf("--surface"), sunken: colorOf("--sunken"),
          up: colorOf("--up"), down: colorOf("--down"), line: colorOf("--accent"), other: colorOf("--warn"),
        },
        fontFamily: getComputedStyle(canvas.current!).fontFamily,
        priceText: (price) => axisNumber.format(price),
        percentText: (percent) => format.percent(percent / 100),
        tickText: (time, kind) => tickText(time, tickKind(kind, bars, interval), format),
        timeText: (bar) => canvasText(barTime({ ...bar, time: bar.time - shift }, interval, format), format.locale),
        gapText: ({ from, to }) => canvasText(texts.missing(Math.max(1, Math.round((to - from) / DAY_MS) - (interval === "1d" ? 1 : 0)), format.number), format.locale),
        onPoint: setPointed,
      });
      chart.current.show(now.current.bars.map(now.current.shown), (now.current.compared ?? []).map(now.current.shown));
    };
    draw().catch((error: unknown) => {
      setFailed(true);
      reportError(error);
    });
    return () => {
      isLeft = true;
      chart.current?.remove();
      chart.current = undefined;
    };
  }, [look]);
  useEffect(() => chart.current?.show(bars.map(shown), (compared ?? []).map(shown)), [bars, compared]);

  const last = bars.length - 1;
  const at = Math.min(pointed ?? last, last);
  return (
    <div class="asset-frame">
      <Readout scene={scene} interval={interval} bar={bars[at]!} before={bars[at - 1]} />
      <div class="asset-canvas" dir="ltr" role="img" aria-label={pictureText({ scene, interval, bars, language: preferences.language }, format)} ref={canvas}>
        {hasFailed && <p class="loading">{texts.chartFailed}</p>}
      </div>
      <div class="asset-tools">
        <input
          type="range" class="asset-slider" dir="ltr" min={0} max={last} value={at} aria-label={texts.candleSlider}
          aria-valuetext={barText(scene, { interval, bar: bars[at]! }, format)}
          onInput={({ currentTarget }) => (setPointed(Number(currentTarget.value)), chart.current?.point(Number(currentTarget.value)))}
          onBlur={() => (setPointed(undefined), chart.current?.point(undefined))}
        />
        <button type="button" class="quiet" id="asset-zoom-in" aria-label={texts.zoomIn} title={texts.zoomIn} onClick={() => chart.current?.zoom(1 / 2)}>+</button>
        <button type="button" class="quiet" id="asset-zoom-out" aria-label={texts.zoomOut} title={texts.zoomOut} onClick={() => chart.current?.zoom(2)}>−</button>
        <button type="button" class="quiet" id="asset-fit" onClick={() => chart.current?.fit()}>{texts.wholeRange}</button>
        <button type="button" class="quiet" id="asset-full" aria-label={texts.fullScreen} title={texts.fullScreen} onClick={toggleFull}>
          <Icon name="expand" />
        </button>
      </div>
    </div>
  );
}

function toggleFull({ currentTarget }: { readonly currentTarget: Element }): void {
  if (document.fullscreenElement !== null) void document.exitFullscreen();
  else void currentTarget.closest(".asset-chart")!.requestFullscreen().catch(reportError);
}

interface Pictured extends Pick<ChartProps, "scene" | "bars"> {
  readonly interval: CandleWindow["interval"];
  readonly language: "en" | "fa";
}

/** What the picture shows, in three sentences. */
function pictureText({ scene: { asset, unit, texts }, interval, bars, language }: Pictured, format: Format): string {
  const found = summarize(bars);
  if (found === undefined) return nameOf(asset, language);
  const { first, last, highest, lowest } = found;
  const at = (bar: Bar): string => barTime(bar, interval, format);
  return [
    texts.chartOf(nameOf(asset, language), format.unitName(unit)),
    texts.summary(format.priceNumber(first.open, unit), at(first), format.priceNumber(last.close, unit), at(last)),
    texts.extremes(format.priceNumber(highest.high, unit), at(highest), format.priceNumber(lowest.low, unit), at(lowest)),
  ].join(" ");
}

/** A bar in the displayed unit and the time of the chart's clock. */
function shownBar({ time, open, high, low, close, ...rest }: Bar, shift: number, amount: (value: number) => number): Bar {
  return { ...rest, time: time + shift, open: amount(open), high: amount(high), low: amount(low), close: amount(close) };
}

function nextPaint(): Promise<void> {
  return new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
}

/** Whether a media query matches, drawn anew when that changes. */
function useMedia(query: string): boolean {
  const [matches, setMatches] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const media = matchMedia(query);
    const changed = (): void => setMatches(media.matches);
    media.addEventListener("change", changed);
    return () => media.removeEventListener("change", changed);
  }, [query]);
  return matches;
}
