import { randomUUID } from "node:crypto";
import { ERRORS } from "../../../core/http/errors.ts";
import type { ApiRequest } from "../../../core/http/messages.ts";
import { CACHING_HEADERS, COMMON_HEADERS } from "../http/peer_fields.ts";
import { createWork } from "../http/work.ts";
import type { Outcome, Work } from "../http/work.ts";

/** An answer in the usual form. */
export interface UsualAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The usual way to answer: a URL object, `createHash`, Maps, `JSON.stringify`, a record of header fields. */
export function createUsualWay(now: number, key: string, units: number): (request: ApiRequest) => UsualAnswer {
  const work = createWork({ now, keys: { [key]: units }, home: "" });

  return (request) => {
    const url = new URL(request.target, "http://127.0.0.1");
    const requestId = randomUUID();
    const common = { ...COMMON_HEADERS, "X-Request-Id": requestId, "Content-Type": "application/json; charset=utf-8" };
    const given = request.headers.get("x-api-key") ?? undefined;
    const caller = work.caller(given);
    if (!caller) {
      const body = work.error(given === undefined ? "API_KEY_MISSING" : "API_KEY_INVALID", url.pathname, requestId);
      return { status: 401, headers: { ...common, "Cache-Control": "no-store", "WWW-Authenticate": "ApiKey" }, body: JSON.stringify(body) };
    }
    if (!work.take(caller)) {
      const body = work.error("QUOTA_EXCEEDED", url.pathname, requestId);
      return { status: 429, headers: { ...common, "Cache-Control": "no-store", ...work.quotaHeaders(caller) }, body: JSON.stringify(body) };
    }
    const outcome = answer(work, url);
    if ("code" in outcome) {
      work.giveBack(caller);
      const body = work.error(outcome.code, url.pathname, requestId);
      const headers = { ...common, "Cache-Control": "no-store", ...work.quotaHeaders(caller) };
      return { status: ERRORS[outcome.code].status, headers, body: JSON.stringify(body) };
    }
    const headers = { ...common, ...CACHING_HEADERS, ...work.quotaHeaders(caller), ETag: `"${outcome.version}"` };
    return { status: 200, headers, body: JSON.stringify(outcome.data) };
  };
}

function answer(work: Work, url: URL): Outcome {
  const [, , , assets, code, last] = url.pathname.split("/");
  const query = (name: string): string | undefined => url.searchParams.get(name) ?? undefined;
  if (assets !== "assets") return { code: "ROUTE_NOT_FOUND" };
  if (code === undefined) return work.all();
  if (code === "supported") return work.catalog();
  if (last === undefined) return work.latest(code);
  if (last === "history") return work.history(code, query("from"), query("to"));
  return last === "ohlc" ? work.candles(code, query("interval"), query("from"), query("to")) : { code: "ROUTE_NOT_FOUND" };
}
