import { formatTimestamp } from "../../../core/internal.ts";
import type { SuspiciousLevel } from "../../intake/levels/price_chain.ts";
import { formatCount } from "../text_table.ts";

/** Up to this number of values, the text names the day of the first value. For more values, it names only the year. */
const FEW = 3;

/** A suspicion in one sentence, such as `all 12 values of USD_RLS look like toman: about 190,000 in 2026`. */
export function suspicionInWords({ code, why, level, times, of, value, expected }: SuspiciousLevel): string {
  const isOne = why === "stored" || times.length === 1;
  let subject = isOne ? "the value" : `all ${formatCount(of)} values`;
  if (why === "stored") subject = "the stored value";
  else if (times.length < of) subject = `${formatCount(times.length)} of ${formatCount(of)} values`;
  let verb = levelInWords(code, level, isOne ? "looks" : "look");
  if (why === "jump") verb = isOne ? "jumps" : "jump";
  else if (why === "asset") verb = `${isOne ? "does" : "do"} not fit its market`;
  const first = times[0] === undefined ? "" : formatTimestamp(times[0]);
  let when = times.length > FEW ? ` in ${first.slice(0, 4)}` : ` on ${first.slice(0, 10)}`;
  if (first === "") when = "";
  return `${subject} of ${code} ${verb}: about ${rounded(value)}${when}${expectedInWords(expected)}`;
}

function levelInWords(code: string, level: number, look: string): string {
  if (level === -1 && code.endsWith("_RLS")) return `${look} like toman`;
  if (level === 1 && code.endsWith("_RLS")) return `${look} like rial values that were converted as if they were toman`;
  if (level === -3) return `${look} like thousands whose points were read as decimal marks`;
  return `${look} ${formatCount(10 ** Math.abs(level))} times too ${level < 0 ? "low" : "high"}`;
}

function rounded(value: number): string {
  return formatCount(Number(value.toPrecision(2)));
}

function expectedInWords(expected: number): string {
  return Number.isNaN(expected) ? "" : `, about ${rounded(expected)} expected`;
}

/** The reason that is stored with a suspicious value, such as `looks like toman, about 1,900,000 expected`. */
export function reasonOf({ code, why, level, expected }: SuspiciousLevel): string {
  let text = levelInWords(code, level, "looks");
  if (why === "jump") text = "jumps, and no later value confirms it";
  else if (why === "asset") text = "does not fit its market";
  return text + expectedInWords(expected);
}
