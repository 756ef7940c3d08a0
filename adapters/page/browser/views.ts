import type { View } from "./context.ts";
import { loadFile } from "./load_file.ts";
import { createMarketView } from "./market/view.ts";
import type { Place } from "./places.ts";

/** The market comes with the first load; each other view is a file of its own, loaded when it is first opened. */
const MARKET = createMarketView();
const LOADED: Partial<Record<Place["view"], View>> = { market: MARKET };
const LOADERS = {
  asset: () => import("./asset/view.ts"),
  reference: () => import("./reference/view.ts"),
  guide: () => import("./guide/view.ts"),
};

/** The view, if it is loaded, so that it can be drawn at once. */
export function loadedView(name: Place["view"]): View | undefined {
  return LOADED[name];
}

/** Loads a view. A load that failed is tried anew with the next call. */
export async function loadView(name: Place["view"]): Promise<View> {
  if (name === "market") return MARKET;
  return (LOADED[name] ??= (await loadFile<{ readonly view: View }>(LOADERS[name])).view);
}
