import { type Answer, type Failure, type Handler, parseQuery, ROUTES } from "../../core/internal.ts";
import type { CustomRoute, Result } from "../../core/mod.ts";
import { createAnswerCache } from "./answer_cache.ts";
import { PUBLIC_FRESH_MS } from "./market_data_route.ts";

/** Recent answers up to 200 kB are kept. The server limits how many longer answers it makes at once. */
const BOUNDS = {
  freshMs: PUBLIC_FRESH_MS,
  most: 200,
  isCached: (found: Answered) => !found.ok || found.value.body.length <= 200_000,
};
type Answered = Result<Answer & { readonly body: string | Uint8Array }, Failure>;

/**
 * Copies of the API's routes for single assets and the catalog, for the charts of a public market. The copies are below
 * `/docs` and need no key; rules, limits and errors are the same. Each answer is kept for half a minute, or until the
 * market's answer has a newer version of the asset's records.
 */
export function publicPrices(versionOf: (code: string | undefined) => string): readonly CustomRoute[] {
  const kept = createAnswerCache(BOUNDS);
  return ROUTES.filter(({ method, path }) => method === "GET" && path.startsWith("/api/v1/assets/")).map((row) => {
    const handle: Handler = (context, call) => {
      const query = parseQuery(call.query, row.query);
      if (!query.ok) return query;
      // The name has only the parameters that the route reads, so that queries with other parameters share an answer.
      const sent = [...call.params, ...row.query.map((name) => query.value.get(name))];
      const name = JSON.stringify([versionOf(call.params[0]), row.path, ...sent]);
      return kept(name, call.now, async () => stateless(await row.handle(context, call)));
    };
    const access = { path: `/docs${row.path}`, auth: "none", charge: "free", docs: false };
    return { ...row, ...access, handle } as unknown as CustomRoute; // a cast: the rows of `ROUTES` already meet all checks of `defineRoute`
  });
}

/** Makes the body, and drops the functions: they would keep records in memory, and `freshness` would ask the store. */
function stateless(found: Result<Answer, Failure>): Answered {
  if (!found.ok) return found;
  const { freshness: _freshness, at: _at, csv: _csv, body, ...answer } = found.value;
  return { ok: true, value: { ...answer, body: typeof body === "function" ? body() : body } };
}
