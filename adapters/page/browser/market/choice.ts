// What the visitor has chosen to see of the market, as the address keeps it: `#/?category=GOLD&sort=change`.
import type { PageAsset } from "../../page_settings.ts";
import { addressOf } from "../places.ts";
import { COLUMNS, FIRST_DIRECTION, NONE, WATCH } from "./entries.ts";
import type { Sorting } from "./entries.ts";

/** The choices of the view. */
export interface MarketChoice {
  /** A category, `WATCH`, `NONE`, or an empty text for all. */
  readonly category: string;
  readonly sorting: Sorting | undefined;
}

/** Reads the choices from the query of an address. What is missing or makes no sense there is no choice. */
export function parseMarketChoice(query: URLSearchParams, assets: readonly PageAsset[]): MarketChoice {
  const category = [WATCH, NONE, ...assets.map((asset) => asset.category)].find((value) => value === query.get("category")?.toUpperCase());
  const column = COLUMNS.find((known) => known === query.get("sort"));
  const order = query.get("order");
  return { category: category ?? "", sorting: column && { column, direction: order === "ascending" || order === "descending" ? order : FIRST_DIRECTION[column] } };
}

/** The address of the market with these choices. */
export function marketAddress({ category, sorting }: MarketChoice): string {
  const order = sorting === undefined || sorting.direction === FIRST_DIRECTION[sorting.column] ? "" : sorting.direction;
  return addressOf("market", undefined, Object.fromEntries(Object.entries({ category, sort: sorting?.column ?? "", order }).filter(([, value]) => value !== "")));
}
