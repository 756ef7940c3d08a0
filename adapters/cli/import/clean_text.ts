const OTHER_THAN_ASCII = /[^\x20-\x7e]/;
const DIGITS = /[\u0660-\u0669\u06f0-\u06f9]/g;
/** Marks without width, which texts in Persian carry along when they are copied. */
const INVISIBLE = /[\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

/** A number or a date without blanks around it and invisible marks in it, with Persian and Arabic digits as Western ones. */
export function cleanText(text: string): string {
  if (!OTHER_THAN_ASCII.test(text)) return text.trim();
  // The last four bits of these digits' code points are their values.
  return text.replace(INVISIBLE, "").replace(DIGITS, (digit) => String(digit.charCodeAt(0) & 0xf)).trim();
}

/** Persian words of headers, as they are written in Latin letters. */
const PERSIAN = new Map(Object.entries({
  تاریخ: "tarikh", زمان: "zaman", ساعت: "saat|saate", سال: "sal", ماه: "mah", روز: "rooz|ruz", قیمت: "gheymat|gheimat|qeymat|qeimat|gheymate|gheimate", نرخ: "nerkh|nerkhe",
  ارز: "arz", نماد: "namad", واحد: "vahed", خرید: "kharid", فروش: "foroush|forush|foroosh", پایانی: "payani",
}).flatMap(([word, spellings]) => spellings.split("|").map((spelling): [string, string] => [spelling, word])));

/**
 * A column name as it is compared: without case, blanks, dashes, underscores and the angle brackets of MetaTrader; Arabic letters
 * as the Persian keyboard has them, and Persian words in its letters.
 */
export function nameKey(name: string): string {
  const words = cleanText(name).toLowerCase().split(/[\s_<>-]+/);
  return words.map((word) => PERSIAN.get(word) ?? word).join("").replaceAll("ي", "ی").replaceAll("ك", "ک");
}
