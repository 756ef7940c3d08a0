import type { AssetNames } from "../names/find_asset.ts";
import type { OpenQuestion } from "./open_questions.ts";

/** What may say which asset the prices of a file are of. */
export interface Mentions {
  /** The file, behind its archive or workbook if it is in one. */
  readonly file?: string | undefined;
  /** The lines above the header, and the names of the sheet and of the member of an answer that hold the table. */
  readonly titles: readonly string[];
  /** Cells that name the asset. */
  readonly cells?: readonly string[];
  readonly names: AssetNames;
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
const AROUND_TITLE = /^[\s,;|،؛"]+|(?<![\s,;|،؛"])[\s,;|،؛"]+$/gu;
const SHORTEST = 3;
const MOST_WORDS = 6;

/** The meanings of the only asset that a text names; none where it names several. */
function assetsIn(text: string, names: AssetNames): readonly string[] {
  const words = text.split(/[\s_\-–.,:;()[\]،؛|/\\«»"]+/).filter((word) => word !== "");
  const whole = text.length < SHORTEST ? [] : names.find(text).codes;
  if (whole.length > 0 || words.some((word) => LISTING.test(word))) return whole;
  const found: (readonly string[])[] = [];
  for (let at = 0; at < words.length; ) {
    const lengths = Array.from(
      { length: Math.min(MOST_WORDS, words.length - at) },
      (_, less) => Math.min(MOST_WORDS, words.length - at) - less,
    );
    const codesOf = (length: number): readonly string[] => {
      const isDistinct = length > 1 || (words[at]!.length >= SHORTEST && !COMMON.test(words[at]!));
      return isDistinct ? names.find(words.slice(at, at + length).join(" ")).codes : [];
    };
    const length = lengths.find((one) => codesOf(one).length > 0);
    if (length !== undefined) found.push(codesOf(length));
    at += length ?? 1;
  }
  return (found[0] ?? []).filter((code) => found.every((codes) => codes.includes(code)));
}

function mentionsOf({ file, titles, cells = [], names }: Mentions): readonly Mention[] {
  const texts = cells.map((text) => ({ text, by: `"${text}" in its rows is` }));
  for (const text of titles) texts.push({ text: text.replace(AROUND_TITLE, ""), by: `title "${text}" is about` });
  if (file !== undefined) texts.push({ text: nameOf(file), by: `${file} is named after` });
  return texts
    .map(({ text, by }) => ({ text, by, codes: assetsIn(text, names) }))
    .filter(({ codes }) => codes.length > 0);
}

/** The name of a file without its folders and its ending. */
function nameOf(file: string): string {
  return file.replace(/^.*[\\/]/, "").replace(/(?<=.)\.[^.]*$/, "");
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
