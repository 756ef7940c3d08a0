import { keysByWord } from "../names/words.ts";

const OTHER_THAN_ASCII = /[^\x20-\x7e]/;
const DIGITS = /[\u0660-\u0669\u06f0-\u06f9]/g;
/** Marks without width, the stretching sign, and the arrows and pictures of copied price lists. */
const INVISIBLE =
  /[\ufe0f\u00ad\u0640\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff↑↓▲△▼▽\p{Extended_Pictographic}\p{Regional_Indicator}]/gu;
/** Characters that are neither ASCII nor on Persian and Arabic keyboards. */
const OTHER_THAN_KEYBOARDS = /[^\x20-\x7e\u060c\u061b-\u063f\u0641-\u06ff]|\u061c/;

/** Cleans the text of a number or a date with `plainText`, and replaces Persian and Arabic digits by Western digits. */
export function cleanText(text: string): string {
  const plain = plainText(text);
  // The last four bits of the digit's code point are its value.
  return !OTHER_THAN_ASCII.test(plain) ? plain : plain.replace(DIGITS, (digit) => String(digit.charCodeAt(0) & 0xf));
}

/** Trims a text, removes invisible marks, and normalizes characters that come from PDF files or other keyboards. */
export function plainText(text: string): string {
  return (OTHER_THAN_KEYBOARDS.test(text) ? text.replace(INVISIBLE, "").normalize("NFKC") : text).trim();
}

const PERSIAN = keysByWord({
  تاریخ: "tarikh",
  زمان: "zaman",
  ساعت: "saat saate",
  سال: "sal",
  ماه: "mah",
  روز: "rooz ruz",
  قیمت: "gheymat gheimat qeymat qeimat gheymate gheimate",
  نرخ: "nerkh nerkhe",
  ارز: "arz",
  نماد: "namad",
  واحد: "vahed",
  خرید: "kharid",
  فروش: "foroush forush foroosh",
  پایانی: "payani",
});

/**
 * Returns a column name as it is compared: in lower case, without blanks, dashes, underscores and MetaTrader's angle
 * brackets. Arabic letters, and Persian words in Latin letters, are replaced by Persian letters.
 */
export function nameKey(name: string): string {
  const words = persianLetters(cleanText(name)).split(/[\s_<>-]+/);
  return words.map((word) => PERSIAN.get(word) ?? word).join("");
}

/** A cleaned text in lower case, with Persian instead of Arabic letters. */
export function persianLetters(clean: string): string {
  return clean.toLowerCase().replaceAll("ي", "ی").replaceAll("ك", "ک");
}

/** The beginning of a text, on one line and in quotes, as messages show it. */
export function quoted(text: string): string {
  const line = text.replace(/[\s\p{Cc}\p{Bidi_Control}]+/gu, " ").trim();
  return line.length > 100 ? `"${line.slice(0, 100)}…"` : `"${line}"`;
}
