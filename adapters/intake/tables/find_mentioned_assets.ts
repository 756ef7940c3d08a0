import type { AssetNames } from "../names/find_asset.ts";
import type { OpenQuestion } from "./open_questions.ts";
import type { SourceNotes } from "./plan_columns.ts";

/** What may say which asset the prices of a file are of. */
export interface Mentions {
  /** The file, behind its archive or workbook if it is in one. */
  readonly file?: string | undefined;
  /** The lines above the header, and the names of the sheet and of the member of an answer that hold the table. */
  readonly titles: readonly string[];
  /** Cells that name the asset. */
  readonly cells?: readonly string[];
  readonly notes?: Readonly<SourceNotes> | undefined;
  readonly names: AssetNames;
}

/** An asset that is named within a text. */
export interface NameInText {
  readonly text: string;
  /** What it may mean. */
  readonly codes: readonly string[];
  /** The text between it and the name before it. */
  readonly before: string;
}

/** An asset, or those that the name may mean, and what says it, as the begin of a sentence. */
interface Mention {
  readonly codes: readonly string[];
  readonly text: string;
  readonly by: string;
}

/** Names that markets, seasons and sentences have as well: they name an asset only where nothing stands beside them. */
const COMMON =
  /^(?:gold|tala|coin|طلا|سکه|بورس|شاخص|مظنه|آزادی|بهار|نیم|ربع|گرمی|link|near|sky|dot|uni|pump|atom|aster|ounce|bourse|index)$/i;
/** Of such a name, the assets of the same kind are no contradiction. */
const KINDS = [/GOLD|XAUT/, /SEKKEH|BAHAR/];
const LISTING = /^(?:و|and|&|\+|سایر|other|vs|یا|or)$/i;
/** What a title says of its unit: `Prices in USD`. */
const IN_DOLLARS = /(?<!\p{L})(?:in|به)\s+(?:us ?)?(?:usd|dollars?|دلار)(?!\p{L})/giu;
const AROUND_TITLE = /^[\s,;|،؛"]+|(?<![\s,;|،؛"])[\s,;|،؛"]+$/gu;
const WORD = /[^\s_\-–.,:;()[\]،؛|/\\«»"]+/g;
const SHORTEST = 3;
const MOST_WORDS = 6;

/** The assets that a text names, in order; `codesOf` tells what words may mean. */
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

/** The meanings of the only asset that a text names; none where it names several. */
function assetsIn(text: string, names: AssetNames): readonly string[] {
  const whole = text.length < SHORTEST ? [] : names.find(text).codes;
  if (whole.length > 0 || isList(text)) return whole;
  const isDistinct = (words: string): boolean =>
    words.includes(" ") || (words.length >= SHORTEST && !COMMON.test(words));
  const found = namesIn(text, (words) => (isDistinct(words) ? names.find(words).codes : []));
  return (found[0]?.codes ?? []).filter((code) => found.every(({ codes }) => codes.includes(code)));
}

/** Whether a text names several things side by side. */
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

/** The names of a table, the one that says most first: of its sheet, its file, and the archive or workbook that this is in. */
export function namesOfTable({
  file,
  notes: { sheet, entry } = {},
}: Pick<Mentions, "file" | "notes">): readonly Omit<Mention, "codes">[] {
  const path = [file, entry].filter((part) => part !== undefined).join("/");
  const [, archive] = /^(.*\.(?:zip|xls[xm]))[\\/]/i.exec(path) ?? [];
  // Without folders and ending.
  const nameOf = (one: string): string => one.replace(/^.*[\\/]/, "").replace(/(?<=.)\.[^.]*$/, "");
  return [sheet, path, archive].flatMap((by) => (by === undefined ? [] : [{ text: nameOf(by), by }]));
}

/** The answer that names the asset of a table without a column of codes, if its title or its file does. */
export function mentionedCode(mentions: Mentions): OpenQuestion | undefined {
  const found = mentionsOf(mentions).find(({ codes }) => codes.length === 1);
  return found && { set: { code: found.codes[0]! }, reason: `${found.by} ${found.codes[0]}` };
}

/** What is open where a title or the file is named after another asset than the caller says. */
export function mentionQuestions(mentions: Mentions, code: string): readonly OpenQuestion[] {
  const all = mentionsOf(mentions);
  const other = all.find(({ codes, text }) => {
    const isKind = COMMON.test(text) && KINDS.some((kind) => kind.test(code) && codes.some((one) => kind.test(one)));
    // Values in dollars say so in their title.
    const isUnit = codes.includes("USD_RLS") && code.endsWith("_USD");
    return !codes.includes(code) && !isKind && !isUnit;
  });
  if (!other || all.some(({ codes }) => codes.includes(code))) return [];
  const meant = other.codes.find((one) => one.endsWith(code.slice(-3))) ?? other.codes[0];
  const reason = `${other.by} ${other.codes.join(" or ")}, although ${code} was given`;
  return [{ set: { code: meant! }, otherwise: { names: { [other.text]: code } }, reason }];
}

/** Whether a row is the title of a further table, of another asset than `code`: its prices would become some of that code. */
export function isTitleOfOther(
  cells: readonly unknown[],
  { code, names }: Pick<Mentions, "names"> & { readonly code: string },
): boolean {
  if (/\p{Nd}/u.test(String(cells[0]))) return false; // As most rows begin.
  const [text = "", ...others] = cells.map(String).filter((cell) => cell.trim() !== "");
  return others.length === 0 && mentionQuestions({ titles: [text], names }, code).length > 0;
}
