import type { Asset } from "../market/assets.ts";
import { formatTimestamp } from "../time/timestamps.ts";
import type { UtcMillis } from "../brand.ts";

/**
 * A number in plain decimal notation: the fewest digits that give the same double back, and never an
 * exponent, which `JSON.stringify` writes for 0.00000098. For finite numbers.
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

/** The fields that tell an asset apart in every record of it, as JSON without the braces. */
export function assetHead(asset: Asset): string {
  const { code, labelEn, labelFa, quoteUnit } = asset;
  const fields = { code, name: code, slug: code.toLowerCase(), labelEn, labelFa, quoteUnit };
  return JSON.stringify(fields).slice(1, -1);
}

// What JSON text may not hold as it is: quotes, backslashes, controls, and halves of pairs that stand alone.
const UNUSUAL = /["\\\x00-\x1f\ud800-\udfff]/;

/** A text as JSON: what `JSON.stringify` gives, in a third of the time for ordinary text. */
export function quoteJson(text: string): string {
  return UNUSUAL.test(text) ? JSON.stringify(text) : `"${text}"`;
}

/** A timestamp or `null`, as JSON. */
export function timestampJson(time: UtcMillis | null | undefined): string {
  return time == null ? "null" : `"${formatTimestamp(time)}"`;
}

/** Reads JSON that must be an object; `undefined` for anything else. */
export function parseObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
