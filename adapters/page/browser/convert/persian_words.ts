const ONES = [
  "صفر",
  "یک",
  "دو",
  "سه",
  "چهار",
  "پنج",
  "شش",
  "هفت",
  "هشت",
  "نه",
  "ده",
  "یازده",
  "دوازده",
  "سیزده",
  "چهارده",
  "پانزده",
  "شانزده",
  "هفده",
  "هجده",
  "نوزده",
];
const TENS = ["", "", "بیست", "سی", "چهل", "پنجاه", "شصت", "هفتاد", "هشتاد", "نود"];
const HUNDREDS = ["", "صد", "دویست", "سیصد", "چهارصد", "پانصد", "ششصد", "هفتصد", "هشتصد", "نهصد"];
const LARGE = [
  [1e12, "هزار میلیارد"],
  [1e9, "میلیارد"],
  [1e6, "میلیون"],
  [1_000, "هزار"],
] as const;

/** A whole number below 10^15 in Persian words, as on a cheque: the best guard against toman for rial. */
export function persianWords(value: number): string {
  if (value < 20) return ONES[value]!;
  const [width, name] = LARGE.find(([size]) => value >= size) ?? (value < 100 ? [10] : [100]);
  const count = Math.floor(value / width);
  let words = name ?? (width === 10 ? TENS : HUNDREDS)[count]!;
  if (name !== undefined && (count > 1 || width > 1_000)) words = `${persianWords(count)} ${name}`;
  return value % width === 0 ? words : `${words} و ${persianWords(value % width)}`;
}
