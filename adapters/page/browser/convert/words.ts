const ONES = ["", "یک", "دو", "سه", "چهار", "پنج", "شش", "هفت", "هشت", "نه", "ده", "یازده", "دوازده", "سیزده", "چهارده", "پانزده", "شانزده", "هفده", "هجده", "نوزده"];
const TENS = ["", "", "بیست", "سی", "چهل", "پنجاه", "شصت", "هفتاد", "هشتاد", "نود"];
const HUNDREDS = ["", "صد", "دویست", "سیصد", "چهارصد", "پانصد", "ششصد", "هفتصد", "هشتصد", "نهصد"];
const THOUSANDS = ["", "هزار", "میلیون", "میلیارد", "هزار میلیارد"];

/** A whole number below 10^15 in Persian words, as on a cheque: the best guard against toman for rial. */
export function persianWords(value: number): string {
  if (value === 0) return "صفر";
  const groups: string[] = [];
  for (let [rest, at] = [Math.floor(value), 0]; rest > 0; [rest, at] = [Math.floor(rest / 1_000), at + 1]) {
    const group = rest % 1_000;
    if (group > 0) groups.unshift(at === 0 ? below1000(group) : group === 1 && at === 1 ? THOUSANDS[1]! : `${below1000(group)} ${THOUSANDS[at]}`);
  }
  return groups.join(" و ");
}

function below1000(value: number): string {
  const rest = value % 100;
  const small = rest < 20 ? [ONES[rest]!] : [TENS[Math.floor(rest / 10)]!, ONES[rest % 10]!];
  return [HUNDREDS[Math.floor(value / 100)]!, ...small].filter((word) => word !== "").join(" و ");
}
