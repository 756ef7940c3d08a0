import { type Answer, type Failure, type Handler, ROUTES } from "../../core/internal.ts";
import type { CustomRoute, Result } from "../../core/mod.ts";
import { createAnswerCache } from "./answer_cache.ts";
import { PUBLIC_FRESH_MS } from "./market_data_route.ts";

/** The most recent charts. Larger answers are made each time, by the server's rule only a few at once. */
const BOUNDS = {
  freshMs: PUBLIC_FRESH_MS,
  most: 200,
  isCached: (found: Answered) => !found.ok || found.value.body.length <= 200_000,
};
type Answered = Result<Answer & { readonly body: string | Uint8Array }, Failure>;

/**
 * The API's routes for single assets and the catalog, repeated below `/docs` without a key for the charts of a public
 * market, with the same rules, limits and errors. Each answer is kept for half a minute, but not beyond a correction
 * that the market's answer already has.
 */
export function publicPrices(versionOf: (code: string | undefined) => string): readonly CustomRoute[] {
  const kept = createAnswerCache(BOUNDS);
  return ROUTES.filter(({ method, path }) => method === "GET" && path.startsWith("/api/v1/assets/")).map((row) => {
    const handle: Handler = (context, call) =>
      kept(`${versionOf(call.params[0])} ${call.request.target}`, call.now, async () =>
        stateless(await row.handle(context, call)),
      );
    return {
      ...row,
      path: `/docs${row.path}`,
      auth: "none",
      charge: "free",
      docs: false,
      handle,
    } as unknown as CustomRoute; // the table meets all checks of defineRoute
  });
}

/** Only the answer: its age decides freshness, so the store is not asked, and functions would keep the records in memory. */
function stateless(found: Result<Answer, Failure>): Answered {
  if (!found.ok) return found;
  const { freshness: _freshness, at: _at, csv: _csv, body, ...answer } = found.value;
  return { ok: true, value: { ...answer, body: typeof body === "function" ? body() : body } };
}
