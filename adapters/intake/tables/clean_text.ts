const OTHER_THAN_ASCII = /[^\x20-\x7e]/;
const DIGITS = /[\u0660-\u0669\u06f0-\u06f9]/g;
/** Marks without width, lines that draw words out, and the arrows and pictures of price lists, which texts carry along when they are copied. */
const INVISIBLE =
  /[\ufe0f\u00ad\u0640\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff↑↓▲△▼▽\p{Extended_Pictographic}\p{Regional_Indicator}]/gu;
/** Whatever is neither ASCII nor a letter, digit or mark of the Persian and Arabic keyboards. */
const OTHER_THAN_KEYBOARDS = /[^\x20-\x7e\u060c\u061b-\u063f\u0641-\u06ff]|\u061c/;

/** A number or a date as `plainText` makes it, with Persian and Arabic digits as Western ones. */
export function cleanText(text: string): string {
  const plain = plainText(text);
  // The last four bits of these digits' code points are their values.
  return !OTHER_THAN_ASCII.test(plain) ? plain : plain.replace(DIGITS, (digit) => String(digit.charCodeAt(0) & 0xf));
}

/** A text without blanks around it and invisible marks in it, with the plain form of blanks, letters and digits that PDF files and other keyboards have. */
export function plainText(text: string): string {
  return (OTHER_THAN_KEYBOARDS.test(text) ? text.replace(INVISIBLE, "").normalize("NFKC") : text).trim();
}

/** Persian words of headers, as they are written in Latin letters. */
const PERSIAN = new Map(
  Object.entries({
    تاریخ: "tarikh",
    زمان: "zaman",
    ساعت: "saat|saate",
    سال: "sal",
    ماه: "mah",
    روز: "rooz|ruz",
    قیمت: "gheymat|gheimat|qeymat|qeimat|gheymate|gheimate",
    نرخ: "nerkh|nerkhe",
    ارز: "arz",
    نماد: "namad",
    واحد: "vahed",
    خرید: "kharid",
    فروش: "foroush|forush|foroosh",
    پایانی: "payani",
  }).flatMap(([word, spellings]) => spellings.split("|").map((spelling): [string, string] => [spelling, word])),
);

/**
 * A column name as it is compared: without case, blanks, dashes, underscores and the angle brackets of MetaTrader; Arabic letters
 * as the Persian keyboard has them, and Persian words in its letters.
 */
export function nameKey(name: string): string {
  const words = cleanText(name)
    .toLowerCase()
    .split(/[\s_<>-]+/);
  return words
    .map((word) => PERSIAN.get(word) ?? word)
    .join("")
    .replaceAll("ي", "ی")
    .replaceAll("ك", "ک");
}
