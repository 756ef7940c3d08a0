import type { Interval } from "../../../../core/mod.ts";
import type { PageAsset } from "../../page_settings.ts";
import { addressOf } from "../data/addresses.ts";
import type { Bar, CommonStart } from "../data/bars.ts";
import { nameOf, unitOf } from "../data/format.ts";
import { parseChoice, type RangeName } from "../data/ranges.ts";
import { language, texts as pageTexts, replaceAddress, rows } from "../data/state.ts";
import { TEXTS } from "../texts/built_asset.ts";

/** What all parts of an asset's view are drawn from. */
export type Scene = ReturnType<typeof useScene>;

/** What the chart is drawn from. */
export interface ChartProps {
  readonly scene: Scene;
  readonly interval: Interval;
  readonly range: RangeName;
  /** At least one; ascending in time. */
  readonly bars: readonly Bar[];
  readonly isLine: boolean;
  /** The asset that is compared. */
  readonly other: { readonly asset: PageAsset; readonly bars: readonly Bar[]; readonly since: CommonStart } | undefined;
}

export function useScene(asset: PageAsset, query: URLSearchParams) {
  return {
    asset,
    query,
    latest: rows.value.get(asset.code),
    unit: unitOf(asset),
    name: nameOf(asset, language.value),
    texts: { ...pageTexts.value, ...TEXTS[language.value] },
    choice: parseChoice(query),
    /** Changes the query of the address, without an entry in the history; an empty text takes a part away. */
    choose(change: Readonly<Record<string, string>>): void {
      const all = Object.entries({ ...Object.fromEntries(query), ...change });
      const chosen = all.filter(([, value]) => value !== "");
      replaceAddress(addressOf("asset", asset.code, Object.fromEntries(chosen)));
    },
  };
}
