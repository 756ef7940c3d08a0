import type { PageContext } from "../context.ts";
import { h } from "../dom.ts";

/** The guide view. */
export function view({ place }: PageContext): HTMLElement {
  return h("section", {}, h("h1", {}, place.id ?? "guide"));
}
