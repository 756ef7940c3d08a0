// Draws the chart with lightweight-charts. This file is loaded after the rest of the view is painted.

import {
  AreaSeries,
  CandlestickSeries,
  createChartEx,
  defaultHorzScaleBehavior,
  type IChartApi,
  type IPriceLine,
  type IPrimitivePaneRenderer,
  type ISeriesApi,
  LineSeries,
  type SeriesType,
  type TickMarkType,
  type TickMarkWeightValue,
  type Time,
  type UTCTimestamp,
} from "lightweight-charts";
import {
  axisDecimals,
  type Bar,
  barTime,
  canvasText,
  durationText,
  extremesOf,
  gapsOf,
  jalaliKinds,
  slotsOf,
  type TickKind,
  tickText,
} from "../data/bars.ts";
import type { Format } from "../data/format.ts";
import { widthOf } from "../data/ranges.ts";
import { isDark, format as pageFormat, preferences } from "../data/state.ts";
import type { ChartProps } from "./asset_scene.ts";

/** In the order of `TickMarkType`: year, month, day, time with and without seconds. */
const TICK_KINDS: readonly TickKind[] = ["year", "month", "day", "time", "time"];
/** The weights of ticks in the chart library. */
const WEIGHTS = { day: 50, month: 60, year: 70 };
/** Transparent colours, for the line across a gap, or for a candle that is drawn as a dot. */
const CLEAR = "transparent";
const UNSEEN = {
  color: CLEAR,
  lineColor: CLEAR,
  topColor: CLEAR,
  bottomColor: CLEAR,
  wickColor: CLEAR,
  borderColor: CLEAR,
};
const COMPACT = { notation: "compact", minimumSignificantDigits: 4, maximumSignificantDigits: 4 } as const;

/** A chart on the page. */
export type PriceChart = ReturnType<typeof createPriceChart>;

interface ChartOptions {
  /** See `axisShift`. */
  readonly shiftMs: number;
  /** Whether prices on the axis are shortened, e.g. `1.98m`. */
  readonly isShort: boolean;
  /** Called with the bar under the pointer, or `undefined` when the pointer leaves the chart. */
  onPoint(index: number | undefined): void;
  /** Called with a bar that is clicked or tapped. */
  onChoose(index: number): void;
}

/** The chosen past day: its bar, its price, and its name for the axis. */
type DayMark = Readonly<{ index: number; value: number | undefined; text: string }>;

/** Creates the chart in an element, with the element's size and font and the current theme's colours. */
export function createPriceChart(box: HTMLElement, props: ChartProps, options: ChartOptions) {
  const { isLine, interval } = props;
  const { shiftMs, onPoint, onChoose } = options;
  const widthMs = widthOf(interval);
  let bars: readonly Bar[] = [];
  let range: string | undefined;
  /** A price as a value of the axis. In a comparison, this is the change since the start as a ratio. */
  let toAxis = (value: number): number => value;
  const chart: IChartApi = createChartEx(box, timeAxis(pageFormat.value), libraryOptions(box, props, options));
  const main = addPrices(chart, props);
  const setMarks = drawMarks(chart, main, `12px ${getComputedStyle(box).fontFamily}`);
  const plain = { lastValueVisible: false, priceLineVisible: false, crosshairMarkerVisible: false } as const;
  const dotted = { lineVisible: false, pointMarkersVisible: true, pointMarkersRadius: 2.5 };
  const dots = chart.addSeries(LineSeries, { ...plain, ...dotted, color: colorOf("--ink-soft") });
  const priceFormat = { type: "price", precision: 4, minMove: 0.0001 } as const;
  const line = { ...plain, priceFormat, lastValueVisible: true, color: colorOf("--warn"), lineWidth: 2 } as const;
  const comparison = props.other && chart.addSeries(LineSeries, line);
  if (comparison)
    main.createPriceLine({ price: 0, color: colorOf("--stroke"), lineWidth: 1, lineStyle: 0, axisLabelVisible: false });
  /** A time for the chart library: shifted by `shiftMs`, in seconds. */
  const onAxis = (time: number): UTCTimestamp => Math.floor((time + shiftMs) / 1_000) as UTCTimestamp;
  const barUpTo = (time: Time): number => bars.findLastIndex((bar) => onAxis(bar.time) <= Number(time));
  chart.subscribeCrosshairMove(({ time, sourceEvent }) => {
    if (time === undefined || sourceEvent === undefined) return; // `point` sets no `sourceEvent`
    const found = barUpTo(time);
    onPoint(found === -1 ? undefined : found);
  });
  chart.subscribeClick(({ time }) => {
    if (time !== undefined && barUpTo(time) !== -1) onChoose(barUpTo(time));
  });
  let tags: readonly IPriceLine[] = [];
  box.addEventListener("pointerleave", () => onPoint(undefined));
  // Prints a picture of the chart, because a picture scales to the paper. In the dark theme, its colours are inverted.
  const end = new AbortController();
  let picture: Element | undefined;
  const drawPicture = (): void => {
    picture = chart.takeScreenshot();
    const { theme } = preferences.peek();
    picture.classList.toggle("of-dark", theme === "dark" || (theme === "auto" && isDark.peek()));
    box.append(picture);
  };
  addEventListener("beforeprint", drawPicture, end);
  addEventListener("afterprint", () => picture?.remove(), end);

  return {
    /** Replaces the bars. The visible part stays the same, but a new range is shown completely. */
    show(next: ChartProps, mark?: DayMark): void {
      bars = next.bars;
      const format = pageFormat.value;
      const [last, compared] = [bars.at(-1)!, next.other?.bars ?? []];
      const { close: start = 1, otherClose: otherStart = 1 } = next.other?.since ?? {};
      toAxis = next.other ? (value) => value / start - 1 : (value) => value;
      const slots = slotsOf(bars, widthMs);
      const barAt = new Map(bars.map((bar) => [bar.time, bar]));
      const gaps = gapsOf(bars, widthMs);
      const [ends, starts] = [new Set(gaps.map(({ from }) => from)), new Set(gaps.map(({ to }) => to))];
      const isAlone = (bar: Bar): boolean =>
        (bar === bars[0] || starts.has(bar.time)) && (bar === last || ends.has(bar.time));
      // Dots show bars without neighbours, which a line would leave out, and candles without height.
      const isDot = (bar: Bar): boolean => (isLine ? isAlone(bar) : bar.high === bar.low);
      // On the axis, intervals without a bar are as wide as all others.
      const dataOf = (draw: (bar: Bar) => object | undefined) =>
        slots.map((time) => ({ ...(barAt.has(time) && draw(barAt.get(time)!)), time: onAxis(time) }));
      // No line crosses a gap. A running candle is hollow. A candle that is shown as a dot is transparent instead
      // of left out, because the tag of the last price needs the last candle.
      const point = ({ time, close }: Bar): object => ({ value: toAxis(close), ...(ends.has(time) && UNSEEN) });
      const hollowColor = colorOf("--surface");
      const lookOf = (bar: Bar) => (isDot(bar) ? UNSEEN : bar.isRunning && { color: hollowColor });
      const candle = (bar: Bar): object => ({ ...bar, ...lookOf(bar) });
      main.setData(dataOf(isLine ? point : candle));
      dots.setData(dataOf((bar) => (isDot(bar) ? { value: toAxis(bar.close) } : undefined)));
      const otherEnds = new Set(gapsOf(compared, widthMs).map(({ from }) => from));
      const otherPoint = ({ time, close }: Bar) => ({ time: onAxis(time), value: close / otherStart - 1 });
      comparison?.setData(compared.map((bar) => ({ ...otherPoint(bar), ...(otherEnds.has(bar.time) && UNSEEN) })));
      const lineAt = (time: number, text: string) => ({ time: onAxis(time), text: canvasText(text, format.locale) });
      const [dayMark, since] = [mark && bars[mark.index], next.other?.since.time];
      setMarks({
        bands: gaps.map(({ from, to }) => {
          return { ...lineAt(from, durationText(to - from - widthMs, format)), to: onAxis(to) };
        }),
        day: dayMark && lineAt(dayMark.time, mark!.text),
        start: since === undefined ? undefined : lineAt(since, `${format.date(since)} = ${format.number(0)}`),
      });
      // By default, the last price's tag has the colour of the last candle, which is invisible if the candle is hollow.
      const direction = last.close < last.open ? "--down" : "--up";
      const isMarked = mark?.value !== undefined && !next.other;
      main.applyOptions({
        priceLineColor: colorOf(isLine ? "--accent" : direction),
        priceLineVisible: !isMarked && !next.other,
        lastValueVisible: !isMarked,
      });
      // If a day is chosen, its price has the filled tag, and the latest price has a hollow tag.
      for (const tag of tags) main.removePriceLine(tag);
      const hollow = { axisLabelColor: colorOf("--sunken"), axisLabelTextColor: colorOf("--ink"), lineVisible: false };
      const filled = { color: colorOf("--accent"), lineWidth: 1, lineStyle: 2 } as const;
      const marked = isMarked
        ? [
            { price: last.close, ...hollow },
            { price: mark!.value!, ...filled },
          ]
        : [];
      tags = marked.map((tag) => main.createPriceLine(tag));
      if (range !== next.range) chart.timeScale().fitContent();
      range = next.range;
    },
    /** Puts the crosshair on a bar, scrolls to it, and multiplies the visible time by `factor`. Without a bar, removes it. */
    point(index: number | undefined, factor = 1): void {
      const bar = bars[index ?? -1];
      if (bar === undefined) {
        chart.clearCrosshairPosition();
        return;
      }
      const slot = (time: number): number => (time - bars[0]!.time) / widthMs;
      const [at, { from, to }] = [slot(bar.time), chart.timeScale().getVisibleLogicalRange()!];
      const move = Math.min(0, at - from) + Math.max(0, at - to);
      const [left, right] = [(from + move - at) * factor, (to + move - at) * factor];
      chart.timeScale().setVisibleLogicalRange({
        from: Math.max(-1, at + left),
        to: Math.min(slot(bars.at(-1)!.time) + 1, at + right),
      });
      chart.setCrosshairPosition(toAxis(bar.close), onAxis(bar.time), main);
    },
    remove(): void {
      end.abort();
      chart.remove();
    },
  };
}

function libraryOptions(
  box: HTMLElement,
  { scene: { unit }, interval, bars, other }: ChartProps,
  { shiftMs, isShort }: ChartOptions,
) {
  const format = pageFormat.value;
  const isCompact = isShort && format.amount(extremesOf(bars).high, unit) >= 1e7;
  const priceText = (price: number): string =>
    isCompact ? format.number(format.amount(price, unit), COMPACT) : format.priceNumber(price, unit);
  const ink = colorOf("--ink-soft");
  return {
    autoSize: true,
    layout: {
      background: { color: "transparent" },
      textColor: ink,
      fontFamily: getComputedStyle(box).fontFamily,
      attributionLogo: false, // the logo needs a <style> element, which the content security policy forbids; the page credits the makers in its text
    },
    crosshair: { vertLine: { labelBackgroundColor: ink }, horzLine: { labelBackgroundColor: ink } },
    grid: { vertLines: { visible: false }, horzLines: { color: colorOf("--line") } },
    rightPriceScale: { borderVisible: false, entireTextOnly: true },
    timeScale: {
      borderColor: colorOf("--line"),
      timeVisible: true,
      rightBarStaysOnScroll: true, // a zoom keeps the end
      lockVisibleTimeRangeOnResize: true, // the price axis is drawn later, and would push the first bars out of view
      minBarSpacing: 0.02, // in pixels; with the default, only the last part of ten thousand candles would fit
      tickMarkFormatter: (time: Time, type: TickMarkType) => {
        const kind = TICK_KINDS[type]!;
        return tickText(Number(time) * 1_000, interval === "1d" && kind === "time" ? "day" : kind, format); // no hour for a single daily bar
      },
    },
    localization: {
      priceFormatter: (price: number) => (other ? format.percent(price) : canvasText(priceText(price), format.locale)),
      timeFormatter: (time: Time) =>
        canvasText(barTime(Number(time) * 1_000 - shiftMs, interval, format), format.locale),
    },
    // The wheel and vertical swipes scroll the page. The chart is zoomed by pinching or by dragging an axis.
    handleScroll: { mouseWheel: false, vertTouchDrag: false },
    handleScale: { mouseWheel: false },
  };
}

/** The time axis. The library labels the starts of Gregorian months; this axis can label Jalali months instead. */
function timeAxis({ locale }: Format) {
  const axis = new (defaultHorzScaleBehavior())();
  if (!locale.includes("-ca-persian")) return axis;
  const fill = axis.fillWeightsForPoints.bind(axis);
  axis.fillWeightsForPoints = (points, start) => {
    fill(points, start);
    const days = points.filter(({ timeWeight }) => timeWeight >= WEIGHTS.day);
    jalaliKinds(days.map(({ originalTime }) => Number(originalTime) * 1_000)).forEach(
      (kind, at) => (days[at]!.timeWeight = WEIGHTS[kind] as TickMarkWeightValue),
    );
  };
  return axis;
}

function addPrices(chart: IChartApi, { isLine, other, bars }: ChartProps): ISeriesApi<SeriesType> {
  const precision = other ? 4 : axisDecimals(extremesOf(bars).high);
  const priceFormat = { type: "price", precision, minMove: 10 ** -precision } as const;
  const [up, down, lineColor] = [colorOf("--up"), colorOf("--down"), colorOf("--accent")];
  const topColor = other ? "transparent" : lineColor.replace(/^rgb\((.*)\)$/, "rgba($1, 0.2)");
  if (isLine)
    return chart.addSeries(AreaSeries, { priceFormat, lineColor, lineWidth: 2, topColor, bottomColor: "transparent" });
  const ups = { upColor: up, wickUpColor: up, borderUpColor: up };
  const downs = { downColor: down, wickDownColor: down, borderDownColor: down };
  return chart.addSeries(CandlestickSeries, { priceFormat, ...ups, ...downs });
}

/** The colour of a CSS token, e.g. `--up`, in the current theme. */
function colorOf(token: `--${string}`): string {
  const probe = document.createElement("span");
  probe.hidden = true;
  probe.style.color = `var(${token})`; // through CSSOM, which the content security policy allows
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

/** A gap without records: the times of the bars before and after it, and its length in words. */
type GapBand = Readonly<Record<"time" | "to", UTCTimestamp> & { text: string }>;

/** The distance between the strokes of a hatched band, in pixels. */
const STROKES = 7;

/** A vertical line at a time, with its label. */
type TimeLine = { readonly time: UTCTimestamp; readonly text: string } | undefined;

/**
 * The marks behind everything else in a chart: gaps are hatched, and show their length if there is room; the chosen day
 * has its name on the axis; everything before the start of a comparison is dimmed.
 */
type Marks = Readonly<{ bands: readonly GapBand[]; day: TimeLine; start: TimeLine }>;

/** Returns a function that sets the marks. The marks appear when the chart is next drawn. */
function drawMarks(chart: IChartApi, main: ISeriesApi<SeriesType>, font: string): (marks: Marks) => void {
  const [fill, stroke, ink] = [colorOf("--sunken"), colorOf("--line"), colorOf("--ink-soft")];
  const [accent, onAccent] = [colorOf("--accent"), colorOf("--on-accent")];
  let marks: Marks = { bands: [], day: undefined, start: undefined };
  const placeOf = (line: TimeLine): number => (line && chart.timeScale().timeToCoordinate(line.time)) ?? -1e3;

  function drawBand(context: CanvasRenderingContext2D, height: number, { time, to, text }: GapBand): void {
    const half = chart.timeScale().options().barSpacing / 2;
    const left = placeOf({ time, text }) + half;
    const width = placeOf({ time: to, text }) - half - left;
    if (!(width > 0)) return;
    context.save();
    context.beginPath();
    context.rect(left, 0, width, height);
    context.fillStyle = fill;
    context.fill();
    context.clip();
    context.beginPath();
    for (let x = left - height; x < left + width; x += STROKES) {
      context.moveTo(x, height);
      context.lineTo(x + height, 0);
    }
    context.strokeStyle = stroke;
    context.stroke();
    context.textAlign = "center";
    context.fillStyle = ink;
    if (context.measureText(text).width + STROKES < width) context.fillText(text, left + width / 2, height * 0.45);
    context.restore();
  }

  function drawStart(context: CanvasRenderingContext2D, height: number, line: TimeLine): void {
    const x = placeOf(line);
    context.fillStyle = fill;
    context.fillRect(0, 0, x, height);
    context.fillStyle = ink;
    for (let y = 0; y < height; y += 4) context.fillRect(x, y, 1, 2);
    context.textAlign = "left";
    context.fillText(line!.text, x + STROKES, height - STROKES);
  }

  const renderer = {
    draw: (target: Parameters<IPrimitivePaneRenderer["draw"]>[0]): void =>
      target.useMediaCoordinateSpace(({ context, mediaSize: { height } }) => {
        context.font = font;
        if (marks.start !== undefined) drawStart(context, height, marks.start);
        for (const band of marks.bands) drawBand(context, height, band);
        context.fillStyle = accent;
        context.fillRect(placeOf(marks.day) - 1, 0, 2, height);
      }),
  };
  const label = {
    coordinate: () => placeOf(marks.day),
    text: () => marks.day?.text ?? "",
    textColor: () => onAccent,
    backColor: () => accent,
    visible: () => marks.day !== undefined,
  };
  const views = [{ zOrder: () => "bottom" as const, renderer: () => renderer }];
  main.attachPrimitive({ paneViews: () => views, timeAxisViews: () => [label] });
  return (next) => void (marks = next);
}
