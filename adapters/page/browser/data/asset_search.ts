// Loaded on the first search, because the list of alternative names is long.
import { ALIASES } from "../../../intake/names/alias_table.ts";
import { distance } from "../../../intake/names/edit_distance.ts";
import { fold } from "../../../intake/names/fold_text.ts";
import type { PageAsset } from "../../page_settings.ts";
import { baseOf, nameOf } from "./format.ts";
import type { Entry } from "./market_entries.ts";

/**
 * Returns the entries that match a text, best first, then in catalog order. Every word must be in the names or the
 * label, and at least one word in the names. Spaces may be missing, as in `usdrls`.
 */
export function matches(entries: readonly Entry[], query: string): readonly Entry[] {
  const text = fold(query)
    .replace(/(?<=.)usdt$/, "usd")
    .replace(/(?<=.)(?:irt|tmn)$/, "rls")
    .trim();
  if (text === "") return [];
  /** The ranks: a name equals the text; begins with the text; has a word that begins with the text; all words match. */
  const rankOf = ({ asset }: Entry): number | undefined => {
    const searched = namesOf(asset);
    if (searched.some((name) => name === text || name.replaceAll(" ", "") === text.replaceAll(" ", ""))) return 0;
    if (searched.some((name) => name.startsWith(text))) return 1;
    if (searched.some((name) => name.includes(` ${text}`))) return 2;
    const isIn = (names: readonly string[], word: string): boolean => names.some((name) => name.includes(word));
    const [words, labels] = [text.split(" "), [fold(asset.labelEn), fold(asset.labelFa)]];
    const areAllIn = words.every((word) => isIn(searched, word) || isIn(labels, word));
    return areAllIn && words.some((word) => isIn(searched, word)) ? 3 : undefined;
  };
  const ranked = entries.map((entry) => ({ entry, rank: rankOf(entry) })).filter(({ rank }) => rank !== undefined);
  // `toSorted` is stable, so assets of one rank stay in catalog order.
  return ranked.toSorted((one, other) => one.rank! - other.rank!).map(({ entry }) => entry);
}

/** Returns the matches for a text or, if there are none, for its likely correction; `read` is the text searched for. */
export function search(entries: readonly Entry[], query: string) {
  const read = matches(entries, query).length > 0 ? query : meant(entries, query);
  return { all: matches(entries, read), read };
}

/** The search words for the jeweller's calculator. */
const CALCULATOR = ["wage", "jewellery", "jewelry", "calculator", "اجرت", "ماشین حساب", "ماشینحساب"].map(fold);

/** Whether a text has at least three letters and one of the calculator's search words begins with the text. */
export function meansCalculator(query: string): boolean {
  const text = fold(query).trim();
  return text.length > 2 && CALCULATOR.some((word) => word.startsWith(text));
}

/** Replaces each word by the closest word of a name (at most one typo per three letters), e.g. `dolar` by `dollar`. */
export function meant(entries: readonly Entry[], query: string): string {
  const known = [...new Set(entries.flatMap(({ asset }) => namesOf(asset)).flatMap((name) => name.split(" ")))];
  const correct = (word: string): string => {
    const slips = known.map((name) => [distance(word, name), name] as const);
    const [fewest, name] = slips.reduce((best, one) => (one[0] < best[0] ? one : best), [Infinity, word] as const);
    return fewest <= word.length / 3 ? name : word;
  };
  return fold(query).split(" ").map(correct).join(" ");
}

/** The searched texts: the asset's names in both languages, its code and its alternative names, all passed to `fold`. */
function namesOf(asset: PageAsset): readonly string[] {
  const base = baseOf(asset);
  const names = [asset.code, base, nameOf(asset, "en"), nameOf(asset, "fa"), ...(ALIASES[base] ?? "").split("|")];
  return names.map(fold).filter((name) => name !== "");
}
