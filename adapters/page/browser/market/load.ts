import { failureOf, unexpected } from "../../../client/failures.ts";
import type { MarketSummary } from "../../market_summary.ts";
import type { Access } from "../access.ts";

const TIMEOUT_MS = 30_000;

/** Asks for the whole market: one unit of the key. */
export async function fetchMarket({ key, noteQuota }: Access): Promise<MarketSummary> {
  const response = await fetch("docs/market", { headers: key === undefined ? {} : { "X-API-Key": key }, signal: AbortSignal.timeout(TIMEOUT_MS) });
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
