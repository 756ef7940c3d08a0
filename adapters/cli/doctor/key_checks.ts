import { durationInWords } from "../text_table.ts";
import { ACCESS, CATALOG, type Check, type CheckedServer, type CheckResult, right, unknown, wrong } from "./check.ts";
import { type Answer, jsonOf } from "./http_probe.ts";

const X_FIELDS = ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"];
const QUOTA_FIELDS = ["ratelimit", "ratelimit-policy", ...X_FIELDS];

/** A server, and the key for requests. */
interface Keyed extends CheckedServer {
  readonly key: string;
  /** Sends a GET request with the key. */
  readonly askWithKey: (path: string) => Promise<Answer>;
}

/** Makes a check that needs a key. */
export function withKey(check: (server: Keyed) => Promise<CheckResult>): Check {
  return async (server) => {
    const { ask, key } = server;
    if (key === undefined) return unknown("needs a key: --key, or MAZANEH_KEY");
    return check({ ...server, key, askWithKey: (path) => ask(path, { headers: { "X-API-Key": key } }) });
  };
}

export async function keyIn({ ask }: Keyed, name: string, value: string): Promise<CheckResult> {
  const answer = await ask(ACCESS, { headers: { [name]: value } });
  const code = String(jsonOf(answer)?.["code"] ?? "");
  if (answer.status === 200) return right("arrives");
  if (answer.status === 403) return right("arrives, but the key or its account may not read");
  if (code === "API_KEY_MISSING")
    return wrong(`does not arrive: the proxy drops ${name}`, `Let the proxy pass ${name} on`);
  return wrong(`is refused with ${answer.status} ${code}`, "Check the key: mazaneh keys list");
}

export async function quotaFields({ askWithKey }: Keyed): Promise<CheckResult> {
  const answer = await askWithKey(ACCESS);
  if (answer.status !== 200) return unknown("the key is refused");
  const missing = QUOTA_FIELDS.filter((name) => answer.count(name) !== 1);
  if (missing.length === 0)
    return right(`show ${answer.field("x-ratelimit-remaining")} units left of ${answer.field("x-ratelimit-limit")}`);
  if (missing.length === QUOTA_FIELDS.length)
    return unknown("are missing: either the plan has no limit, so the server sends none, or the proxy drops them");
  return wrong(`are missing or repeated: ${missing.join(", ")}`, "Let the proxy pass them on, and set none of its own");
}

export async function caches({ ask, askWithKey }: Keyed): Promise<CheckResult> {
  const own = await askWithKey(CATALOG);
  const stranger = await ask(CATALOG);
  const todo =
    "Switch the cache of the proxy or the CDN off for /api/: it must neither answer for the server nor change Cache-Control and Vary";
  if (stranger.status === 200) return wrong("a request without a key gets the catalog, which needs a key", todo);
  if (own.status !== 200) return unknown(`the request for the catalog gets ${own.status}`);
  if (own.field("age") !== undefined || own.field("cache-control") !== "private, no-cache")
    return wrong("answers to requests with a key come from a cache, or caches may store them", todo);
  const vary = (own.field("vary") ?? "").toLowerCase().split(/, */);
  if (!["x-api-key", "authorization", "accept-encoding"].every((name) => vary.includes(name)))
    return wrong("Vary does not name all of X-API-Key, Authorization and Accept-Encoding", todo);
  return right("store no answer to a request with a key");
}

export async function feed({ askWithKey, now }: Keyed): Promise<CheckResult> {
  const answer = await askWithKey(CATALOG);
  const assets = jsonOf(answer)?.["assets"];
  if (!Array.isArray(assets)) return unknown(`the request for the catalog gets ${answer.status}`);
  const known = (assets as readonly { readonly businessTime: string | null; readonly stale: boolean }[]).filter(
    ({ businessTime }) => businessTime !== null,
  );
  if (known.length === 0) return wrong("no asset has a record", "Import prices with mazaneh import");
  const fresh = known.filter(({ stale }) => !stale).length;
  const newest = Math.max(...known.map(({ businessTime }) => Date.parse(businessTime!)));
  const age = durationInWords(Math.max(0, now() - newest));
  const found = `${fresh} of ${known.length} assets with records are fresh, the newest record is ${age} old`;
  if (fresh > 0) return right(found);
  return wrong(found, "Find out why no new prices arrive: see mazaneh status, and the log of the feed");
}
