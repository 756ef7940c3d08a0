import { h } from "../dom.ts";
import { choose } from "./scene.ts";
import type { Scene } from "./scene.ts";

/** Units that an opening of the view costs: catalog entry, candles, days. */
const OPENING_UNITS = 3;

/** A button that asks for everything anew, as answers stay in memory; says what it costs. */
export function reloadButton(scene: Scene): HTMLElement {
  const { context, texts, questions } = scene;
  const reload = (): void => {
    questions.forget();
    choose(scene, {});
  };
  return h(
    "p",
    { class: "asset-reload small" },
    h("button", { type: "button", id: "asset-reload", onclick: reload, "aria-describedby": "asset-reload-cost" }, texts.reload),
    " ",
    h("span", { id: "asset-reload-cost" }, texts.reloadCost(OPENING_UNITS, context.format.number)),
  );
}
