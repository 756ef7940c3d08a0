// Misbehaving servers, proxies and networks. Each causes one typed error before the timeout; the key does not leak.
import assert from "node:assert/strict";
import type { IncomingMessage, ServerResponse } from "node:http";
import { test } from "node:test";
import fc from "fast-check";
import { type Client, type ClientOptions, createClient, PriceError, QuotaExceeded } from "../../adapters/client/mod.ts";
import { serveListener } from "../support/serve_listener.ts";
import { runs } from "../support/suite_size.ts";

const KEY = "mz_live_secretsecretsecret";
const TIME = "2026-11-21T10:00:00.000Z";
const RECORD = {
  ...{ code: "USD_RLS", name: "USD_RLS", slug: "usd_rls", labelEn: "US Dollar / Iranian Rial", labelFa: "دلار" },
  ...{ quoteUnit: "RLS", value: 1_905_000.5, businessTime: TIME },
};
const ERROR = { code: "UNAVAILABLE", message: "later", timestamp: TIME, path: "/", requestId: "req_1" };
/** The timeout: long enough for every answer, but short enough for tests in which no answer comes. */
const SHORT_MS = 300;

type Behaviour = (response: ServerResponse, request: IncomingMessage, count: number) => void;

/** A client of a server with this behaviour; `count` numbers its requests from 1. */
async function clientOf(
  behave: Behaviour,
  options: Partial<ClientOptions> = {},
): Promise<{ client: Client; requests: () => number }> {
  let count = 0;
  const baseUrl = await serveListener((request, response) => behave(response, request, ++count));
  return { client: createClient({ baseUrl, key: KEY, retries: 0, ...options }), requests: () => count };
}

async function errorOf(promise: Promise<unknown>): Promise<PriceError> {
  const error = await promise.then(
    (value) => assert.fail(`it was answered: ${JSON.stringify(value)}`),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof PriceError, String(error));
  for (const text of [error.message, error.code, String(error.stack), String(error.cause), String(error.requestId)])
    assert.equal(text.includes(KEY), false, text);
  return error;
}

function json(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Behaviour {
  return (response) =>
    void response.writeHead(status, { "Content-Type": "application/json", ...headers }).end(JSON.stringify(body));
}

function text(status: number, body: string | Buffer, headers: Readonly<Record<string, string>> = {}): Behaviour {
  return (response) => void response.writeHead(status, { "Content-Type": "text/html", ...headers }).end(body);
}

const good = JSON.stringify(RECORD);
const half: Behaviour = (response) =>
  void response.writeHead(200, { "Content-Length": good.length }).write(good.slice(0, 60), () => response.destroy());
const INVALID = { ...ERROR, code: "API_KEY_INVALID" };
const ESCAPED = `{"code":"API_KEY_INVALID","message":"unknown key \\u006d${KEY.slice(1)}"}`;
const PAGE = "<h1>Welcome</h1>";
const bad: readonly (readonly [what: string, behave: Behaviour, code: string, status: number])[] = [
  ["a page with status 200", text(200, PAGE), "UNEXPECTED_ANSWER", 200],
  ["a body half as long as its Content-Length", half, "NETWORK_ERROR", 0],
  ["a value too large for a number", text(200, good.replace("1905000.5", "1e999")), "UNEXPECTED_ANSWER", 200],
  ["an invalid time", json(200, { ...RECORD, businessTime: "1405/08/30" }), "UNEXPECTED_ANSWER", 200],
  ["the record of another asset", json(200, { ...RECORD, code: "EUR_RLS" }), "UNEXPECTED_ANSWER", 200],
  ["429 from a proxy, which has no quota", text(429, "slow down", { "Retry-After": "3" }), "UNEXPECTED_ANSWER", 429],
  ["401 that repeats the key", json(401, { ...INVALID, message: `unknown key ${KEY}` }), "API_KEY_INVALID", 401],
  ["401 that repeats the key in an escape of JSON", text(401, ESCAPED), "API_KEY_INVALID", 401],
  ["401 whose request id is the key", json(401, INVALID, { "X-Request-Id": KEY }), "API_KEY_INVALID", 401],
  ["HTML whose request id is the key", text(200, PAGE, { "X-Request-Id": `id-${KEY}` }), "UNEXPECTED_ANSWER", 200],
  ["304 to a call without If-None-Match", (response) => void response.writeHead(304).end(), "UNEXPECTED_ANSWER", 304],
];
for (const [what, behave, code, status] of bad) {
  test(`client: ${what}: ${code}`, async () => {
    const { client, requests } = await clientOf(behave, { retries: status === 0 ? 0 : 2 });
    const error = await errorOf(client.latest("USD_RLS"));
    assert.deepEqual([error.code, error.status, error.name], [code, status, "PriceError"]);
    assert.equal(requests(), 1);
  });
}

test("client: for any JSON from a server, a call returns a value of its type or throws a PriceError", async () => {
  const scraps = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.constantFrom("USD_RLS", "1h", "2026-11-21T10:00:00Z", 1.5, null, RECORD, [RECORD], { code: "USD_RLS" }),
  );
  const names = fc.constantFrom(
    ...["code", "value", "businessTime", "interval", "candles", "assets", "status", "accessType", "latestValue"],
    ...["message", "start", "end", "open", "high", "low", "close", "attributionRequired", "__proto__"],
  );
  const members = fc.oneof(scraps, fc.array(fc.dictionary(names, scraps), { maxLength: 3 }));
  const bodies = fc.oneof(scraps, fc.dictionary(names, members, { maxKeys: 8 }), fc.array(scraps, { maxLength: 3 }));
  const statuses = fc.constantFrom(200, 200, 200, 400, 404, 429, 500);
  const fields = fc.dictionary(
    fc.constantFrom("ETag", "Retry-After", "X-RateLimit-Reset", "X-RateLimit-Remaining"),
    fc.stringMatching(/^[ -~]*$/),
  );
  await fc.assert(
    fc.asyncProperty(bodies, statuses, fields, async (body, status, headers) => {
      const answer = async (): Promise<Response> => Response.json(body, { status, headers });
      const client = createClient({ baseUrl: "http://h", key: KEY, retries: 0, fetch: answer });
      const asked = { interval: "1h", from: "2026-11-21T00:00:00Z", to: "2026-11-21T03:00:00Z" } as const;
      const history = client.history("USD_RLS", "2026-11-01", "2026-11-02");
      const prices = [client.latest("USD_RLS"), client.latestOf(), history, client.candles("USD_RLS", asked)];
      for (const call of [...prices, client.catalog(), client.status(), client.access()]) {
        const outcome: unknown = await call.catch((thrown: unknown) => thrown);
        if (outcome instanceof Error) assert.ok(outcome instanceof PriceError, String(outcome.stack));
        else assert.equal(status, 200);
      }
      const { resetsAt } = client.quota ?? { resetsAt: new Date() };
      assert.notEqual(String(resetsAt), "Invalid Date");
    }),
    { numRuns: runs(60) },
  );
});

test("client: a network failure has its cause in the message", async () => {
  const closed = new Error("connect ECONNREFUSED 127.0.0.1:1");
  // Node's error if a host name has several addresses.
  const several = Object.assign(new AggregateError([closed]), { code: "ECONNREFUSED" });
  for (const [thrown, cause] of [
    [new TypeError("fetch failed", { cause: closed }), /: connect ECONNREFUSED 127.0.0.1:1$/],
    [new TypeError("fetch failed", { cause: several }), /: ECONNREFUSED$/],
    [new TypeError("Failed to fetch"), /: TypeError: Failed to fetch$/],
    [undefined, /: undefined$/],
  ] as const) {
    const { status } = createClient({ baseUrl: "http://h", retries: 0, fetch: () => Promise.reject(thrown) });
    assert.match((await errorOf(status())).message, cause);
  }
  const { client } = await clientOf((response) => void response.destroy());
  assert.match((await errorOf(client.status())).message, /: other side closed$/);
});

for (const status of [302, 307]) {
  test(`client: a redirect with ${status} is not followed, whatever its target, and the message has no key`, async () => {
    const seen: unknown[] = [];
    const other = await serveListener((request, response) => {
      seen.push(request.headers["x-api-key"]);
      json(200, RECORD)(response, request, 1);
    });
    const location = `${other}/login?key=`;
    const move: Behaviour = (response) => void response.writeHead(status, { Location: location + KEY }).end();
    const { client, requests } = await clientOf(move, { retries: 2 });
    const error = await errorOf(client.latest("USD_RLS"));
    assert.deepEqual([error.code, error.status, requests(), seen], ["UNEXPECTED_ANSWER", status, 1, []]);
    assert.ok(error.message.endsWith(`: ${location}…`), error.message);
  });
}

test("client: an opaque redirect, as in browsers, is an unexpected answer", async () => {
  const opaque = { status: 0, type: "opaqueredirect", headers: new Headers(), body: null } as Response;
  const error = await errorOf(createClient({ baseUrl: "http://h", fetch: async () => opaque }).latest("USD_RLS"));
  assert.deepEqual([error.code, error.status], ["UNEXPECTED_ANSWER", 0]);
});

const silent: readonly (readonly [what: string, behave: Behaviour])[] = [
  ["that never answers", () => undefined],
  ["whose body never comes", (response) => void response.writeHead(200, { "Content-Length": 99 }).flushHeaders()],
  ["whose body stays incomplete", (response) => void response.writeHead(200).write(good.slice(0, 60))],
];
for (const [what, behave] of silent) {
  test(`client: a server ${what} causes TIMEOUT without a retry, and the connection is closed`, async () => {
    let closed: Promise<unknown> | undefined;
    const watched: Behaviour = (response, request, count) => {
      closed = new Promise((resolve) => response.on("close", resolve));
      behave(response, request, count);
    };
    const { client, requests } = await clientOf(watched, { timeoutMs: SHORT_MS, retries: 3 });
    const error = await errorOf(client.latest("USD_RLS"));
    assert.deepEqual([error.code, error.status], ["TIMEOUT", 0]);
    assert.ok(requests() <= 1, "a slow machine may not have connected yet");
    await closed;
  });

  test(`client: with a server ${what}, an aborted signal rejects the call with its reason`, async () => {
    const controller = new AbortController();
    const reason = { left: true };
    let arrived: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => (arrived = resolve));
    const { client } = await clientOf((response, request, count) => {
      behave(response, request, count);
      arrived();
    });
    const answer = client.latest("USD_RLS", { signal: controller.signal }).catch((thrown: unknown) => thrown);
    await asked;
    controller.abort(reason);
    assert.equal(await answer, reason);
  });
}

test("client: a fetch that ignores its signal still times out", async () => {
  const deaf = createClient({ baseUrl: "http://h", timeoutMs: SHORT_MS, fetch: () => new Promise(() => undefined) });
  assert.equal((await errorOf(deaf.latest("USD_RLS"))).code, "TIMEOUT");
});

test("client: an endless body is abandoned once it is longer than any answer, and the connection is closed", async () => {
  let closed: Promise<unknown> | undefined;
  const { client } = await clientOf((response) => {
    closed = new Promise((resolve) => response.on("close", resolve));
    const block = Buffer.alloc(1 << 20, " ");
    const pour = (): void => {
      while (!response.destroyed && response.write(block));
    };
    response.on("drain", pour);
    pour();
  });
  const error = await errorOf(client.latest("USD_RLS"));
  assert.deepEqual([error.code, error.status], ["UNEXPECTED_ANSWER", 200]);
  assert.match(error.message, /8388608/);
  await closed;
});

test("client: maxBytes limits the length of an answer", async () => {
  const latest = async (maxBytes: number): Promise<unknown> => {
    const { client } = await clientOf(json(200, { ...RECORD, labelEn: "x".repeat(2_000) }), { maxBytes });
    return client.latest("USD_RLS");
  };
  assert.match((await errorOf(latest(1_000))).message, /1000/);
  assert.equal(Object(await latest(4_000)).code, "USD_RLS");
});

test("client: a request is retried after 502 or 503, with or without an error body, until another status arrives", async () => {
  const soon = { "Retry-After": "0" };
  const answers = [text(502, "<h1>Bad</h1>", soon), text(503, "", soon), json(503, ERROR, soon), json(200, RECORD)];
  const { client, requests } = await clientOf((...asked) => answers[asked[2] - 1]!(...asked), { retries: 3 });
  assert.deepEqual(await client.latest("USD_RLS"), RECORD);
  assert.equal(requests(), 4);
});

test("client: without retries a 503 is thrown at once, with its Retry-After and request id", async () => {
  const { client, requests } = await clientOf(json(503, ERROR, { "Retry-After": "7" }));
  const { code, status, message, requestId, retryAfterSeconds } = await errorOf(client.latest("USD_RLS"));
  assert.deepEqual([code, status, message, requestId], ["UNAVAILABLE", 503, "later", "req_1"]);
  assert.deepEqual([retryAfterSeconds, requests()], [7, 1]);
});

test("client: if the server demands a wait of an hour, the next request follows after ten seconds, and never if the signal is aborted", async (context) => {
  const waits: number[] = [];
  const controller = new AbortController();
  const { setTimeout: wait } = globalThis;
  // Skips the waits before a request, but not the timers of fetch. The second wait aborts the signal.
  context.mock.method(globalThis, "setTimeout", (done: () => void, ms: number, ...args: []) => {
    const isWait = ms >= 10_000 && ms !== 30_000;
    if (isWait && waits.push(ms) === 2) controller.abort();
    return wait(done, isWait ? 0 : ms, ...args);
  });
  const late = (): Response => Response.json(ERROR, { status: 503, headers: { "Retry-After": "3600" } });
  const answers = [late(), Response.json(RECORD), late()];
  const answer = async (): Promise<Response> => answers.shift() ?? assert.fail("asked too often");
  const waiting = createClient({ baseUrl: "http://h", fetch: answer });
  assert.deepEqual(await waiting.latest("USD_RLS"), RECORD);
  assert.deepEqual(waits, [10_000]);
  await assert.rejects(waiting.latest("USD_RLS", { signal: controller.signal }), { name: "AbortError" });
});

const statedQuotas = [
  ["the moment", { "X-RateLimit-Reset": "1795305600" }, "2026-11-22T00:00:00.000Z"],
  ["seconds to wait", { "X-RateLimit-Reset": "3600" }, "2026-11-21T11:00:00.000Z"],
  ["Retry-After", { "Retry-After": "7200" }, "2026-11-21T12:00:00.000Z"],
  ["none of these", {}, "2026-11-22T00:00:00.000Z"],
] as const;
for (const [what, headers, wanted] of statedQuotas) {
  test(`client: a 429 with ${what}: throws QuotaExceeded at once, with the time of the next quota day`, async () => {
    const { client, requests } = await clientOf(json(429, { ...ERROR, code: "DAILY_LIMIT" }, headers), { retries: 3 });
    const error = await errorOf(client.latest("USD_RLS"));
    assert.ok(error instanceof QuotaExceeded, String(error));
    assert.deepEqual([error.code, error.resetsAt.toISOString(), requests()], ["DAILY_LIMIT", wanted, 1]);
  });
}

test("client: Retry-After may be a date", async () => {
  const inAnHour = new Date(Date.now() + 3_600_000).toUTCString();
  const { client } = await clientOf(json(503, ERROR, { "Retry-After": inAnHour }));
  const { retryAfterSeconds } = await errorOf(client.latest("USD_RLS"));
  assert.ok(retryAfterSeconds! > 1_800 && retryAfterSeconds! <= 3_600, String(retryAfterSeconds));
});
