/** Arabic letters, and the Persian ones for which they stand. */
const SAME: Readonly<Record<string, string>> = {
  ي: "ی",
  ى: "ی",
  ئ: "ی",
  ك: "ک",
  ة: "ه",
  ۀ: "ه",
  أ: "ا",
  إ: "ا",
  آ: "ا",
  ٱ: "ا",
  ؤ: "و",
};
const FOLDED = /[يىئكةۀأإآٱؤ]/g;
/** Diacritics, the stretching sign, the zero-width non-joiner and marks of direction, which people omit. */
const LEFT_OUT = /[\p{Mn}\u0640\u200b-\u200f\u061c\u2066-\u2069]/gu;

/** A text in the form in which it is searched: without case, accents, signs and variants of spelling. */
export function fold(text: string): string {
  return text
    .normalize("NFC") // makes a letter and its hamza or madda one character, as in the table
    .replace(FOLDED, (letter) => SAME[letter]!)
    .normalize("NFKD")
    .replace(LEFT_OUT, "")
    .replace(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 15)) // both rows of digits begin at multiples of 16
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}
