// The calls of the API behind what is seen, so that a visitor can repeat each of them.
import type { CatalogFilter } from "../../../../core/mod.ts";
import { docsAddress } from "../places.ts";
import type { Language } from "../preferences.ts";
import type { CandleWindow } from "./ranges.ts";
import type { DayRange } from "./days.ts";

/** A call that needs a key. */
export interface Call {
  /** The `operationId` of its route, which its page in the reference has in its address. */
  readonly operation: "listSupported" | "getCandles" | "getHistory";
  /** Path and query below the base URL. */
  readonly target: string;
  /** Its parameters, those in the path included, by the names of the reference. */
  readonly parameters: Readonly<Record<string, string | undefined>>;
}

/** The catalog entries of the assets with this category and quote unit. */
export function catalogCall({ category, quoteUnit }: CatalogFilter): Call {
  const parameters = { category, quoteUnit };
  return { operation: "listSupported", target: `/api/v1/assets/supported?${query(parameters)}`, parameters };
}

/** The candles of an asset. */
export function candlesCall(code: string, { interval, from, to }: CandleWindow): Call {
  return { operation: "getCandles", target: `${assetPath(code)}/ohlc?${query({ interval, from, to })}`, parameters: { assetCode: code, interval, from, to } };
}

/** The daily history of an asset. */
export function historyCall(code: string, { from, to }: DayRange): Call {
  return { operation: "getHistory", target: `${assetPath(code)}/history?${query({ from, to })}`, parameters: { assetName: code, from, to } };
}

/** The page of the call's route in the reference, with its form filled in. */
export function referenceAddress({ operation, parameters }: Call, language: Language): string {
  return docsAddress("reference", language, { id: operation, query: query(parameters) });
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
