import { h } from "../dom.ts";
import { choose, labelOf } from "./scene.ts";
import type { Scene } from "./scene.ts";

/** Units that an opening of the view costs: catalog entry, candles, days. */
const OPENING_UNITS = 3;

/** What the asset is called, the way back, and a button that asks for everything anew. */
export function heading(scene: Scene, latest: HTMLElement): HTMLElement {
  const { context, asset, texts, questions } = scene;
  const reload = (): void => {
    questions.forget();
    choose(scene, {});
  };
  return h(
    "header",
    { class: "asset-head" },
    h("p", { class: "asset-back" }, h("a", { href: "#/" }, h("span", { class: "asset-arrow", "aria-hidden": "true" }), texts.back)),
    h("div", { class: "asset-name" }, h("h1", {}, labelOf(asset, context)), h("code", { dir: "ltr" }, asset.code)),
    latest,
    context.key !== undefined &&
      h(
        "p",
        { class: "asset-reload small" },
        h("button", { type: "button", id: "asset-reload", onclick: reload, "aria-describedby": "asset-reload-cost" }, texts.reload),
        " ",
        h("span", { id: "asset-reload-cost" }, texts.reloadCost(OPENING_UNITS, context.format.number)),
      ),
  );
}
