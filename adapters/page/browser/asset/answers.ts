import type { Client } from "../../../client/mod.ts";
import { CATEGORIES, QUOTE_UNITS } from "../../../../core/mod.ts";
import type { AssetValue, CatalogEntry, PriceCandle } from "../../../../core/mod.ts";
import type { PageAsset } from "../../page_settings.ts";
import { candlesCall, catalogCall, historyCall } from "./calls.ts";
import type { Call } from "./calls.ts";
import type { DayRange } from "./days.ts";
import { createMemory } from "./memory.ts";
import type { Memory, Outcome } from "./memory.ts";
import { patiently } from "./patience.ts";
import type { CandleWindow } from "./ranges.ts";

/** One question to the API, and the call that it makes. */
export interface Question<Value> {
  readonly call: Call;
  /** The answer if there is one already. */
  answer(): Outcome<Value> | undefined;
  /** The answer, asked for if need be, which costs one unit. */
  ask(): Promise<Outcome<Value>>;
}

/** The questions about one asset. */
export interface Questions {
  /** The catalog entries of its category and quote unit: the next asset of that category costs one unit less. */
  readonly catalog: Question<readonly CatalogEntry<string>[]>;
  candles(window: CandleWindow): Question<readonly PriceCandle[]>;
  /** The values of days, at most 32. */
  days(range: DayRange): Question<readonly AssetValue<string>[]>;
  /** Forgets all answers. */
  forget(): void;
}

/** Answers that are kept at most: candles may take a megabyte each, and a table of 80 years of days is made of 913. */
const MAX_ANSWERS = { catalog: 20, candles: 40, days: 1_000 };

/** For as long as the page is open, for the key that was used last: another key may see other answers. */
let kept = createKept(undefined);

/** The questions about an asset, for a client with this key. */
export function questionsAbout({ code, category, quoteUnit }: PageAsset, client: Client<string>, key: string | undefined): Questions {
  if (kept.key !== key) kept = createKept(key);
  const { catalog, candles, days } = kept;
  const filter = { category: CATEGORIES.find((known) => known === category), quoteUnit: QUOTE_UNITS.find((known) => known === quoteUnit) };
  return {
    catalog: question(catalog, catalogCall(filter), () => client.catalog(filter)),
    candles: (window) => question(candles, candlesCall(code, window), () => client.candles(code, window)),
    days: (range) => question(days, historyCall(code, range), () => client.history(code, range.from, range.to)),
    forget() {
      for (const memory of [catalog, candles, days]) memory.clear();
    },
  };
}

function question<Value>(memory: Memory<Value>, call: Call, load: () => Promise<Value>): Question<Value> {
  return { call, answer: () => memory.answer(call.target), ask: () => memory.ask(call.target, () => patiently(load)) };
}

function createKept(key: string | undefined) {
  return {
    key,
    catalog: createMemory<readonly CatalogEntry<string>[]>(MAX_ANSWERS.catalog),
    candles: createMemory<readonly PriceCandle[]>(MAX_ANSWERS.candles),
    days: createMemory<readonly AssetValue<string>[]>(MAX_ANSWERS.days),
  };
}
