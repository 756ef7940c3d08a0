// The requests of the API behind what is seen. Answers are kept while the page is open, so that drawing anew costs no unit.

import type { AssetValue, PriceCandle } from "../../../../core/mod.ts";
import type { Client } from "../../../client/mod.ts";
import type { Access } from "../api_key.ts";
import type { DayRange } from "./days.ts";
import type { CandleWindow } from "./range_choice.ts";

/** A request, which costs a unit of a key. */
export interface Call<Item> {
  /** Path and query below the base URL. */
  readonly target: string;
  /** Its route in the reference, and the query that fills in the form there. */
  readonly route: { readonly id: string; readonly query: string };
  /** The answers of its kind. */
  readonly answers: AnswerCache<Item>;
  load(client: Client<string>): Promise<readonly Item[]>;
}

/** Answers of one kind, by the key that asked and the target: another key may see others. */
type AnswerCache<Item> = { readonly most: number; readonly cache: Map<string, CachedAnswer<Item>> };

interface CachedAnswer<Item> {
  /** What was known of the market when this was asked. */
  version: string;
  readonly coming: Promise<readonly Item[]>;
  /** Until it has come, the one before it. */
  answer: readonly Item[] | undefined;
}

// So many are kept: candles may take a megabyte each, and a table of 80 years of days is made of 913.
const CANDLES: AnswerCache<PriceCandle> = { most: 40, cache: new Map() };
const DAYS: AnswerCache<AssetValue<string>> = { most: 1_000, cache: new Map() };

/** The candles of an asset. */
export function candlesCall(code: string, { interval, from, to }: CandleWindow): Call<PriceCandle> {
  const asked = { interval, from, to };
  const route = { id: "getCandles", query: query({ assetCode: code, ...asked }) };
  return {
    target: `${assetPath(code)}/ohlc?${query(asked)}`,
    route,
    answers: CANDLES,
    load: (client) => client.candles(code, asked),
  };
}

/** The values of days, at most 32. */
export function daysCall(code: string, { from, to }: DayRange): Call<AssetValue<string>> {
  const route = { id: "getHistory", query: query({ assetName: code, from, to }) };
  return {
    target: `${assetPath(code)}/history?${query({ from, to })}`,
    route,
    answers: DAYS,
    load: (client) => client.history(code, from, to),
  };
}

function assetPath(code: string): string {
  return `/api/v1/assets/${encodeURIComponent(code)}`;
}

/** Colons stay as they are, which a query allows: times are easier to read so. */
function query(parameters: Readonly<Record<string, string>>): string {
  return new URLSearchParams(parameters).toString().replaceAll("%3A", ":");
}

/** The answer to a call, if there is one. */
export function answerTo<Item>({ answers, target }: Call<Item>, key: string | undefined): readonly Item[] | undefined {
  return answers.cache.get(`${key} ${target}`)?.answer;
}

/**
 * The answer that is known or on its way, else asks for it. Failures are not kept: asking again may help.
 *
 * @param version Names what is known of the market: what was asked for with another is asked for anew. Empty: any answer will do.
 */
export async function ask<Item>(
  call: Call<Item>,
  { key, client }: Pick<Access, "key" | "client">,
  version = "",
): Promise<readonly Item[]> {
  const { cache, most } = call.answers;
  const name = `${key} ${call.target}`;
  const found = cache.get(name);
  if (found?.version === "") found.version = version; // the market can be known later than the first answer
  if (found !== undefined && (version === "" || found.version === version)) return found.coming;
  const asked: CachedAnswer<Item> = { version, coming: call.load(client), answer: found?.answer };
  cache.set(name, asked);
  const [oldest] = cache.keys();
  if (cache.size > most && oldest !== undefined) cache.delete(oldest);
  try {
    return (asked.answer = await asked.coming);
  } catch (error) {
    if (cache.get(name) === asked) cache.delete(name);
    throw error;
  }
}
