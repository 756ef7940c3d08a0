import { h } from "../dom.ts";
import type { Child } from "../dom.ts";
import { segmented } from "../segmented.ts";
import { isLine, lastSparse, summarize } from "./chart_data.ts";
import type { Bar } from "./chart_data.ts";
import { barTime, intervalName, rangeName, utcDay } from "./chart_labels.ts";
import { chartFrame } from "./chart_frame.ts";
import { isCapped, isRange, offeredRanges } from "./ranges.ts";
import type { CandleWindow, RangeName, Supply } from "./ranges.ts";
import { choose } from "./scene.ts";
import type { Scene } from "./scene.ts";

/** What the chart shows: candles, or the values of days where there are none. In the unit of the API. */
export interface ChartContent {
  /** Ascending in time. */
  readonly bars: readonly Bar[];
  readonly isDaily: boolean;
}

/** What the section is drawn from. */
export interface ChartDrawing {
  readonly supply: Supply;
  readonly window: CandleWindow & { readonly range: RangeName };
  /** `undefined` while it is on its way. */
  readonly content: ChartContent | undefined;
}

/** Interval, range, the chart and what it says in words. */
export function chartSection(scene: Scene, drawing: ChartDrawing): HTMLElement {
  const { context, texts } = scene;
  const { content } = drawing;
  return h(
    "section",
    { class: "asset-chart", "aria-labelledby": "asset-chart-title" },
    h("h2", { id: "asset-chart-title" }, texts.chart, " ", h("span", { class: "small asset-unit" }, texts.prices(context.format.unitName(scene.unit)))),
    choices(scene, drawing),
    ...(content === undefined || content.bars.length === 0
      ? [h("div", { class: "asset-canvas" }, h("p", { class: "loading" }, content === undefined ? texts.loading : texts.noDays))]
      : [
        sparseNote(scene, drawing.window.interval, content.bars),
        chartFrame(scene, drawing.window.interval, content.bars),
        summary(scene, drawing.window.interval, content.bars),
        notes(scene, drawing, content),
      ]),
  );
}

function choices(scene: Scene, { supply, window }: ChartDrawing): HTMLElement {
  const { context, texts } = scene;
  const { format } = context;
  return h(
    "div",
    { class: "asset-choices" },
    segmented({
      name: "asset-interval",
      label: texts.interval,
      options: { "15m": intervalName("15m", format), "1h": intervalName("1h", format), "4h": intervalName("4h", format), "1d": intervalName("1d", format) },
      chosen: window.interval,
      choose: (interval) => choose(scene, { interval }),
    }),
    segmented<string>({
      name: "asset-range",
      label: texts.range,
      options: Object.fromEntries(offeredRanges(window.interval, supply).map((range) => [range, rangeName(range, format, texts.all)])),
      chosen: window.range,
      choose: (range) => choose(scene, isRange(range) ? { range } : {}),
    }),
  );
}

/** Why the chart begins with dashes or a steep piece: said above it, as it can be taken for a crash. */
function sparseNote({ context, texts }: Scene, interval: CandleWindow["interval"], bars: readonly Bar[]): Child {
  const last = lastSparse(bars);
  const note = texts.sparse[interval === "1d" ? "days" : "shorter"];
  return last !== undefined && h("p", { class: "small asset-sparse" }, note(context.format.date(interval === "1d" ? utcDay(last) : last.time)));
}

/** What the chart shows, for those who do not see it, and at a glance for those who do. */
function summary({ context, unit, texts }: Scene, interval: CandleWindow["interval"], bars: readonly Bar[]): HTMLElement {
  const { format } = context;
  const found = summarize(bars);
  if (found === undefined) return h("p", {}, texts.noDays);
  const { first, last, highest, lowest, change } = found;
  const rows: readonly (readonly [name: string, value: string, detail: string])[] = [
    [texts.first, format.priceNumber(first.open, unit), barTime(first, interval, format)],
    [texts.last, format.priceNumber(last.close, unit), barTime(last, interval, format)],
    [texts.highest, format.priceNumber(highest.high, unit), barTime(highest, interval, format)],
    [texts.lowest, format.priceNumber(lowest.low, unit), barTime(lowest, interval, format)],
    [texts.change, format.percent(change), ""],
  ];
  return h(
    "dl",
    { class: "asset-summary" },
    ...rows.map(([name, value, detail]) => h("div", {}, h("dt", {}, name), h("dd", {}, h("bdi", {}, value), detail !== "" && h("span", { class: "small" }, detail)))),
  );
}

function notes({ context, texts }: Scene, { supply, window }: ChartDrawing, { bars, isDaily }: ChartContent): HTMLElement {
  const { format, settings } = context;
  const isCut = window.range === "all" && isCapped(window.interval, supply);
  return h(
    "ul",
    { class: "asset-notes small" },
    isDaily && h("li", {}, texts.isDaily),
    !isDaily && isLine(bars) && h("li", {}, texts.isLine),
    !isLine(bars) && bars.at(-1)?.isRunning === true && h("li", {}, texts.hollow),
    isCut && !isDaily && h("li", {}, texts.capped(format.number(supply.maxCandles), format.date(window.from))),
    window.interval === "1d" && !isDaily && h("li", {}, texts.utcDays(settings.marketTimeZone)),
    h(
      "li", {}, texts.drawnWith, " ",
      h("a", { href: "https://www.tradingview.com/", rel: "noopener noreferrer", dir: "ltr", lang: "en" }, "TradingView Lightweight Charts™"), " ",
      h("span", { dir: "ltr", lang: "en" }, "Copyright © 2026 TradingView, Inc."),
    ),
  );
}
