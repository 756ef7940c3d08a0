import { colorOf } from "../dom.ts";
import { loadFile } from "../load_file.ts";
import type { Interval } from "../../../../core/mod.ts";
import { axisDecimals, isLine, summarize } from "./chart_data.ts";
import type { Bar } from "./chart_data.ts";
import type { PriceChart } from "./chart.ts";
import { axisShift, barTime, canvasText, tickKind, tickText } from "./chart_labels.ts";
import type { Scene } from "./scene.ts";

/** Which chart is wanted, and where. */
export interface ChartRequest {
  readonly interval: Interval;
  /** In the unit of the API. */
  readonly bars: readonly Bar[];
  readonly canvas: HTMLElement;
  onPoint(index: number | undefined): void;
}

/** Loads the chart's file once the rest is painted, and draws the chart as long as the view stands; `undefined` if it was left meanwhile. */
export async function loadChart({ context, unit }: Scene, { interval, bars, canvas, onPoint }: ChartRequest): Promise<PriceChart | undefined> {
  const { format, settings, signal } = context;
  await nextPaint();
  if (signal.aborted) return undefined;
  const { createPriceChart } = await loadFile(() => import("./chart.ts"));
  // A new drawing of this part alone takes the element off the page.
  if (signal.aborted || !canvas.isConnected) return undefined;
  const shift = axisShift(bars, interval, settings.marketTimeZone);
  const decimals = axisDecimals(format.amount(summarize(bars)?.highest.high ?? 0, unit));
  const axisNumber = new Intl.NumberFormat(format.locale, { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
  const chart = createPriceChart(canvas, {
    bars: bars.map((bar) => shownBar(bar, shift, (value) => format.amount(value, unit))),
    isLine: isLine(bars),
    decimals,
    colors: { text: colorOf("--ink-soft"), grid: colorOf("--line"), paper: colorOf("--surface"), up: colorOf("--up"), down: colorOf("--down"), line: colorOf("--accent") },
    fontFamily: getComputedStyle(canvas).fontFamily,
    priceText: (price) => axisNumber.format(price),
    tickText: (time, kind) => tickText(time, tickKind(kind, bars, interval), format),
    timeText: (bar) => canvasText(barTime({ ...bar, time: bar.time - shift }, interval, format), format.locale),
    onPoint,
  });
  signal.addEventListener("abort", () => chart.remove());
  return chart;
}

/** A bar in the displayed unit and the time of the chart's clock. */
function shownBar({ time, open, high, low, close, ...rest }: Bar, shift: number, amount: (value: number) => number): Bar {
  return { ...rest, time: time + shift, open: amount(open), high: amount(high), low: amount(low), close: amount(close) };
}

function nextPaint(): Promise<void> {
  return new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
}
