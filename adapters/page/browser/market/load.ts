import { failureOf, unexpected } from "../../../client/failures.ts";
import type { MarketSummary } from "../../market_summary.ts";
import type { PageContext } from "../context.ts";

const TIMEOUT_MS = 30_000;

/** The last load of the market: one unit, so it is kept when the language changes or another view is opened. */
export interface MarketLoad {
  readonly key: string;
  /** The summary that is shown: of this load, or until it has come, of the one before. */
  summary: MarketSummary | undefined;
  /** When the summary that is shown was loaded, in milliseconds since 1970. */
  loadedAt: number | undefined;
  /** Whether it brought the prices that were shown before. */
  isUnchanged: boolean;
  /** Why it failed. */
  failure: unknown;
  /** Whether it is still under way. */
  isLoading: boolean;
  /** Settles when it has ended, well or not; never rejects. */
  readonly done: Promise<void>;
}

/** Starts to load the market with a key. */
export function loadMarket(key: string, noteQuota: PageContext["noteQuota"], before?: Pick<MarketLoad, "summary" | "loadedAt">): MarketLoad {
  const load: MarketLoad = { key, summary: before?.summary, loadedAt: before?.loadedAt, isUnchanged: false, failure: undefined, isLoading: true, done: run() };
  return load;

  async function run(): Promise<void> {
    try {
      const summary = await fetchMarket(key, noteQuota);
      load.isUnchanged = JSON.stringify(load.summary?.assets) === JSON.stringify(summary.assets);
      load.summary = summary;
      load.loadedAt = Date.now();
    } catch (thrown) {
      load.failure = thrown;
    }
    load.isLoading = false;
  }
}

async function fetchMarket(key: string, noteQuota: PageContext["noteQuota"]): Promise<MarketSummary> {
  const response = await fetch("docs/market", { headers: { "X-API-Key": key }, signal: AbortSignal.timeout(TIMEOUT_MS) });
  noteQuota(response.headers);
  const body: unknown = await response.json().catch(() => undefined);
  if (response.status !== 200 || body === undefined) throw failureOf(response, body);
  if (!isSummary(body)) throw unexpected(response, "The answer has another shape");
  return body;
}

/** A look at the outside is enough: what this page's own server sends has this type. */
function isSummary(body: unknown): body is MarketSummary {
  return typeof body === "object" && body !== null && "assets" in body && Array.isArray(body.assets);
}
