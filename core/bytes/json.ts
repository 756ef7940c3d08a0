import type { UtcMillis } from "../branded_types.ts";
import { formatTimestamp } from "../time/timestamps.ts";

/**
 * A finite number in decimal notation: the fewest digits that give the same double back, and never an exponent, as
 * `JSON.stringify` writes for 0.00000098.
 */
export function formatDecimal(value: number): string {
  const text = String(value);
  const exponentAt = text.indexOf("e");
  if (exponentAt === -1) return text;
  const sign = value < 0 ? "-" : "";
  const [whole = "", fraction = ""] = text.slice(sign.length, exponentAt).split(".");
  const exponent = Number(text.slice(exponentAt + 1));
  const digits = whole + fraction;
  if (exponent < 0) return `${sign}0.${"0".repeat(-exponent - 1)}${digits}`;
  return sign + digits.padEnd(exponent + 1, "0");
}

// What must be escaped in JSON: quotes, backslashes, control characters, and surrogates that may be alone.
const ESCAPED = /["\\\x00-\x1f\ud800-\udfff]/;

/** A text as JSON: what `JSON.stringify` gives, in a third of its time if nothing is escaped. */
export function quoteJson(text: string): string {
  return ESCAPED.test(text) ? JSON.stringify(text) : `"${text}"`;
}

/** A timestamp as JSON; `null` for none. */
export function timestampJson(time: UtcMillis | undefined): string {
  return time === undefined ? "null" : `"${formatTimestamp(time)}"`;
}

/** Parses JSON that must be an object; `undefined` for anything else. */
export function parseObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a JSON text has no more lists and objects, and none within so many others: to be asked of a stranger's before it is parsed, as millions of them stop a server. */
export function isModestJson(
  text: string,
  { parts, depth }: { readonly parts: number; readonly depth: number },
): boolean {
  let [deep, count, isInText] = [0, 0, false];
  for (let i = 0; i < text.length; i++) {
    const character = text[i];
    if (character === '"') isInText = !isInText;
    else if (isInText) i += character === "\\" ? 1 : 0;
    else if (character === "[" || character === "{") {
      if (++deep > depth || ++count > parts) return false;
    } else if (character === "]" || character === "}") deep--;
  }
  return true;
}
