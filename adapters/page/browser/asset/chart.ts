// The chart itself, with lightweight-charts: a file of its own, loaded after the rest of the view is painted.
import { AreaSeries, CandlestickSeries, HistogramSeries, LineSeries, PriceScaleMode, createChartEx, defaultHorzScaleBehavior } from "lightweight-charts";
import type { IChartApi, ISeriesApi, SeriesType, TickMarkType, TickMarkWeightValue, Time, UTCTimestamp } from "lightweight-charts";
import { gapsOf, slotsOf } from "./chart_data.ts";
import type { Bar } from "./chart_data.ts";
import { jalaliKinds } from "./chart_labels.ts";
import type { TickKind } from "./chart_labels.ts";

/** What is drawn, and how it is written. */
export interface ChartSettings {
  readonly isLine: boolean;
  readonly isLog: boolean;
  /** Whether another asset is drawn beside it, both as lines in percent. */
  readonly isCompared: boolean;
  /** The width of a bar in milliseconds. */
  readonly widthMs: number;
  /** How far the axis is ahead of UTC, in milliseconds. */
  readonly shiftMs: number;
  /** Decimals of prices on the axis. */
  readonly decimals: number;
  readonly colors: Readonly<Record<"text" | "grid" | "paper" | "up" | "down" | "line" | "other", string>>;
  readonly fontFamily: string;
  /** Whether months and years of the axis are those of the Jalali calendar. */
  readonly isJalali: boolean;
  priceText(price: number): string;
  percentText(percent: number): string;
  /** The text of a tick at a time of the axis, in milliseconds. */
  tickText(time: number, kind: TickKind): string;
  /** The time of a bar, for the label under the crosshair. */
  timeText(time: number): string;
  /** Called with the bar under the pointer, or `undefined` if it has left the chart. */
  onPoint(index: number | undefined): void;
}

/** A chart on the page. */
export interface PriceChart {
  /** Draws these bars in place of those before, ascending in time; the part that is seen stays. */
  show(bars: readonly Bar[], compared: readonly Bar[]): void;
  /** Puts the crosshair on a bar; `undefined` takes it away. */
  point(index: number | undefined): void;
  remove(): void;
}

/** Makes the chart in an element, whose size it follows. */
export function createPriceChart(box: HTMLElement, settings: ChartSettings): PriceChart {
  const { colors, widthMs, shiftMs, isCompared } = settings;
  const isLine = settings.isLine || isCompared;
  let bars: readonly Bar[] = [];
  const chart: IChartApi = createChartEx(box, timeAxis(settings), chartOptions(settings));
  // Behind all else, a stripe as high as the chart for each interval of a gap.
  const gapSeries = chart.addSeries(HistogramSeries, { color: colors.grid, priceScaleId: "gaps", lastValueVisible: false, priceLineVisible: false });
  gapSeries.priceScale().applyOptions({ scaleMargins: { top: 0, bottom: 0 } });
  const main = isLine ? addLine(chart, settings) : addCandles(chart, settings);
  const plain = { lastValueVisible: isCompared, priceLineVisible: false, crosshairMarkerVisible: false } as const;
  const dots = chart.addSeries(LineSeries, { ...plain, lastValueVisible: false, color: colors.text, lineVisible: false, pointMarkersVisible: true, pointMarkersRadius: 2.5 });
  const other = isCompared ? chart.addSeries(LineSeries, { ...plain, color: colors.other, lineWidth: 2 }) : undefined;
  /** A time as the chart counts: seconds of its own clock. */
  const onAxis = (time: number): UTCTimestamp => Math.floor((time + shiftMs) / 1_000) as UTCTimestamp;
  chart.subscribeCrosshairMove(({ time, sourceEvent }) => {
    if (time === undefined || sourceEvent === undefined) return; // the second: by `point`, not by a pointer
    const found = bars.findLastIndex((bar) => onAxis(bar.time) <= Number(time));
    settings.onPoint(found === -1 ? undefined : found);
  });
  box.addEventListener("pointerleave", () => settings.onPoint(undefined));

  return {
    show(next, compared) {
      const isFirst = bars.length === 0;
      bars = next;
      const slots = slotsOf(bars, widthMs);
      const barAt = new Map(bars.map((bar) => [bar.time, bar]));
      const gaps = gapsOf(bars, widthMs);
      const [ends, starts] = [new Set(gaps.map(({ from }) => from)), new Set(gaps.map(({ to }) => to))];
      const isAlone = (bar: Bar): boolean => (bar === bars[0] || starts.has(bar.time)) && (bar === bars.at(-1) || ends.has(bar.time));
      // Without a neighbour a bar is a point, which a line does not draw; without a height it would be a dash.
      const isDot = (bar: Bar): boolean => (isLine ? isAlone(bar) : bar.high === bar.low);
      // A slot without a bar keeps its width.
      const dataOf = (draw: (bar: Bar) => object | undefined) => slots.map((time) => ({ time: onAxis(time), ...(barAt.has(time) && draw(barAt.get(time)!)) }));
      main.setData(dataOf((bar) => (isLine ? lineData(bar, ends.has(bar.time)) : isDot(bar) ? undefined : candleData(bar, colors.paper))));
      dots.setData(dataOf((bar) => (isDot(bar) ? { value: bar.close } : undefined)));
      const otherEnds = new Set(gapsOf(compared, widthMs).map(({ from }) => from));
      other?.setData(compared.map(({ time, close }) => ({ time: onAxis(time), value: close, ...(otherEnds.has(time) && { color: "transparent" }) })));
      const last = bars.at(-1);
      // By default the tag of the last price has the colour of the last candle, which cannot be seen where it is hollow.
      main.applyOptions({ priceLineColor: isLine ? colors.line : last !== undefined && last.close < last.open ? colors.down : colors.up });
      const isInGap = (time: number): boolean => gaps.some(({ from, to }) => from < time && time < to);
      gapSeries.setData(slots.filter(isInGap).map((time) => ({ time: onAxis(time), value: 1 })));
      if (isFirst) chart.timeScale().fitContent();
    },
    point(index) {
      const bar = index === undefined ? undefined : bars[index];
      if (bar === undefined) chart.clearCrosshairPosition();
      else chart.setCrosshairPosition(bar.close, onAxis(bar.time), main);
    },
    remove: () => chart.remove(),
  };
}

function chartOptions({ colors, fontFamily, isLog, isCompared, shiftMs, priceText, percentText, tickText, timeText }: ChartSettings) {
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
      rightBarStaysOnScroll: true, // a zoom keeps the end
      minBarSpacing: 0.02, // pixels: the default would cut a range of ten thousand candles to its last part
      tickMarkFormatter: (time: Time, type: TickMarkType) => tickText(Number(time) * 1_000, TICK_KINDS[type]!),
    },
    localization: {
      priceFormatter: priceText,
      percentageFormatter: percentText,
      timeFormatter: (time: Time) => timeText(Number(time) * 1_000 - shiftMs),
    },
    // The wheel and a finger that moves up or down scroll the page; two fingers and a drag of an axis zoom, a double click shows all again.
    handleScroll: { mouseWheel: false, vertTouchDrag: false },
    handleScale: { mouseWheel: false },
  };
}

/** The weights that the library gives to ticks. */
const WEIGHTS = { day: 50, month: 60, year: 70 };

/** The time axis. The library knows where Gregorian months begin and marks them; in another calendar others have to weigh more. */
function timeAxis({ isJalali }: ChartSettings) {
  const axis = new (defaultHorzScaleBehavior())();
  if (!isJalali) return axis;
  const fill = axis.fillWeightsForPoints.bind(axis);
  axis.fillWeightsForPoints = (points, start) => {
    fill(points, start);
    const days = points.filter(({ timeWeight }) => timeWeight >= WEIGHTS.day);
    jalaliKinds(days.map(({ originalTime }) => Number(originalTime) * 1_000)).forEach((kind, at) => (days[at]!.timeWeight = WEIGHTS[kind] as TickMarkWeightValue));
  };
  return axis;
}

/** In the order of `TickMarkType`: year, month, day, time with and without seconds. */
const TICK_KINDS: readonly TickKind[] = ["year", "month", "day", "time", "time"];

function addCandles(chart: IChartApi, { decimals, colors: { up, down } }: ChartSettings): ISeriesApi<SeriesType> {
  const colors = { upColor: up, downColor: down, wickUpColor: up, wickDownColor: down, borderUpColor: up, borderDownColor: down };
  return chart.addSeries(CandlestickSeries, { ...priceFormat(decimals), ...colors });
}

function addLine(chart: IChartApi, { decimals, colors: { line }, isCompared }: ChartSettings): ISeriesApi<SeriesType> {
  const topColor = isCompared ? "transparent" : line.replace(/^rgb\((.*)\)$/, "rgba($1, 0.2)");
  return chart.addSeries(AreaSeries, { ...priceFormat(decimals), lineColor: line, lineWidth: 2, topColor, bottomColor: "transparent" });
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
