// All price state. All views read this state, so they cannot disagree.
import { signal } from "@preact/signals";
import { failureOf, unexpected } from "../../../client/failures.ts";
import type { MarketRow, MarketSummary, PastDaySummary } from "../../market_summary.ts";

/** The state of the market at one moment. */
export interface MarketState {
  /** The last answer with the whole market, unchanged; `undefined` until the first answer. */
  readonly summary: MarketSummary | undefined;
  /** The latest record of each asset, by code: from the summary, or from another answer that has a newer record. */
  readonly rows: ReadonlyMap<string, MarketRow>;
  /** Why the last load failed; `undefined` if the last load succeeded. */
  readonly failure: unknown;
  /** When the current series of failed loads began. */
  readonly failedAt: number;
  readonly isLoading: boolean;
}

type Latest = Pick<MarketRow, "code" | "value" | "businessTime">;

/** Holds the state of the market. `ask` requests the market, `dayOf` gives the market day of a time. */
export function createKnownMarket(ask: () => Promise<MarketSummary>, dayOf: (time: number) => string) {
  const none = { summary: undefined, rows: new Map(), failure: undefined, failedAt: 0, isLoading: false };
  const state = signal<MarketState>(none);
  let loading: Promise<void> | undefined;
  let notedMeanwhile: Latest[] = [];

  function change(next: Partial<MarketState>): void {
    state.value = { ...state.peek(), ...next };
  }

  async function load(): Promise<void> {
    notedMeanwhile = [];
    change({ isLoading: true });
    try {
      const summary = await ask();
      const rows = new Map(summary.assets.map((row) => [row.code, row]));
      // Keep values of other answers that arrived during the request. Drop older values, which may be withdrawn.
      for (const latest of notedMeanwhile) rows.set(latest.code, withLatest(rows.get(latest.code), latest, dayOf));
      change({ summary, rows, failure: undefined, isLoading: false });
    } catch (failure) {
      const before = state.peek();
      const failedAt = before.failure === undefined ? Date.now() : before.failedAt;
      change({ failure, failedAt, isLoading: false });
    }
  }

  return {
    state,
    /** Loads the whole market. During a load, further calls wait for the same answer. Never rejects. */
    load: (): Promise<void> => (loading ??= load().finally(() => (loading = undefined))),
    /** Stores a value from another answer if it is newer than the known value. */
    note(latest: Latest): void {
      notedMeanwhile.push(latest);
      const { rows } = state.peek();
      const next = withLatest(rows.get(latest.code), latest, dayOf);
      if (next !== rows.get(latest.code)) change({ rows: new Map(rows).set(latest.code, next) });
    },
  };
}

/** Whether a value is older than the threshold, measured by the page's clock. */
export function isStale(row: Pick<MarketRow, "businessTime">, now: number, thresholdMinutes: number): boolean {
  return now - Date.parse(row.businessTime) > thresholdMinutes * 60_000;
}

/** Requests the market (for one unit, if a key is needed) or the prices of a past day (public markets only). */
export async function fetchMarket<Summary extends MarketSummary | PastDaySummary>(
  { key, fetch }: Readonly<{ key: string | undefined; fetch: typeof globalThis.fetch }>,
  url: string,
): Promise<Summary> {
  const headers = key ? { "X-API-Key": key } : {};
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(30_000) });
  const body = (await response.json().catch(() => undefined)) as Partial<Summary> | undefined;
  if (response.status !== 200 || body === undefined) throw failureOf(response, body);
  // A rough check is enough, because this page's own server sends this type.
  if (!Array.isArray(body?.assets)) throw unexpected(response, "The answer has an unexpected shape");
  return body as Summary;
}

function withLatest(
  row: MarketRow | undefined,
  { code, value, businessTime }: Latest,
  dayOf: (time: number) => string,
): MarketRow {
  if (row === undefined) return { code, version: "", value, businessTime, before: null, day: null, days: [] };
  if (businessTime <= row.businessTime) return row;
  const lastDay = dayOf(Date.parse(row.businessTime));
  if (dayOf(Date.parse(businessTime)) !== lastDay)
    return { ...row, value, businessTime, before: { date: lastDay, value: row.value }, day: null };
  if (row.day === null) return { ...row, value, businessTime };
  const day = { ...row.day, high: Math.max(row.day.high, value), low: Math.min(row.day.low, value) };
  return { ...row, value, businessTime, days: row.days.with(-1, value), day };
}
