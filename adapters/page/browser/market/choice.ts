// What the visitor has chosen to see of the market, as the address keeps it: `#/?search=gold&sort=change`.
import { maskKeys } from "../../../../core/internal.ts";
import type { PageAsset } from "../../page_settings.ts";
import { unitOf } from "../format.ts";
import { addressOf } from "../places.ts";
import { COLUMNS, FIRST_DIRECTION } from "./entries.ts";
import type { Filter, Sorting } from "./entries.ts";

/** The choices of the view. */
export interface MarketChoice extends Filter {
  readonly sorting: Sorting | undefined;
}

/** What is longer is no word of a search, but a text that was pasted by mistake. */
export const LONGEST_SEARCH = 40;

/** Reads the choices from the query of an address. What is missing or makes no sense there is no choice. */
export function parseMarketChoice(query: URLSearchParams, assets: readonly PageAsset[]): MarketChoice {
  const chosen = (name: string, values: readonly string[]): string => values.find((value) => value === query.get(name)?.toUpperCase()) ?? "";
  const column = COLUMNS.find((known) => known === query.get("sort"));
  const order = query.get("order");
  return {
    query: query.get("search") ?? "",
    category: chosen("category", assets.map(({ category }) => category)),
    unit: chosen("unit", assets.map(unitOf)),
    sorting: column && { column, direction: order === "ascending" || order === "descending" ? order : FIRST_DIRECTION[column] },
  };
}

/**
 * The address of the market with these choices. It ends up in histories and is shared, so a search that may be a key
 * is left out.
 *
 * @param key The key in use.
 */
export function marketAddress({ query, category, unit, sorting }: MarketChoice, key: string | undefined): string {
  const search = query.trim() === "" || isSecret(query, key) ? "" : query;
  const order = sorting === undefined || sorting.direction === FIRST_DIRECTION[sorting.column] ? "" : sorting.direction;
  const parameters = { search, category, unit, sort: sorting?.column ?? "", order };
  return addressOf("market", undefined, Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== "")));
}

function isSecret(query: string, key: string | undefined): boolean {
  return [...query].length > LONGEST_SEARCH || maskKeys(query) !== query || (key !== undefined && query.includes(key));
}
