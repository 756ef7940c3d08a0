import { h } from "../dom.ts";
import { nameOf } from "../titles.ts";
import type { Scene } from "./scene.ts";

/** The way back, what the asset is called, and its latest value, which has the unit: the quote unit of the label could be another one. */
export function heading({ context, asset, texts }: Scene, latest: HTMLElement): HTMLElement {
  return h(
    "header",
    {},
    h("p", { class: "asset-back" }, h("a", { href: context.market }, h("span", { class: "asset-arrow", "aria-hidden": "true" }), texts.back)),
    h("div", { class: "asset-name" }, h("h1", {}, nameOf(asset, context.preferences.language)), h("code", { dir: "ltr" }, asset.code)),
    latest,
  );
}
