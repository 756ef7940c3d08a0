import { h } from "../dom.ts";
import { nameOf } from "../titles.ts";
import type { Interval } from "../../../../core/mod.ts";
import { summarize } from "./chart_data.ts";
import type { Bar } from "./chart_data.ts";
import type { PriceChart } from "./chart.ts";
import { barTime } from "./chart_labels.ts";
import { loadChart } from "./load_chart.ts";
import { barText, createReadout } from "./readout.ts";
import type { Scene } from "./scene.ts";

/**
 * The chart with the values of one bar, and the controls that need no pointer: a slider that moves over the bars, and
 * buttons to zoom. All of it but the picture is there at once.
 */
export function chartFrame(scene: Scene, interval: Interval, bars: readonly Bar[]): HTMLElement {
  const { texts } = scene;
  const last = bars.length - 1;
  const readout = createReadout(scene, interval, bars[last]!);
  const canvas = h("div", { class: "asset-canvas", dir: "ltr", role: "img", "aria-label": pictureText(scene, interval, bars) });
  const slider = h("input", { type: "range", class: "asset-slider", dir: "ltr", min: 0, max: last, value: last, "aria-label": texts.candleSlider });
  let chart: PriceChart | undefined;

  function show(index = last): void {
    slider.value = String(index);
    slider.setAttribute("aria-valuetext", barText(scene, interval, bars[index]!));
    readout.show(bars[index]!);
  }

  show();
  slider.addEventListener("input", () => {
    show(Number(slider.value));
    chart?.point(Number(slider.value));
  });
  slider.addEventListener("blur", () => chart?.point(undefined));
  void loadChart(scene, { interval, bars, canvas, onPoint: show }).then(
    (drawn) => (chart = drawn),
    (error: unknown) => {
      canvas.replaceChildren(h("p", { class: "loading" }, texts.chartFailed));
      reportError(error);
    },
  );
  return h(
    "div",
    { class: "asset-frame" },
    readout.element,
    canvas,
    slider,
    h(
      "p",
      { class: "asset-tools" },
      h("button", { type: "button", id: "asset-zoom-in", "aria-label": texts.zoomIn, title: texts.zoomIn, onclick: () => chart?.zoom(1 / 2) }, "+"),
      h("button", { type: "button", id: "asset-zoom-out", "aria-label": texts.zoomOut, title: texts.zoomOut, onclick: () => chart?.zoom(2) }, "−"),
      h("button", { type: "button", id: "asset-fit", onclick: () => chart?.fit() }, texts.wholeRange),
    ),
  );
}

/** What the picture shows, in two sentences. */
function pictureText(scene: Scene, interval: Interval, bars: readonly Bar[]): string {
  const { context, asset, unit, texts } = scene;
  const { format } = context;
  const found = summarize(bars);
  if (found === undefined) return nameOf(asset, context.preferences.language);
  const { first, last, highest, lowest } = found;
  const at = (bar: Bar): string => barTime(bar, interval, format);
  return [
    texts.chartOf(nameOf(asset, context.preferences.language), format.unitName(unit)),
    texts.summary(format.priceNumber(first.open, unit), at(first), format.priceNumber(last.close, unit), at(last)),
    texts.extremes(format.priceNumber(highest.high, unit), at(highest), format.priceNumber(lowest.low, unit), at(lowest)),
  ].join(" ");
}
