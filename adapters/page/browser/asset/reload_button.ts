import { h } from "../dom.ts";
import { choose } from "./scene.ts";
import type { Scene } from "./scene.ts";

/** Units that an opening of the view costs: catalog entry, candles, days. */
const OPENING_UNITS = 3;

/** A button that asks for everything anew, as answers stay in memory; says what it costs: of an asset without a record, the catalog entry alone. */
export function reloadButton(scene: Scene, units = OPENING_UNITS): HTMLElement {
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
    h("span", { id: "asset-reload-cost" }, texts.reloadCost(units, context.format.number)),
  );
}
