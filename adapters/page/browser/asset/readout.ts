import { h } from "../dom.ts";
import type { Interval } from "../../../../core/mod.ts";
import type { Bar } from "./chart_data.ts";
import { barTime } from "./chart_labels.ts";
import type { Scene } from "./scene.ts";

/** The values of one bar, in words, beside the chart. */
export interface Readout {
  readonly element: HTMLElement;
  show(bar: Bar): void;
}

/** Makes the readout, with a bar to begin with. */
export function createReadout(scene: Scene, interval: Interval, first: Bar): Readout {
  const element = h("dl", { class: "asset-readout" });
  const show = (bar: Bar): void => element.replaceChildren(...rows(scene, interval, bar));
  const longest = Math.max(...valuesOf(scene, interval, first).slice(1).map(([, value]) => value.length));
  element.style.setProperty("--value-width", `${longest}ch`); // through CSSOM, which the content security policy allows
  show(first);
  return { element, show };
}

/** The values of a bar in one sentence, for screen readers. */
export function barText(scene: Scene, interval: Interval, bar: Bar): string {
  return valuesOf(scene, interval, bar)
    .map(([name, value]) => `${name} ${value}`)
    .join(scene.context.preferences.language === "fa" ? "، " : ", ");
}

function rows(scene: Scene, interval: Interval, bar: Bar): HTMLElement[] {
  return valuesOf(scene, interval, bar).map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, h("bdi", {}, value))));
}

function valuesOf({ context, unit, texts }: Scene, interval: Interval, bar: Bar): [name: string, value: string][] {
  const { format } = context;
  const price = (value: number): string => format.priceNumber(value, unit);
  const time: [string, string] = [texts.time, barTime(bar, interval, format)];
  if (bar.observations === undefined) return [time, [texts.value, price(bar.close)]];
  return [
    time,
    [texts.open, price(bar.open)],
    [texts.high, price(bar.high)],
    [texts.low, price(bar.low)],
    [texts.close, price(bar.close)],
    [texts.records, format.number(bar.observations) + (bar.isRunning ? ` (${texts.running})` : "")],
  ];
}
