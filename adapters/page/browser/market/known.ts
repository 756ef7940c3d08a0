// The one place of what is known of prices. Every view reads it, so that no two of them can differ.
import type { MarketRow, MarketSummary } from "../../market_summary.ts";

/** What is known of the market at a moment. */
export interface MarketState {
  /** The last answer of the whole market, as it came; `undefined` before the first. */
  readonly summary: MarketSummary | undefined;
  /** The latest of each asset that has a price, by code: of the summary, or newer of another answer. */
  readonly rows: ReadonlyMap<string, MarketRow>;
  /** When the summary came, in milliseconds since 1970. */
  readonly loadedAt: number | undefined;
  /** Whether the last load brought nothing new. */
  readonly isUnchanged: boolean;
  /** Why the last load failed; `undefined` if it did not. */
  readonly failure: unknown;
  readonly isLoading: boolean;
}

/** A latest value that some answer told. */
export type Latest = Pick<MarketRow, "code" | "value" | "businessTime">;

/** Holds what is known, and tells who listens of each change. */
export interface KnownMarket {
  state(): MarketState;
  /** Asks for the whole market. Who asks while an answer is on its way waits for that one. Never rejects. */
  load(): Promise<void>;
  /** Takes the latest value that another answer told, where it is newer. */
  note(latest: Latest): void;
  /** Calls `changed` after each change, until the function that it returns is called. */
  listen(changed: () => void): () => void;
}

const NOTHING: MarketState = { summary: undefined, rows: new Map(), loadedAt: undefined, isUnchanged: false, failure: undefined, isLoading: false };

/**
 * Makes it.
 *
 * @param ask Asks the server for the summary.
 * @param dayOf The market day of a time, `YYYY-MM-DD`.
 */
export function createKnownMarket(ask: () => Promise<MarketSummary>, dayOf: (time: number) => string): KnownMarket {
  const listeners = new Set<() => void>();
  let state = NOTHING;
  let loading: Promise<void> | undefined;
  let notedMeanwhile: Latest[] = [];

  function change(next: Partial<MarketState>): void {
    state = { ...state, ...next };
    for (const changed of listeners) changed();
  }

  async function load(): Promise<void> {
    notedMeanwhile = [];
    change({ isLoading: true });
    try {
      const summary = await ask();
      const isUnchanged = JSON.stringify(summary.assets) === JSON.stringify(state.summary?.assets);
      // It may have been read before what was told meanwhile. What was told earlier gives way: a record can be withdrawn.
      const rows = notedMeanwhile.reduce((known, latest) => withLatest(known, latest, dayOf), byCode(summary));
      change({ summary, rows, isUnchanged, loadedAt: Date.now(), failure: undefined, isLoading: false });
    } catch (thrown) {
      change({ failure: thrown, isLoading: false });
    }
  }

  return {
    state: () => state,
    load: () => (loading ??= load().finally(() => (loading = undefined))),
    note(latest) {
      notedMeanwhile.push(latest);
      const rows = withLatest(state.rows, latest, dayOf);
      if (rows !== state.rows) change({ rows });
    },
    listen(changed) {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
  };
}

/** Whether a value is older than the threshold; follows the clock of the page. */
export function isStale({ businessTime }: Pick<MarketRow, "businessTime">, now: number, thresholdMinutes: number): boolean {
  return now - Date.parse(businessTime) > thresholdMinutes * 60_000;
}

function byCode(summary: MarketSummary): ReadonlyMap<string, MarketRow> {
  return new Map(summary.assets.map((row) => [row.code, row]));
}

function withLatest(rows: ReadonlyMap<string, MarketRow>, latest: Latest, dayOf: (time: number) => string): ReadonlyMap<string, MarketRow> {
  const { code, value, businessTime } = latest;
  const row = rows.get(code);
  if (row === undefined) return new Map(rows).set(code, { code, value, businessTime, before: null, day: null, days: [] });
  if (businessTime <= row.businessTime) return rows;
  const [day, lastDay] = [dayOf(Date.parse(businessTime)), dayOf(Date.parse(row.businessTime))];
  if (day !== lastDay) return new Map(rows).set(code, { ...row, value, businessTime, before: { date: lastDay, value: row.value }, day: null });
  const today = row.day && { ...row.day, high: Math.max(row.day.high, value), low: Math.min(row.day.low, value) };
  return new Map(rows).set(code, { ...row, value, businessTime, day: today });
}
