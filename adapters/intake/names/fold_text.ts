/** What stands for the same letter or digit in the two languages' keyboards, and in texts of Arabic origin. */
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
/** Diacritics, the stretching sign, the zero-width non-joiner and marks of direction: people leave them out. */
const LEFT_OUT = /[\p{Mn}\u0640\u200b-\u200f\u061c\u2066-\u2069]/gu;

/** A text as it is searched: without case, accents, signs, and differences of spelling that mean nothing. */
export function fold(text: string): string {
  return text
    .normalize("NFC") // so that a letter with its hamza or madda is one character, as in the table
    .replace(FOLDED, (letter) => SAME[letter]!)
    .normalize("NFKD")
    .replace(LEFT_OUT, "")
    .replace(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 15)) // Unicode places both rows of ten digits at multiples of 16
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}
