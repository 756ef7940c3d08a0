// Loaded on the first search, because the list of alternative names is long.
import { ALIASES } from "../../../intake/names/alias_table.ts";
import { distance } from "../../../intake/names/edit_distance.ts";
import { fold } from "../../../intake/names/fold_text.ts";
import type { PageAsset } from "../../page_settings.ts";
import { baseOf, nameOf } from "./format.ts";
import type { Entry } from "./market_entries.ts";

/**
 * The entries that match a text, best first, then in catalog order: every word occurs, at least one in a name and the
 * rest in names or label, or the text without spaces does, as in `usdrls`. Pairs may look like `BTC/USDT` or `USDTIRT`.
 */
export function matches(entries: readonly Entry[], query: string): readonly Entry[] {
  const text = fold(query)
    .replace(/(?<=.)usdt$/, "usd")
    .replace(/(?<=.)(?:irt|tmn)$/, "rls")
    .trim();
  if (text === "") return [];
  /** Ranks: names equal to the text, names that begin with it, names with a word that does, names that have its words. */
  const rankOf = ({ asset }: Entry): number | undefined => {
    const searched = namesOf(asset);
    if (searched.some((name) => name === text || name.replaceAll(" ", "") === text.replaceAll(" ", ""))) return 0;
    if (searched.some((name) => name.startsWith(text))) return 1;
    if (searched.some((name) => name.includes(` ${text}`))) return 2;
    const isIn =
      (names: readonly string[]) =>
      (word: string): boolean =>
        names.some((name) => name.includes(word));
    return text.split(" ").every(isIn([...searched, fold(asset.labelEn), fold(asset.labelFa)])) &&
      text.split(" ").some(isIn(searched))
      ? 3
      : undefined;
  };
  const ranked = entries.map((entry) => ({ entry, rank: rankOf(entry) })).filter(({ rank }) => rank !== undefined);
  // `toSorted` is stable, so assets of one rank stay in catalog order.
  return ranked.toSorted((one, other) => one.rank! - other.rank!).map(({ entry }) => entry);
}

/** The matches for a text or, if there are none, for its probable correction. `read` is that correction. */
export function search(
  entries: readonly Entry[],
  query: string,
): { readonly all: readonly Entry[]; readonly read: string } {
  const read = matches(entries, query).length > 0 ? query : meant(entries, query);
  return { all: matches(entries, read), read };
}

/** The search words for the jeweller's calculator. */
const CALCULATOR = ["wage", "jewellery", "jewelry", "calculator", "اجرت", "ماشین حساب", "ماشینحساب"].map(fold);

/** Whether a text means the jeweller's calculator: at least three letters of one of its words. */
export function meansCalculator(query: string): boolean {
  const text = fold(query).trim();
  return text.length > 2 && CALCULATOR.some((word) => word.startsWith(text));
}

/** Replaces each word that no name has by the closest one in the names, with at most one typo for every three letters: `dolar` means dollar. */
export function meant(entries: readonly Entry[], query: string): string {
  const known = [...new Set(entries.flatMap(({ asset }) => namesOf(asset)).flatMap((name) => name.split(" ")))];
  const words = fold(query)
    .split(" ")
    .map((word) => {
      const near = known
        .map((name) => ({ name, slips: distance(word, name) }))
        .filter(({ slips }) => slips <= word.length / 3);
      return near.toSorted((one, other) => one.slips - other.slips)[0]?.name ?? word;
    });
  return words.join(" ");
}

/** The searched texts: names in both languages, code and alternative names, each folded. */
function namesOf(asset: PageAsset): readonly string[] {
  return [
    asset.code,
    baseOf(asset),
    nameOf(asset, "en"),
    nameOf(asset, "fa"),
    ...(ALIASES[baseOf(asset)] ?? "").split("|"),
  ]
    .map(fold)
    .filter((name) => name !== "");
}
