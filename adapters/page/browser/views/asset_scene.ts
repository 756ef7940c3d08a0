import type { Interval } from "../../../../core/mod.ts";
import type { PageAsset } from "../../page_settings.ts";
import { addressOf } from "../data/addresses.ts";
import type { Bar, CommonStart } from "../data/bars.ts";
import { nameOf, unitOf } from "../data/format.ts";
import { directionOf } from "../data/lines.ts";
import { parseChoice, pastDay, type RangeName } from "../data/ranges.ts";
import { dayOf, format, language, texts as pageTexts, replaceAddress, rows } from "../data/state.ts";
import { TEXTS } from "../texts/built_asset.ts";
import { fill } from "../texts/fill.ts";
import { useMoment } from "./asset_moment.ts";

/** The data that all parts of an asset's view share. */
export type Scene = ReturnType<typeof useScene>;

/** The data that the chart shows. */
export interface ChartProps {
  readonly scene: Scene;
  readonly interval: Interval;
  readonly range: RangeName;
  /** At least one bar, ascending by time. */
  readonly bars: readonly Bar[];
  readonly isLine: boolean;
  /** The asset that the chart is compared with. */
  readonly other: { readonly asset: PageAsset; readonly bars: readonly Bar[]; readonly since: CommonStart } | undefined;
}

/** A change in words for screen readers, e.g. `up 2.29%`. */
export function spokenChange(ratio: number, texts: Readonly<Record<"up" | "down" | "same", string>>): string {
  const percent = format.value.number(Math.abs(ratio), { style: "percent", minimumFractionDigits: 2 });
  return fill(texts[directionOf(ratio)], { percent });
}

export function useScene(asset: PageAsset, query: URLSearchParams) {
  const latest = rows.value.get(asset.code);
  const choice = parseChoice(query);
  const lastDay = latest && dayOf(Date.parse(latest.businessTime));
  function choose(change: Readonly<Record<string, string>>): void {
    const all = Object.entries({ ...Object.fromEntries(query), ...change });
    const chosen = all.filter(([, value]) => value !== "");
    replaceAddress(addressOf("asset", asset.code, Object.fromEntries(chosen)));
  }
  return {
    asset,
    query,
    latest,
    moment: useMoment(asset, latest, pastDay(query, lastDay), choice.range),
    unit: unitOf(asset),
    name: nameOf(asset, language.value),
    texts: { ...pageTexts.value, ...TEXTS[language.value] },
    choice,
    /** Changes the query of the address without a history entry. An empty value removes a parameter. */
    choose,
    /** Shows a past market day. The last day or an empty text leads back to the current price. */
    chooseDay: (day: string): void => choose({ day: day === lastDay ? "" : day }),
  };
}
