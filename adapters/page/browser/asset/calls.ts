// The calls of the API behind what is seen, so that a visitor can repeat each of them.
import type { CatalogFilter } from "../../../../core/mod.ts";
import type { CandleWindow } from "./ranges.ts";
import type { DayRange } from "./days.ts";

/** A call that needs a key. */
export interface Call {
  /** The `operationId` of its route, which its page in the reference has in its address. */
  readonly operation: "listSupported" | "getCandles" | "getHistory";
  /** Path and query below the base URL. */
  readonly target: string;
}

/** The catalog entries of the assets with this category and quote unit. */
export function catalogCall({ category, quoteUnit }: CatalogFilter): Call {
  return { operation: "listSupported", target: `/api/v1/assets/supported?${query({ category, quoteUnit })}` };
}

/** The candles of an asset. */
export function candlesCall(code: string, { interval, from, to }: CandleWindow): Call {
  return { operation: "getCandles", target: `${assetPath(code)}/ohlc?${query({ interval, from, to })}` };
}

/** The daily history of an asset. */
export function historyCall(code: string, { from, to }: DayRange): Call {
  return { operation: "getHistory", target: `${assetPath(code)}/history?${query({ from, to })}` };
}

/** The call for a shell. The key is left to a variable, so that it is in no history and no screenshot. */
export function curlLine(baseUrl: string, { target }: Call): string {
  const url = `${baseUrl}${target}`.replaceAll("'", "%27");
  return `curl -H "X-API-Key: $KEY" '${url}'`;
}

function assetPath(code: string): string {
  return `/api/v1/assets/${encodeURIComponent(code)}`;
}

/** Colons stay as they are, which a query allows: times are easier to read so. */
function query(parameters: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(parameters).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return new URLSearchParams(given).toString().replaceAll("%3A", ":");
}
