import { gunzipSync } from "node:zlib";
import { type Answer, jsonOf, type Probe } from "./http_probe.ts";

/** What a check has found: right, wrong with what to do, or cannot be found out from here. */
export interface CheckResult {
  readonly is: "right" | "wrong" | "unknown";
  readonly found: string;
  readonly todo?: string;
}

/** What checks look at. */
export type Patient = {
  readonly ask: Probe;
  readonly url: URL;
  readonly key: string | undefined;
  readonly now: () => number;
};

const STATUS = "/api/v1/status";
const ACCESS = "/api/v1/access";
const CATALOG = "/api/v1/assets/supported";
const MAX_CLOCK_MS = 30_000;
const DAY_MS = 86_400_000;
const MIN_CERTIFICATE_MS = 14 * DAY_MS;
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;
const ORIGIN = "https://doctor.example";

const right = (found: string): CheckResult => ({ is: "right", found });
const wrong = (found: string, todo: string): CheckResult => ({ is: "wrong", found, todo });
const unknown = (found: string): CheckResult => ({ is: "unknown", found });
const NO_KEY = unknown("needs a key: --key, or MAZANEH_KEY");

/** Looks at what a proxy or a setting can spoil, by name, in the order in which they are taken and shown. With a key they cost at most four units. */
export const CHECKS: Readonly<Record<string, (patient: Patient) => Promise<CheckResult>>> = {
  transport,
  clock,
  scheme,
  "error bodies": errorBodies,
  "large bodies": largeBodies,
  "key in X-API-Key": (patient) => keyIn(patient, "X-API-Key", patient.key ?? ""),
  "key in Authorization": (patient) => keyIn(patient, "Authorization", `ApiKey ${patient.key}`),
  "quota fields": quotaFields,
  "ETag and 304": revalidation,
  caches,
  compression,
  CORS: cors,
  page,
  feed,
};

async function transport({ ask, url, now }: Patient): Promise<CheckResult> {
  const { certificateEnds: ends } = await ask(STATUS);
  if (ends === undefined) {
    if (LOOPBACK.test(url.hostname)) return right("without TLS, on this machine");
    return wrong(
      "without TLS, so that keys travel in clear text",
      "Put a proxy with TLS in front of the server, and use its https:// address",
    );
  }
  const days = Math.floor((ends - now()) / DAY_MS);
  if (ends - now() < MIN_CERTIFICATE_MS)
    return wrong(
      `the certificate ends in ${days} days`,
      "See why it is not renewed: certbot renew, or the log of Caddy",
    );
  return right(`TLS, the certificate ends in ${days} days`);
}

async function clock({ ask, now }: Patient): Promise<CheckResult> {
  const [before, answer, after] = [now(), await ask(STATUS), now()];
  const serverTime = Date.parse(String(jsonOf(answer)?.["serverTime"]));
  let off = 0;
  if (serverTime < before - MAX_CLOCK_MS) off = serverTime - before;
  else if (serverTime > after + MAX_CLOCK_MS) off = serverTime - after;
  if (off === 0) return right("that of the server is that of this machine");
  const seconds = Math.round(Math.abs(off) / 1_000);
  return wrong(
    `that of the server is ${seconds} seconds ${off > 0 ? "ahead of" : "behind"} that of this machine`,
    "Set the wrong one, with NTP; a status answer that comes out of a cache looks like this, too",
  );
}

async function scheme({ ask, url }: Patient): Promise<CheckResult> {
  const documentation = String(jsonOf(await ask(STATUS))?.["documentationUrl"]);
  if (!URL.canParse(documentation) || new URL(documentation).hostname !== url.hostname)
    return unknown(`the documentation is at ${documentation}`);
  if (new URL(documentation).protocol === url.protocol) return right("the server knows the address that clients use");
  return wrong(
    `the server takes ${url.protocol}// for ${new URL(documentation).protocol}//`,
    "Let the proxy set X-Forwarded-Proto, and start the server with --behind-proxy",
  );
}

/** Whether an answer is an error of the contract's shape. */
function isErrorBody(answer: Answer): boolean {
  const body = jsonOf(answer);
  return (
    body?.["status"] === answer.status &&
    ["code", "message", "timestamp", "path", "requestId"].every((name) => typeof body[name] === "string")
  );
}

async function errorBodies({ ask }: Patient): Promise<CheckResult> {
  const answers = [
    await ask("/api/v1/doctor"),
    await ask(ACCESS),
    await ask(STATUS, { method: "DELETE" }),
    await ask(ACCESS, { headers: { "X-API-Key": "mz_live_none" } }),
  ];
  const wanted = [
    [404, "ROUTE_NOT_FOUND"],
    [401, "API_KEY_MISSING"],
    [405, "METHOD_NOT_ALLOWED"],
    [401, "API_KEY_INVALID"],
  ] as const;
  const ids = new Set(answers.map((answer) => answer.field("x-request-id")));
  const todo =
    "Let the proxy pass errors on as they are: no error pages of its own for answers of the server (nginx: proxy_intercept_errors off)";
  for (const [at, [status, code]] of wanted.entries()) {
    const answer = answers[at]!;
    if (answer.status === status && !isErrorBody(answer))
      return wrong(`an error ${status} came without the error body of the API`, todo);
    if (jsonOf(answer)?.["code"] !== code)
      return wrong(
        `${status} ${code} was wanted, ${answer.status} came`,
        "See what answers in place of the server, or adds a key to requests",
      );
  }
  if (ids.size < answers.length)
    return wrong(
      "X-Request-Id is missing or repeats",
      "Let the proxy pass X-Request-Id of answers on, and cache no errors",
    );
  return right("come as the server writes them, each with its request id");
}

async function largeBodies({ ask }: Patient): Promise<CheckResult> {
  const headers = { "Content-Type": "application/json" };
  const answer = await ask("/api/v1/assets/USD_RLS", {
    method: "POST",
    headers,
    body: JSON.stringify({ fromDate: "x".repeat(100_000) }),
  }).catch(() => undefined);
  if (answer === undefined) return right("are cut off");
  if (isErrorBody(answer)) return right(`get ${answer.status} with the error body of the API`);
  return wrong(
    `get ${answer.status} without the error body of the API`,
    "Give the proxy's own errors this body; fixtures/deploy has it for nginx and Caddy",
  );
}

async function keyIn({ ask, key }: Patient, name: string, value: string): Promise<CheckResult> {
  if (key === undefined) return NO_KEY;
  const answer = await ask(ACCESS, { headers: { [name]: value } });
  const code = jsonOf(answer)?.["code"];
  if (answer.status === 200) return right("arrives");
  if (code === "API_KEY_MISSING")
    return wrong(`does not arrive: the proxy drops ${name}`, `Let the proxy pass ${name} on`);
  if (answer.status === 403) return right("arrives; its account may not read");
  return wrong(
    `is refused with ${answer.status} ${String(code ?? "")}`,
    "See whether the key is right: mazaneh keys list",
  );
}

async function quotaFields({ ask, key }: Patient): Promise<CheckResult> {
  if (key === undefined) return NO_KEY;
  const answer = await ask(ACCESS, { headers: { "X-API-Key": key } });
  if (answer.status !== 200) return unknown("the key is refused");
  const missing = [
    "ratelimit",
    "ratelimit-policy",
    "x-ratelimit-limit",
    "x-ratelimit-remaining",
    "x-ratelimit-reset",
  ].filter((name) => answer.count(name) !== 1);
  if (missing.length === 0)
    return right(`tell ${answer.field("x-ratelimit-remaining")} units left of ${answer.field("x-ratelimit-limit")}`);
  if (missing.length === 5) return unknown("are missing: a plan without a limit has none, or the proxy drops them");
  return wrong(`are missing or repeat: ${missing.join(", ")}`, "Let the proxy pass them on, and set none of its own");
}

/** The catalog as the holder of the key gets it, in the state of the first answer. */
async function revalidation({ ask, key }: Patient): Promise<CheckResult> {
  const [path, headers] = key === undefined ? ["/openapi.json", {}] : [CATALOG, { "X-API-Key": key }];
  const first = await ask(path, { headers: { ...headers, "Accept-Encoding": "gzip" } });
  if (first.status !== 200) return unknown(`${path} answers with ${first.status}`);
  const tag = first.field("etag");
  if (tag === undefined) return wrong("answers have no ETag", "Let the proxy pass ETag on");
  if (tag.startsWith("W/"))
    return wrong(
      "ETags are weak: the proxy compresses or changes answers",
      "Switch compression off in the proxy (nginx: gzip off): the server does it",
    );
  const second = await ask(path, { headers: { ...headers, "Accept-Encoding": "gzip", "If-None-Match": tag } });
  if (second.status === 304) return right("an answer that the client has is not sent again");
  return wrong(`the same tag got ${second.status} in place of 304`, "Let the proxy pass If-None-Match on");
}

async function caches({ ask, key }: Patient): Promise<CheckResult> {
  if (key === undefined) return NO_KEY;
  const own = await ask(CATALOG, { headers: { "X-API-Key": key } });
  const stranger = await ask(CATALOG);
  const todo =
    "Switch the cache of the proxy or the CDN off for /api/: it must neither answer for the server nor change Cache-Control and Vary";
  if (stranger.status === 200) return wrong("a stranger without a key gets what a key has paid for", todo);
  if (own.status !== 200) return unknown(`the catalog answers with ${own.status}`);
  if (own.field("age") !== undefined || own.field("cache-control") !== "private, no-cache")
    return wrong("answers to a key are kept, or may be", todo);
  const vary = (own.field("vary") ?? "").toLowerCase().split(/, */);
  if (!["x-api-key", "authorization", "accept-encoding"].every((name) => vary.includes(name)))
    return wrong("Vary does not name the fields of the key", todo);
  return right("keep no answer to a key");
}

async function compression({ ask }: Patient): Promise<CheckResult> {
  const [packed, plain] = [
    await ask("/openapi.json", { headers: { "Accept-Encoding": "gzip" } }),
    await ask("/openapi.json"),
  ];
  if (plain.status !== 200) return unknown("there is no /openapi.json to try it with");
  if (plain.field("content-encoding") !== undefined)
    return wrong(
      "a client that takes none gets a compressed answer",
      "Let the proxy pass Accept-Encoding on, and cache nothing",
    );
  if (packed.field("content-encoding") !== "gzip")
    return wrong("a client that takes gzip gets the answer uncompressed", "Let the proxy pass Accept-Encoding on");
  if (!unpacked(packed).equals(plain.bytes))
    return wrong("unpacked, the answer is another one", "See what changes answers on their way");
  return right(`${Math.round((100 * packed.bytes.length) / plain.bytes.length)} % of the bytes`);
}

function unpacked({ bytes }: Answer): Buffer {
  try {
    return gunzipSync(bytes, { maxOutputLength: 16 << 20 });
  } catch {
    return Buffer.alloc(0);
  }
}

async function cors({ ask }: Patient): Promise<CheckResult> {
  const answer = await ask(STATUS, { headers: { Origin: ORIGIN } });
  const times = answer.count("access-control-allow-origin");
  if (times === 0) return unknown("web pages of other origins are not let in, by --cors-origin or by the proxy");
  if (times > 1)
    return wrong(
      "Access-Control-Allow-Origin is there twice, which browsers refuse",
      "Remove the field of the proxy: the server sets it",
    );
  const headers = {
    Origin: ORIGIN,
    "Access-Control-Request-Method": "GET",
    "Access-Control-Request-Headers": "x-api-key",
  };
  const preflight = await ask(ACCESS, { method: "OPTIONS", headers });
  const allowed = (preflight.field("access-control-allow-headers") ?? "").toLowerCase();
  if (preflight.status < 300 && allowed.includes("x-api-key")) return right("web pages may call with a key");
  return wrong(
    `the question before a call with a key gets ${preflight.status}`,
    "Let the proxy pass OPTIONS on, without a key",
  );
}

async function page({ ask }: Patient): Promise<CheckResult> {
  const answer = await ask("/docs");
  if (answer.status === 404) return unknown("there is none");
  const html = answer.bytes.toString();
  const [, script = ""] = /<script type="module" src="([^"]+)"/.exec(html) ?? [];
  if (answer.status !== 200 || script === "")
    return wrong(
      `answers with ${answer.status}, and is not that of the server`,
      "See what answers /docs in place of the server",
    );
  const policy = answer.field("content-security-policy") ?? "";
  if (
    answer.count("content-security-policy") !== 1 ||
    !policy.includes("script-src 'self'") ||
    policy.includes("unsafe")
  ) {
    return wrong(
      "its Content-Security-Policy is missing, there twice or another one",
      "Remove the field of the proxy: the server sets it",
    );
  }
  const file = await ask(`/${script}`);
  const isScript = file.status === 200 && /^text\/javascript/.test(file.field("content-type") ?? "");
  if (!isScript)
    return wrong(
      `its script answers with ${file.status}`,
      "Let the proxy pass all paths below /docs on as they were sent",
    );
  return right("loads, with its policy");
}

async function feed({ ask, key, now }: Patient): Promise<CheckResult> {
  if (key === undefined) return NO_KEY;
  const answer = await ask(CATALOG, { headers: { "X-API-Key": key } });
  const assets = jsonOf(answer)?.["assets"];
  if (!Array.isArray(assets)) return unknown(`the catalog answers with ${answer.status}`);
  const known = (assets as readonly { readonly businessTime: string | null; readonly stale: boolean }[]).filter(
    ({ businessTime }) => businessTime !== null,
  );
  if (known.length === 0) return wrong("no asset has a record", "mazaneh import brings prices in");
  const fresh = known.filter(({ stale }) => !stale).length;
  const minutes = Math.max(
    0,
    Math.round((now() - Math.max(...known.map(({ businessTime }) => Date.parse(businessTime!)))) / 60_000),
  );
  const found = `${fresh} of ${known.length} assets with records are fresh, the newest record is ${minutes} minutes old`;
  return fresh > 0
    ? right(found)
    : wrong(found, "See why no new prices come: mazaneh status, and the log of what brings them");
}
