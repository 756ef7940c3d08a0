import type { View } from "../context.ts";
import { h } from "../dom.ts";

/** Makes the market view. */
export function createMarketView(): View {
  return ({ settings }) => h("section", {}, h("h1", {}, "Market"), h("p", {}, settings.assets.length));
}
