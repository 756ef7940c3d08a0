import type { Asset } from "./assets.ts";
import type { Candle } from "./candles.ts";
import type { Observation } from "./observation.ts";
import { formatTimestamp } from "./timestamps.ts";
import type { UtcMillis } from "./brand.ts";

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

/** An asset value record. Source: contract, Asset value record. */
export function recordJson(head: string, observation: Observation): string {
  return `{${head},"value":${formatDecimal(observation.value)},"businessTime":"${formatTimestamp(observation.businessTime)}"}`;
}

/** A candle. Source: contract, OHLC response. */
export function candleJson(candle: Candle, complete: boolean): string {
  return (
    `{"start":"${formatTimestamp(candle.start)}","end":"${formatTimestamp(candle.end)}"` +
    `,"open":${formatDecimal(candle.open)},"high":${formatDecimal(candle.high)}` +
    `,"low":${formatDecimal(candle.low)},"close":${formatDecimal(candle.close)}` +
    `,"observationCount":${candle.observationCount},"complete":${complete}}`
  );
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
