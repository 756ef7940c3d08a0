import type { PageAsset } from "../../page_settings.ts";
import { usePage } from "../context.ts";
import { unitOf } from "../format.ts";
import { addressOf } from "../places.ts";
import { textsIn } from "../texts.ts";
import { parseChoice } from "./choice.ts";
import { ASSET } from "./messages.ts";

/** Gathers what all parts of the view are drawn from, and is known before any answer. */
export function useScene(asset: PageAsset) {
  const { place, preferences, replace, market, live } = usePage();
  const latest = market.rows.get(asset.code);
  return {
    asset, latest,
    unit: unitOf(asset),
    texts: textsIn(ASSET, preferences.language),
    /** Names the latest record where asking is free, so that what was asked for an earlier one is asked for anew. */
    version: (live.isFree && latest?.businessTime) || "",
    choice: parseChoice(place.query),
    /** Changes the query of the address, without an entry in the history; an empty text takes a part away. */
    choose(change: Readonly<Record<string, string>>): void {
      const query = Object.entries({ ...Object.fromEntries(place.query), ...change }).filter(([, value]) => value !== "");
      replace(addressOf("asset", asset.code, Object.fromEntries(query)));
    },
  };
}

/** What all parts of the view are drawn from. */
export type Scene = ReturnType<typeof useScene>;
