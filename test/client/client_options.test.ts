// The requests that a client sends, and their targets.
import assert from "node:assert/strict";
import { test } from "node:test";
import { type ClientOptions, createClient, quotaOf } from "../../adapters/client/mod.ts";

/** The requests that some calls send. */
async function sent(options: Partial<ClientOptions>): Promise<(readonly [url: string, init: RequestInit])[]> {
  const requests: (readonly [string, RequestInit])[] = [];
  const client = createClient({
    baseUrl: "http://h",
    retries: 0,
    ...options,
    async fetch(url, init) {
      requests.push([url, init]);
      return Response.json(null);
    },
  });
  const calls = [client.latest("USD_RLS"), client.catalog({ category: "FX" }), client.access(), client.status()];
  await Promise.allSettled(calls);
  return requests;
}

for (const [baseUrl, url] of [
  ["https://prices.example", "https://prices.example/api/v1/assets/USD_RLS"],
  ["http://127.0.0.1:8080/market//", "http://127.0.0.1:8080/market/api/v1/assets/USD_RLS"],
  ["https://prices.example/api/v1", "https://prices.example/api/v1/assets/USD_RLS"],
  ["https://prices.example/market/api/v1/", "https://prices.example/market/api/v1/assets/USD_RLS"],
  [new URL("https://prices.example/market/"), "https://prices.example/market/api/v1/assets/USD_RLS"],
] as const) {
  test(`client: with the base URL ${String(baseUrl)}, a call requests ${url}`, async () => {
    assert.equal((await sent({ baseUrl }))[0]![0], url);
  });
}

test("client: a base URL that is not a plain http address throws a TypeError whose message does not repeat the URL", () => {
  const withSecrets = ["https://me:secret@prices.example", "https://prices.example?api_key=secret"];
  for (const baseUrl of ["", "localhost:8080", "ftp://prices.example", "https://prices.example/#", ...withSecrets])
    assert.throws(() => createClient({ baseUrl }), { name: "TypeError", message: /^(?!.*(?:secret|example)).*http:/ });
});

test("client: the key is sent only in X-API-Key, not in a URL, and not in requests for the public status", async () => {
  const requests = await sent({ key: "secret" });
  const keys = requests.map(([, { headers }]) => (headers as Record<string, string>)["X-API-Key"]);
  assert.deepEqual(keys, ["secret", "secret", "secret", undefined]);
  for (const [url, { headers, redirect }] of requests) {
    assert.ok(!url.includes("secret"), url);
    assert.equal("Authorization" in headers!, false);
    assert.equal(redirect, "manual");
  }
  for (const [, { headers }] of await sent({})) assert.equal("X-API-Key" in headers!, false);
});

test("client: a key that is invalid in a header field throws a TypeError whose message does not repeat the key", () => {
  for (const key of ["", " ", "two words", "new\nline", "کلید", "tab\t"]) {
    const isRepeated = (text: string): boolean => key.trim() !== "" && text.includes(key);
    const isRefusal = (error: Error) => error instanceof TypeError && !isRepeated(error.message);
    assert.throws(() => createClient({ baseUrl: "http://h", key }), isRefusal, key);
  }
});

test("client: numbers outside their range are refused: RangeError", () => {
  const timeouts = [0, NaN, 2 ** 31].map((timeoutMs) => ({ timeoutMs }));
  for (const options of [...timeouts, { retries: -1 }, { retries: 0.5 }, { maxCandles: 0 }, { maxBytes: 0 }])
    assert.throws(() => createClient({ baseUrl: "http://h", ...options }), RangeError, JSON.stringify(options));
});

test("quotaOf: returns nothing for an answer without the remaining units", () => {
  assert.equal(quotaOf(new Headers()), undefined);
  assert.equal(quotaOf(new Headers({ "X-RateLimit-Remaining": "-3" })), undefined);
  const quota = quotaOf(new Headers({ "X-RateLimit-Remaining": "3", "X-RateLimit-Reset": "1795305600" }));
  assert.deepEqual(quota, { limit: undefined, remaining: 3, resetsAt: new Date("2026-11-22T00:00:00Z") });
});
