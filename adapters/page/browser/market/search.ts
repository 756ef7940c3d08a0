// Loaded when somebody searches, as the other names of assets are many.
import { ALIASES, fold } from "../../../../core/internal.ts";
import type { PageAsset } from "../../page_settings.ts";
import type { Entry } from "./entries.ts";
import { nameOf } from "../format.ts";

/**
 * The entries that a text means, best first, then in catalog order. Every word occurs in its names, or the whole does without its
 * spaces, as in `usdrls`. Pairs may be written as exchanges do: `BTC/USDT`, `USDTIRT`. None for a text without letters and digits.
 */
export function found(entries: readonly Entry[], query: string): readonly Entry[] {
  const text = fold(query).replace(/(?<=.)usdt$/, "usd").replace(/(?<=.)(?:irt|tmn)$/, "rls").trim();
  if (text === "") return [];
  const words = text.split(" ");
  const joined = words.join("");
  /** The names that are the text first, then those that begin with it, have a word that does, and contain its words. */
  const rankOf = ({ asset }: Entry): number | undefined => {
    const searched = namesOf(asset);
    if (searched.some((name) => name === text || name.replaceAll(" ", "") === joined)) return 0;
    if (searched.some((name) => name.startsWith(text))) return 1;
    if (searched.some((name) => name.includes(` ${text}`))) return 2;
    return words.every((word) => searched.some((name) => name.includes(word))) ? 3 : undefined;
  };
  const ranked = entries.map((entry) => ({ entry, rank: rankOf(entry) })).filter(({ rank }) => rank !== undefined);
  // `toSorted` is stable, so assets of one rank stay in catalog order.
  return ranked.toSorted((one, other) => one.rank! - other.rank!).map(({ entry }) => entry);
}

/** What a search looks at: names in both languages, code and other names, each folded. */
function namesOf(asset: PageAsset): readonly string[] {
  const { code, baseCode, labelEn, labelFa } = asset;
  return [code, baseCode, nameOf(asset, "en"), nameOf(asset, "fa"), labelEn, labelFa, ...(ALIASES[baseCode] ?? "").split("|")].map(fold).filter((name) => name !== "");
}
