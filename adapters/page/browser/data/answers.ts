// The API requests behind the views. The answers are kept while the page is open, so a redraw costs no unit.
import { signal } from "@preact/signals";
import type { AssetValue, CatalogEntry, PriceCandle } from "../../../../core/mod.ts";
import type { Client } from "../../../client/mod.ts";
import type { PageAsset } from "../../page_settings.ts";
import type { CandleWindow, DayRange } from "./ranges.ts";

/** A request that costs the key one unit. */
export interface Call<Item> {
  /** The asset. */
  readonly code: string;
  /** Path and query below the base URL. */
  readonly target: string;
  load(client: Client<string>): Promise<readonly Item[]>;
}

/** An answer for a version of the asset's records; until it arrives, `answer` is for the previous version. */
type CachedAnswer = {
  readonly version: string;
  readonly coming: Promise<readonly unknown[]>;
  answer: readonly unknown[] | undefined;
};

/** How many candles and days are kept in total. They are enough for 40 charts, which take about a megabyte each. */
const MOST_ITEMS = 400_000;

/** The key of the map includes the API key, because another API key may get other answers. */
const cache = new Map<string, CachedAnswer>();
/** The number of answers. Components read this signal, so they are redrawn when a new answer arrives. */
const answered = signal(0);

/** The request for an asset's candles. */
export function candlesCall(code: string, { interval, from, to }: CandleWindow) {
  const asked = { interval, from, to };
  return {
    code,
    target: `${assetPath(code)}/ohlc?${query(asked)}`,
    /** The route in the reference, and the query that fills in its form. */
    route: { id: "getCandles", query: query({ assetCode: code, ...asked }) },
    load: (client: Client<string>): Promise<readonly PriceCandle[]> => client.candles(code, asked),
  };
}

/** The request for the values of at most 32 days. */
export function daysCall(code: string, { from, to }: DayRange): Call<AssetValue<string>> {
  return {
    code,
    target: `${assetPath(code)}/history?${query({ from, to })}`,
    load: (client) => client.history(code, from, to),
  };
}

/** Requests the catalog entries of a category and a quote unit, which state when the first records began. Sent once. */
export function catalogCall({ category, quoteUnit }: PageAsset): Call<CatalogEntry<string>> {
  return {
    code: "",
    target: `/api/v1/assets/supported?${query({ category, quoteUnit })}`,
    load: (client) => client.catalog({ category, quoteUnit }),
  };
}

function assetPath(code: string): string {
  return `/api/v1/assets/${encodeURIComponent(code)}`;
}

/** Colons are not encoded: a query allows them, and times are easier to read with them. */
function query(parameters: Readonly<Record<string, string>>): string {
  return new URLSearchParams(parameters).toString().replaceAll("%3A", ":");
}

/** The newest answer to a call, which may be for an earlier version of the asset's records. */
export function answerTo<Item>({ target }: Call<Item>, key: string | undefined): readonly Item[] | undefined {
  void answered.value;
  return cache.get(`${key} ${target}`)?.answer as readonly Item[] | undefined; // all answers for a target have one type
}

/** Waits for the answer for this version. Sends a request if no earlier call did, or if that request failed. */
export async function ask<Item>(
  call: Call<Item>,
  { key, client }: { readonly key: string | undefined; readonly client: Client<string> },
  version: string,
): Promise<void> {
  const name = `${key} ${call.target}`;
  const found = cache.get(name);
  if (found?.version === version) return void (await found.coming);
  const asked: CachedAnswer = { version, coming: call.load(client), answer: found?.answer };
  cache.delete(name);
  cache.set(name, asked);
  try {
    asked.answer = await asked.coming;
    dropOldest();
    answered.value++;
  } catch (error) {
    if (cache.get(name) === asked) cache.delete(name);
    throw error;
  }
}

function dropOldest(): void {
  let items = [...cache.values()].reduce((sum, { answer = [] }) => sum + answer.length, 0);
  for (const [name, { answer = [] }] of cache) {
    if (items <= MOST_ITEMS) return;
    items -= answer.length;
    cache.delete(name);
  }
}
