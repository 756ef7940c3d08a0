// The chart itself, with lightweight-charts: a file of its own, loaded after the rest of the view is painted.
import { CandlestickSeries, LineSeries, TickMarkType, createChart } from "lightweight-charts";
import type { CandlestickData, IChartApi, ISeriesApi, LineData, Time, UTCTimestamp } from "lightweight-charts";
import type { Bar } from "./chart_data.ts";
import type { TickKind } from "./chart_labels.ts";

/** What is drawn, and how it is written. Prices are in the displayed unit, times are those of the chart's clock. */
export interface ChartSettings {
  /** At least one, ascending in time. */
  readonly bars: readonly Bar[];
  readonly isLine: boolean;
  /** Decimals of prices on the axis. */
  readonly decimals: number;
  readonly colors: Readonly<Record<"text" | "grid" | "paper" | "up" | "down" | "line", string>>;
  readonly fontFamily: string;
  priceText(price: number): string;
  /** The text of a tick of the time axis; `time` in milliseconds. */
  tickText(time: number, kind: TickKind): string;
  /** The time of a bar, for the label under the crosshair. */
  timeText(bar: Bar): string;
  /** Called with the bar under the pointer, or `undefined` if it has left the chart. */
  onPoint(index: number | undefined): void;
}

/** A chart on the page. */
export interface PriceChart {
  /** Puts the crosshair on a bar, and scrolls to it if need be; `undefined` takes it away. */
  point(index: number | undefined): void;
  /** Shows fewer bars (below 1) or more (above 1) around the middle. */
  zoom(factor: number): void;
  /** Shows all bars. */
  fit(): void;
  remove(): void;
}

/** Draws the chart into an element, whose size it follows. */
export function createPriceChart(box: HTMLElement, settings: ChartSettings): PriceChart {
  const { bars } = settings;
  const chart = createChart(box, chartOptions(settings));
  const series = settings.isLine ? lineOf(chart, settings) : candlesOf(chart, settings);
  const scale = chart.timeScale();
  scale.fitContent();
  chart.subscribeCrosshairMove(({ logical, point }) => {
    settings.onPoint(logical === undefined || point === undefined ? undefined : Math.min(bars.length - 1, Math.max(0, Math.round(logical))));
  });

  return {
    point(index) {
      const bar = index === undefined ? undefined : bars[index];
      if (index === undefined || bar === undefined) return chart.clearCrosshairPosition();
      const shown = scale.getVisibleLogicalRange();
      if (shown !== null && (index < shown.from || index > shown.to)) {
        const half = (shown.to - shown.from) / 2;
        scale.setVisibleLogicalRange({ from: index - half, to: index + half });
      }
      chart.setCrosshairPosition(bar.close, chartTime(bar), series);
    },
    zoom(factor) {
      const shown = scale.getVisibleLogicalRange();
      if (shown === null) return;
      const middle = (shown.from + shown.to) / 2;
      const half = Math.min(bars.length, Math.max(4, ((shown.to - shown.from) / 2) * factor));
      scale.setVisibleLogicalRange({ from: middle - half, to: middle + half });
    },
    fit: () => scale.fitContent(),
    remove: () => chart.remove(),
  };
}

function chartOptions({ bars, colors, fontFamily, priceText, tickText, timeText }: ChartSettings): Parameters<typeof createChart>[1] {
  const barAt = new Map(bars.map((bar) => [chartTime(bar) as number, bar]));
  return {
    autoSize: true,
    layout: {
      background: { color: "transparent" },
      textColor: colors.text,
      fontFamily,
      attributionLogo: false, // it needs a <style> element, which the content security policy forbids; the page names the makers
    },
    crosshair: { vertLine: { labelBackgroundColor: colors.text }, horzLine: { labelBackgroundColor: colors.text } },
    grid: { vertLines: { color: colors.grid }, horzLines: { color: colors.grid } },
    rightPriceScale: { borderColor: colors.grid },
    timeScale: {
      borderColor: colors.grid,
      timeVisible: true,
      minBarSpacing: 0.02, // pixels: the default would cut a range of ten thousand candles to its last part
      tickMarkFormatter: (time: Time, type: TickMarkType) => tickText(millisOf(time), TICK_KINDS[type]),
    },
    localization: {
      priceFormatter: priceText,
      timeFormatter: (time: Time) => {
        const bar = barAt.get(millisOf(time) / 1_000);
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

function candlesOf(chart: IChartApi, { bars, decimals, colors }: ChartSettings): ISeriesApi<"Candlestick"> {
  const last = bars.at(-1);
  const series = chart.addSeries(CandlestickSeries, {
    ...seriesOptions(decimals),
    upColor: colors.up,
    downColor: colors.down,
    wickUpColor: colors.up,
    wickDownColor: colors.down,
    borderUpColor: colors.up,
    borderDownColor: colors.down,
    // Also of the tag with the last price. By default that of the last candle, which cannot be seen where it is hollow.
    priceLineColor: last !== undefined && last.close < last.open ? colors.down : colors.up,
  });
  series.setData(
    bars.map((bar): CandlestickData => {
      const { open, high, low, close, isRunning } = bar;
      return { time: chartTime(bar), open, high, low, close, ...(isRunning ? { color: colors.paper } : {}) };
    }),
  );
  return series;
}

function lineOf(chart: IChartApi, { bars, decimals, colors }: ChartSettings): ISeriesApi<"Line"> {
  const series = chart.addSeries(LineSeries, { ...seriesOptions(decimals), color: colors.line, lineWidth: 2 });
  series.setData(bars.map((bar): LineData => ({ time: chartTime(bar), value: bar.close })));
  return series;
}

function seriesOptions(decimals: number) {
  return { priceFormat: { type: "price", precision: decimals, minMove: 10 ** -decimals } } as const;
}

/** Seconds, as the chart counts. */
function chartTime({ time }: Bar): UTCTimestamp {
  return Math.floor(time / 1_000) as UTCTimestamp;
}

function millisOf(time: Time): number {
  return typeof time === "number" ? time * 1_000 : NaN; // other kinds of time come only where they were put in
}
