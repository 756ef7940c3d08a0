// The chart itself, with lightweight-charts: a file of its own, loaded after the rest of the view is painted.
import { AreaSeries, CandlestickSeries, LineSeries, PriceScaleMode, TickMarkType, createChart } from "lightweight-charts";
import type { IChartApi, ISeriesApi, SeriesType, Time, UTCTimestamp } from "lightweight-charts";
import { emptyTimes, gapsOf } from "./chart_data.ts";
import type { Bar, Gap } from "./chart_data.ts";
import { gapMarks } from "./chart_gaps.ts";
import type { TickKind } from "./chart_labels.ts";

/** What is drawn, and how it is written. Prices are in the displayed unit, times are those of the chart's clock, in milliseconds. */
export interface ChartSettings {
  readonly isLine: boolean;
  readonly isLog: boolean;
  /** Whether another asset is drawn beside it, both in percent. */
  readonly isCompared: boolean;
  /** The width of a bar. */
  readonly widthMs: number;
  /** Decimals of prices on the axis. */
  readonly decimals: number;
  readonly colors: Readonly<Record<"text" | "grid" | "paper" | "sunken" | "up" | "down" | "line" | "other", string>>;
  readonly fontFamily: string;
  priceText(price: number): string;
  percentText(percent: number): string;
  /** The text of a tick of the time axis. */
  tickText(time: number, kind: TickKind): string;
  /** The time of a bar, for the label under the crosshair. */
  timeText(bar: Bar): string;
  gapText(gap: Gap): string;
  /** Called with the bar under the pointer, or `undefined` if it has left the chart. */
  onPoint(index: number | undefined): void;
}

/** A chart on the page. */
export interface PriceChart {
  /** Draws these bars in place of those before, ascending in time; the part that is seen stays. */
  show(bars: readonly Bar[], compared: readonly Bar[]): void;
  /** Puts the crosshair on a bar, and scrolls to it if need be; `undefined` takes it away. */
  point(index: number | undefined): void;
  /** Shows fewer bars (below 1) or more (above 1); the end stays where it is. */
  zoom(factor: number): void;
  /** Shows all bars. */
  fit(): void;
  remove(): void;
}

/** Makes the chart in an element, whose size it follows. */
export function createPriceChart(box: HTMLElement, settings: ChartSettings): PriceChart {
  const { colors, widthMs } = settings;
  const isLine = settings.isLine || settings.isCompared;
  let bars: readonly Bar[] = [];
  /** The times of the axis, also of buckets without a record, in seconds. */
  let slots: readonly number[] = [];
  let barAt = new Map<number, number>();
  const chart = createChart(box, chartOptions(settings, (seconds) => bars[barAt.get(seconds) ?? -1]));
  const main = isLine ? addLine(chart, settings) : addCandles(chart, settings);
  const common = { lastValueVisible: false, priceLineVisible: false, crosshairMarkerVisible: false } as const;
  const dots = chart.addSeries(LineSeries, { ...common, color: colors.text, lineVisible: false, pointMarkersVisible: true, pointMarkersRadius: 2.5 });
  const other = settings.isCompared ? chart.addSeries(LineSeries, { ...common, lastValueVisible: true, color: colors.other, lineWidth: 2 }) : undefined;
  const marks = gapMarks(chart, settings);
  main.attachPrimitive(marks.primitive);
  const scale = chart.timeScale();
  chart.subscribeCrosshairMove(({ time, sourceEvent }) => {
    if (time === undefined || sourceEvent === undefined) return; // the second: by `point`, not by a pointer
    const found = bars.findLastIndex((bar) => secondsOf(bar) <= Number(time));
    settings.onPoint(found === -1 ? undefined : found);
  });
  box.addEventListener("pointerleave", () => settings.onPoint(undefined));

  return {
    show(next, compared) {
      const isFirst = bars.length === 0;
      bars = next;
      barAt = new Map(bars.map((bar, index) => [secondsOf(bar), index]));
      const empty = emptyTimes(bars, widthMs).map((time) => Math.floor(time / 1_000));
      slots = [...barAt.keys(), ...empty].sort((a, b) => a - b);
      const gaps = gapsOf(bars, widthMs);
      const [ends, starts] = [new Set(gaps.map(({ from }) => from)), new Set(gaps.map(({ to }) => to))];
      const isAlone = (bar: Bar): boolean => (bar === bars[0] || starts.has(bar.time)) && (bar === bars.at(-1) || ends.has(bar.time));
      // Without a neighbour a bar is a point, which a line does not draw; without a height it would be a dash.
      const isDot = (bar: Bar): boolean => (isLine ? isAlone(bar) : bar.high === bar.low);
      const dataOf = (draw: (bar: Bar) => object | undefined) => slots.map((time) => {
        const index = barAt.get(time);
        return { time: time as UTCTimestamp, ...(index === undefined ? {} : draw(bars[index]!)) };
      });
      main.setData(dataOf((bar) => (isLine ? lineData(bar, ends.has(bar.time)) : isDot(bar) ? undefined : candleData(bar, colors.paper))));
      dots.setData(dataOf((bar) => (isDot(bar) ? { value: bar.close } : undefined)));
      const otherEnds = new Set(gapsOf(compared, widthMs).map(({ from }) => from));
      other?.setData(compared.map((bar) => ({ time: secondsOf(bar) as UTCTimestamp, value: bar.close, ...(otherEnds.has(bar.time) && { color: "transparent" }) })));
      const last = bars.at(-1);
      // By default the tag of the last price has the colour of the last candle, which cannot be seen where it is hollow.
      main.applyOptions({ priceLineColor: isLine ? colors.line : last !== undefined && last.close < last.open ? colors.down : colors.up });
      marks.show(gaps);
      if (isFirst) scale.fitContent();
    },
    point(index) {
      const bar = index === undefined ? undefined : bars[index];
      if (bar === undefined) return chart.clearCrosshairPosition();
      const slot = slots.indexOf(secondsOf(bar));
      const shown = scale.getVisibleLogicalRange();
      if (shown !== null && (slot < shown.from || slot > shown.to)) {
        const half = (shown.to - shown.from) / 2;
        scale.setVisibleLogicalRange({ from: slot - half, to: slot + half });
      }
      chart.setCrosshairPosition(bar.close, secondsOf(bar) as UTCTimestamp, main);
    },
    zoom(factor) {
      const shown = scale.getVisibleLogicalRange();
      if (shown === null) return;
      scale.setVisibleLogicalRange({ from: shown.to - Math.min(slots.length * 2, Math.max(8, (shown.to - shown.from) * factor)), to: shown.to });
    },
    fit: () => scale.fitContent(),
    remove: () => chart.remove(),
  };
}

function chartOptions({ colors, fontFamily, isLog, isCompared, priceText, percentText, tickText, timeText }: ChartSettings, barAt: (seconds: number) => Bar | undefined) {
  return {
    autoSize: true,
    layout: {
      background: { color: "transparent" },
      textColor: colors.text,
      fontFamily,
      attributionLogo: false, // it needs a <style> element, which the content security policy forbids; the page names the makers
    },
    crosshair: { vertLine: { labelBackgroundColor: colors.text }, horzLine: { labelBackgroundColor: colors.text } },
    grid: { vertLines: { visible: false }, horzLines: { color: colors.grid } },
    rightPriceScale: { borderVisible: false, mode: isCompared ? PriceScaleMode.Percentage : isLog ? PriceScaleMode.Logarithmic : PriceScaleMode.Normal },
    timeScale: {
      borderColor: colors.grid,
      timeVisible: true,
      minBarSpacing: 0.02, // pixels: the default would cut a range of ten thousand candles to its last part
      tickMarkFormatter: (time: Time, type: TickMarkType) => tickText(Number(time) * 1_000, TICK_KINDS[type]),
    },
    localization: {
      priceFormatter: priceText,
      percentageFormatter: percentText,
      timeFormatter: (time: Time) => {
        const bar = barAt(Number(time));
        return bar === undefined ? "" : timeText(bar);
      },
    },
    // The wheel and a finger that moves up or down scroll the page; buttons and two fingers zoom.
    handleScroll: { mouseWheel: false, vertTouchDrag: false },
    handleScale: { mouseWheel: false },
  };
}

const TICK_KINDS: Readonly<Record<TickMarkType, TickKind>> = {
  [TickMarkType.Year]: "year",
  [TickMarkType.Month]: "month",
  [TickMarkType.DayOfMonth]: "day",
  [TickMarkType.Time]: "time",
  [TickMarkType.TimeWithSeconds]: "time",
};

function addCandles(chart: IChartApi, { decimals, colors: { up, down } }: ChartSettings): ISeriesApi<SeriesType> {
  const colors = { upColor: up, downColor: down, wickUpColor: up, wickDownColor: down, borderUpColor: up, borderDownColor: down };
  return chart.addSeries(CandlestickSeries, { ...priceFormat(decimals), ...colors });
}

function addLine(chart: IChartApi, { decimals, colors: { line }, isCompared }: ChartSettings): ISeriesApi<SeriesType> {
  const area = { topColor: isCompared ? "transparent" : faded(line, 0.2), bottomColor: isCompared ? "transparent" : faded(line, 0) };
  return chart.addSeries(AreaSeries, { ...priceFormat(decimals), lineColor: line, lineWidth: 2, ...area });
}

/** A point of the line; before a gap, what follows it is not drawn. */
function lineData({ close }: Bar, isBeforeGap: boolean): object {
  return { value: close, ...(isBeforeGap && { lineColor: "transparent", topColor: "transparent", bottomColor: "transparent" }) };
}

/** A candle; one that is running is hollow. */
function candleData({ open, high, low, close, isRunning }: Bar, paper: string): object {
  return { open, high, low, close, ...(isRunning && { color: paper }) };
}

function priceFormat(decimals: number) {
  return { priceFormat: { type: "price", precision: decimals, minMove: 10 ** -decimals } } as const;
}

/** A computed colour, `rgb(1, 2, 3)`, with an opacity. */
function faded(color: string, opacity: number): string {
  return color.replace(/^rgb\((.*)\)$/, `rgba($1, ${opacity})`);
}

/** Seconds, as the chart counts. */
function secondsOf({ time }: Bar): number {
  return Math.floor(time / 1_000);
}
