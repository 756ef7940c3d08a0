import { keysByWord } from "./words.ts";

/** The Persian letters that replace Arabic letters. */
const SAME = keysByWord({ ی: "ي ى ئ", ک: "ك", ه: "ة ۀ", ا: "أ إ آ ٱ", و: "ؤ" });
const FOLDED = /[يىئكةۀأإآٱؤ]/g;
/** Diacritics, the stretching sign, the zero-width non-joiner and marks of direction, which people omit. */
const LEFT_OUT = /[\p{Mn}\u0640\u200b-\u200f\u061c\u2066-\u2069]/gu;

/** Returns a text as it is searched: in lower case, without accents, signs and variants of spelling. */
export function fold(text: string): string {
  return text
    .normalize("NFC") // joins a letter and its hamza or madda, as in the table
    .replace(FOLDED, (letter) => SAME.get(letter)!)
    .normalize("NFKD")
    .replace(LEFT_OUT, "")
    .replace(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 15)) // the last four bits are the value
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}
