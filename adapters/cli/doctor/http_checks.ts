import { ACCESS, CATALOG, type Check, right, STATUS, unknown, wrong } from "./check.ts";
import { type Answer, jsonOf } from "./http_probe.ts";
import { caches, feed, keyIn, quotaFields, withKey } from "./key_checks.ts";

const MAX_CLOCK_SECONDS = 30;
const DAY_MS = 86_400_000;
const MIN_CERTIFICATE_MS = 14 * DAY_MS;
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;
const ORIGIN = "https://doctor.example";

/** The checks by name, in the order of the report. With a key, all checks together cost at most four units. */
export const CHECKS: Readonly<Record<string, Check>> = {
  async transport({ ask, url, now }) {
    const { certificateEnds: ends } = await ask(STATUS);
    if (ends === undefined) {
      if (LOOPBACK.test(url.hostname)) return right("without TLS, on this machine");
      const todo = "Put a proxy with TLS in front of the server, and use its https:// address";
      return wrong("without TLS, so that keys travel in clear text", todo);
    }
    const days = Math.floor((ends - now()) / DAY_MS);
    if (ends - now() >= MIN_CERTIFICATE_MS) return right(`TLS, the certificate ends in ${days} days`);
    return wrong(
      `the certificate ends in ${days} days`,
      "Find out why it was not renewed: certbot renew, or Caddy's log",
    );
  },
  async clock({ ask, now }) {
    const [before, answer, after] = [now(), await ask(STATUS), now()];
    const serverTime = Date.parse(String(jsonOf(answer)?.["serverTime"]));
    const seconds = Math.round(Math.max(before - serverTime, serverTime - after) / 1_000);
    if (!(seconds > MAX_CLOCK_SECONDS)) return right("the server and this machine agree");
    return wrong(
      `the clocks of the server and of this machine differ by ${seconds} seconds`,
      "Correct the wrong clock, e.g. with NTP. If both clocks are right, a cache has answered with an old status",
    );
  },
  async scheme({ ask, url }) {
    const documentation = String(jsonOf(await ask(STATUS))?.["documentationUrl"]);
    if (!URL.canParse(documentation) || new URL(documentation).hostname !== url.hostname)
      return unknown(`the documentation is at ${documentation}`);
    const { protocol } = new URL(documentation);
    if (protocol === url.protocol) return right("the server knows the address that clients use");
    return wrong(
      `requests to ${url.protocol}// reach the server as ${protocol}//`,
      "Let the proxy set X-Forwarded-Proto, and start the server with --behind-proxy",
    );
  },
  async "error bodies"({ ask }) {
    const cases = [
      [404, "ROUTE_NOT_FOUND", await ask("/api/v1/doctor")],
      [401, "API_KEY_MISSING", await ask(ACCESS)],
      [405, "METHOD_NOT_ALLOWED", await ask(STATUS, { method: "DELETE" })],
      [401, "API_KEY_INVALID", await ask(ACCESS, { headers: { "X-API-Key": "mz_live_none" } })],
    ] as const;
    for (const [status, code, answer] of cases) {
      if (answer.status !== status || jsonOf(answer)?.["code"] !== code || !isErrorBody(answer))
        return wrong(
          `expected ${status} ${code} with the error body of the API, received ${answer.status}`,
          "Let the proxy pass requests and errors on unchanged, without a key or error pages of its own (nginx: proxy_intercept_errors off)",
        );
    }
    const ids = new Set(cases.map(([, , answer]) => answer.field("x-request-id")));
    if (ids.size === cases.length) return right("come as the server writes them, each with its request id");
    return wrong(
      "X-Request-Id is missing or repeated",
      "Let the proxy pass X-Request-Id of answers on, and cache no errors",
    );
  },
  async "large bodies"({ ask }) {
    const answer = await ask("/api/v1/assets/USD_RLS", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ fromDate: "x".repeat(100_000) }),
    }).catch(() => undefined);
    if (answer === undefined) return right("are cut off");
    if (isErrorBody(answer)) return right(`get ${answer.status} with the error body of the API`);
    return wrong(
      `get ${answer.status} without the error body of the API`,
      "Let the proxy's own errors have this body; fixtures/deploy shows how, for nginx and Caddy",
    );
  },
  "key in X-API-Key": withKey((server) => keyIn(server, "X-API-Key", server.key)),
  "key in Authorization": withKey((server) => keyIn(server, "Authorization", `ApiKey ${server.key}`)),
  "quota fields": withKey(quotaFields),
  /** Checks revalidation with the catalog or, without a key, with a public document. */
  async "ETag and 304"({ ask, key }) {
    const path = key === undefined ? "/openapi.json" : CATALOG;
    const headers = { ...(key !== undefined && { "X-API-Key": key }), "Accept-Encoding": "gzip" };
    const first = await ask(path, { headers });
    if (first.status !== 200) return unknown(`${path} answers with ${first.status}`);
    const tag = first.field("etag");
    if (tag === undefined) return wrong("answers have no ETag", "Let the proxy pass ETag on");
    if (tag.startsWith("W/"))
      return wrong(
        "ETags are weak: the proxy compresses or changes answers",
        "Switch compression off in the proxy (nginx: gzip off): the server compresses itself",
      );
    const second = await ask(path, { headers: { ...headers, "If-None-Match": tag } });
    if (second.status === 304) return right("an answer that the client has is not sent again");
    return wrong(`a request with If-None-Match gets ${second.status}, not 304`, "Let the proxy pass If-None-Match on");
  },
  caches: withKey(caches),
  async compression({ ask }) {
    const packed = await ask("/openapi.json", { headers: { "Accept-Encoding": "gzip" } });
    const plain = await ask("/openapi.json");
    const todo = "Let the proxy pass Accept-Encoding on, and cache nothing";
    if (plain.status !== 200) return unknown("cannot be checked: /openapi.json is missing");
    if (plain.field("content-encoding") !== undefined || packed.field("content-encoding") !== "gzip")
      return wrong("answers are not compressed for exactly the clients that accept gzip", todo);
    return right(`${Math.round((100 * packed.bytes.length) / plain.bytes.length)} % of the bytes`);
  },
  async CORS({ ask }) {
    const answer = await ask(STATUS, { headers: { Origin: ORIGIN } });
    const times = answer.count("access-control-allow-origin");
    if (times === 0) return unknown("web pages of other origins are refused, by --cors or by the proxy");
    const once = "Remove this field from the proxy's configuration: the server sets it";
    if (times > 1) return wrong("Access-Control-Allow-Origin is sent more than once, which browsers refuse", once);
    const headers = {
      Origin: ORIGIN,
      "Access-Control-Request-Method": "GET",
      "Access-Control-Request-Headers": "x-api-key",
    };
    const preflight = await ask(ACCESS, { method: "OPTIONS", headers });
    const allowed = (preflight.field("access-control-allow-headers") ?? "").toLowerCase();
    if (preflight.status < 300 && allowed.includes("x-api-key")) return right("web pages may send requests with a key");
    return wrong(`a preflight request gets ${preflight.status}`, "Let the proxy pass OPTIONS on, without a key");
  },
  async page({ ask }) {
    const answer = await ask("/docs");
    if (answer.status === 404) return unknown("there is none");
    const [, script = ""] = /<script type="module" src="([^"]+)"/.exec(answer.bytes.toString()) ?? [];
    if (answer.status !== 200 || script === "")
      return wrong(
        `answers with ${answer.status}, but not with the server's page`,
        "Find the program that answers /docs in place of the server",
      );
    const policy = answer.field("content-security-policy") ?? "";
    const isWhole = policy.includes("script-src 'self'") && !policy.includes("unsafe");
    if (answer.count("content-security-policy") !== 1 || !isWhole)
      return wrong(
        "its Content-Security-Policy is missing, repeated or changed",
        "Remove this field from the proxy's configuration: the server sets it",
      );
    const file = await ask(`/${script}`);
    if (file.status === 200 && /^text\/javascript/.test(file.field("content-type") ?? ""))
      return right("loads, with its policy");
    return wrong(
      `the request for its script gets ${file.status}`,
      "Let the proxy pass all paths below /docs on as they were sent",
    );
  },
  feed: withKey(feed),
};

/** Whether an answer has the error body of the contract. */
function isErrorBody(answer: Answer): boolean {
  const body = jsonOf(answer);
  return (
    body?.["status"] === answer.status &&
    ["code", "message", "timestamp", "path", "requestId"].every((name) => typeof body[name] === "string")
  );
}
