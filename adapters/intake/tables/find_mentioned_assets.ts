import type { AssetNames } from "../names/find_asset.ts";
import type { OpenQuestion } from "./open_questions.ts";
import type { SourceNotes } from "./plan_columns.ts";
import type { Cells } from "./record_columns.ts";

/** Texts that may name the asset of a file. */
export interface Mentions {
  /** The path of the file. For a file in an archive or a workbook, the path within it. */
  readonly file?: string | undefined;
  /** The lines above the header, and the names of the sheet and of the JSON member that contain the table. */
  readonly titles: readonly string[];
  readonly cells?: readonly string[];
  readonly notes?: Readonly<SourceNotes> | undefined;
  readonly names: AssetNames;
}

/** An asset named in a text. `before` is the text between the previous name and this name. */
type NameInText = { readonly text: string; readonly codes: readonly string[]; readonly before: string };
/** The possible meanings of a name. `by` says where the name was found, as the beginning of a sentence. */
type Mention = { readonly text: string; readonly codes: readonly string[]; readonly by: string };

/** Common words, each of which names an asset only if no other words are beside it. */
const COMMON =
  /^(?:gold|tala|coin|طلا|سکه|بورس|شاخص|مظنه|آزادی|بهار|نیم|ربع|گرمی|link|near|sky|dot|uni|pump|atom|aster|ounce|bourse|index)$/i;
/** The kinds of assets that a common word may name. All assets of such a kind fit the word. */
const KINDS = [/GOLD|XAUT/, /SEKKEH|BAHAR/];
const LISTING = /^(?:و|and|&|\+|سایر|other|vs|یا|or)$/i;
/** The unit in a title such as `Prices in USD`. */
const IN_DOLLARS = /(?<!\p{L})(?:in|به)\s+(?:us ?)?(?:usd|dollars?|دلار)(?!\p{L})/giu;
const AROUND_TITLE = /^[\s,;|،؛"]+|(?<![\s,;|،؛"])[\s,;|،؛"]+$/gu;
const WORD = /[^\s_\-–.,:;()[\]،؛|/\\«»"]+/g;
const SHORTEST = 3;
const MOST_WORDS = 6;

/** The assets that a text names, in order. `codesOf` returns the meanings of words. */
export function namesIn(text: string, codesOf: (words: string) => readonly string[]): readonly NameInText[] {
  const words = [...text.matchAll(WORD)];
  const found: NameInText[] = [];
  for (let [at, end] = [0, 0]; at < words.length; at++) {
    for (let to = Math.min(at + MOST_WORDS, words.length); to > at; to--) {
      const name = words.slice(at, to).join(" ");
      const codes = codesOf(name);
      if (codes.length === 0) continue;
      found.push({ text: name, codes, before: text.slice(end, words[at]!.index) });
      end = words[to - 1]!.index + words[to - 1]![0].length;
      at = to - 1;
      break;
    }
  }
  return found;
}

/** The meanings of the only asset that a text names; empty if it names several. */
function assetsIn(text: string, names: AssetNames): readonly string[] {
  const whole = text.length < SHORTEST ? [] : names.find(text).codes;
  if (whole.length > 0 || isList(text)) return whole;
  const isCommon = (words: string): boolean => words.length < SHORTEST || COMMON.test(words);
  const found = namesIn(text, (words) => (words.includes(" ") || !isCommon(words) ? names.find(words).codes : []));
  return (found[0]?.codes ?? []).filter((code) => found.every(({ codes }) => codes.includes(code)));
}

/** Whether a text has words that join names, such as `and`. */
export function isList(text: string): boolean {
  return text.match(WORD)?.some((word) => LISTING.test(word)) ?? false;
}

function mentionsOf({ file, titles, cells = [], notes, names }: Mentions): readonly Mention[] {
  const texts = cells.map((text) => ({ text, by: `"${text}" in its rows is` }));
  for (const text of titles)
    texts.push({ text: text.replace(IN_DOLLARS, "").replace(AROUND_TITLE, ""), by: `title "${text}" is about` });
  const mentioned = (some: typeof texts): readonly Mention[] =>
    some.map((one) => ({ ...one, codes: assetsIn(one.text, names) })).filter(({ codes }) => codes.length > 0);
  const named = namesOfTable({ file, notes }).map(({ text, by }) => ({ text, by: `${by} is named after` }));
  return [...mentioned(texts), ...mentioned(named).slice(0, 1)];
}

/** The names of a table's sheet, of its file, and of its archive or workbook, in this order. */
export function namesOfTable({ file, notes = {} }: Pick<Mentions, "file" | "notes">): Omit<Mention, "codes">[] {
  const { sheet, entry } = notes;
  const path = [file, entry].filter((part) => part !== undefined).join("/");
  const [, archive] = /^(.*\.(?:zip|xls[xm]))[\\/]/i.exec(path) ?? [];
  const nameOf = (one: string): string => one.replace(/^.*[\\/]/, "").replace(/(?<=.)\.[^.]*$/, "");
  return [sheet, path, archive].flatMap((by) => (by === undefined ? [] : [{ text: nameOf(by), by }]));
}

/** The suggested asset of a table without a column of codes, if a title or the name of the file contains an asset. */
export function mentionedCode(mentions: Mentions): OpenQuestion | undefined {
  const found = mentionsOf(mentions).find(({ codes }) => codes.length === 1);
  return found && { set: { code: found.codes[0]! }, reason: `${found.by} ${found.codes[0]}` };
}

/** The question about a title or a file that names another asset than the caller. */
export function mentionQuestions(mentions: Mentions, code: string): readonly OpenQuestion[] {
  const all = mentionsOf(mentions);
  const other = all.find(({ codes, text }) => {
    const isKind = COMMON.test(text) && KINDS.some((kind) => kind.test(code) && codes.some((one) => kind.test(one)));
    // A title may name the dollar as the unit of values.
    const isUnit = codes.includes("USD_RLS") && code.endsWith("_USD");
    return !codes.includes(code) && !isKind && !isUnit;
  });
  if (!other || all.some(({ codes }) => codes.includes(code))) return [];
  const meant = other.codes.find((one) => one.endsWith(code.slice(-3))) ?? other.codes[0];
  const reason = `${other.by} ${other.codes.join(" or ")}, although ${code} was given`;
  return [{ set: { code: meant! }, otherwise: { names: { [other.text]: code } }, reason }];
}

/** Whether a row is the title of a second table, for another asset than `code`. */
export function isTitleOfOther(
  cells: Cells,
  { code, names }: Pick<Mentions, "names"> & { readonly code: string },
): boolean {
  if (/\p{Nd}/u.test(String(cells[0]))) return false; // Most rows return here.
  const [text = "", ...others] = cells.map(String).filter((cell) => cell.trim() !== "");
  return others.length === 0 && mentionQuestions({ titles: [text], names }, code).length > 0;
}
