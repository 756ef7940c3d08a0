import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { fetchHandler } from "../../adapters/http/fetch_handler.ts";
import type { ApiFunction, ApiRequest } from "../../core/http/messages.ts";
import { serveFetch } from "../support/fetch_bridge.ts";
import { httpSuite } from "../support/http_suite.ts";

httpSuite("fetch handler", (api) => serveFetch(fetchHandler(api)), ["gzip"]);

function throwError(): never {
  throw new Error("thrown");
}

suite("fetch handler, in process", () => {
  async function received(request: Request): Promise<ApiRequest> {
    let seen: ApiRequest | undefined;
    const api: ApiFunction = async (given) => {
      seen = given;
      return { status: 200, headers: [], body: "" };
    };
    await fetchHandler(api)(request);
    assert.ok(seen, "no request was seen");
    return seen;
  }
  const long: ApiFunction = async () => ({ status: 200, headers: [], body: "x".repeat(5_000) });
  const gzipped = { headers: { "Accept-Encoding": "gzip" } };

  for (const [url, target, host, scheme] of [
    ["http://prices.example/api?x=1", "/api?x=1", "prices.example", "http"],
    ["https://prices.example:8443/a//b", "/a//b", "prices.example:8443", "https"],
    ["http://[::1]:81/", "/", "[::1]:81", "http"],
    ["http://prices.example", "/", "prices.example", "http"],
    ["http://prices.example?a=/b", "/?a=/b", "prices.example", "http"],
    ["chrome-extension://prices/a", "/a", "prices", "http"],
  ] as const) {
    test(`${url}: target, host and scheme come from the URL`, async () => {
      const seen = await received(new Request(url));
      assert.deepEqual([seen.target, seen.headers.get("host"), seen.scheme], [target, host, scheme]);
    });
  }

  test("a Host field overrides the URL", async () => {
    const { headers } = await received(new Request("http://inner/", { headers: { Host: "outer.example" } }));
    assert.equal(headers.get("host"), "outer.example");
  });

  test("reading an endless body ends at the limit, without waiting until the body is cancelled", async () => {
    let cancelled = false;
    const body = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(1_000)),
      cancel() {
        cancelled = true;
        return new Promise(() => undefined);
      },
    });
    const request = await received(new Request("http://h/", { method: "POST", body, duplex: "half" }));
    assert.deepEqual(await request.text(8_192), { ok: false, error: "TOO_LARGE" });
    assert.equal(cancelled, true);
  });

  const unfit: readonly (readonly [how: string, api: ApiFunction])[] = [
    ["throws", throwError],
    ["rejects", () => Promise.reject(new Error("rejected"))],
    ["answers with an invalid header field", async () => ({ status: 200, headers: ["X-Bad", "a\r\nb"], body: "" })],
    ["returns, not as a promise, an answer with an invalid status", () => ({ status: 7, headers: [], body: "" })],
  ];
  for (const [how, api] of unfit) {
    test(`an API that ${how}: a plain 500, and onError receives the error`, async () => {
      const reports: unknown[] = [];
      const response = await fetchHandler(api, { onError: (error) => reports.push(error) })(new Request("http://h/"));
      assert.deepEqual([response.status, await response.text()], [500, "Internal Server Error"]);
      assert.equal(reports.length === 1 && reports[0] instanceof Error, true);
    });
  }

  test("if onError throws or is missing, the answer is still 500", async () => {
    for (const options of [undefined, { onError: throwError }]) {
      const handle = fetchHandler(() => Promise.reject(new Error("rejected")), options);
      assert.equal((await handle(new Request("http://h/"))).status, 500);
    }
  });

  test("the answer to HEAD has no body, even if the runtime would send one", async () => {
    const response = await fetchHandler(long)(new Request("http://h/", { method: "HEAD" }));
    assert.deepEqual([response.body, response.headers.get("Content-Length")], [null, "5000"]);
  });

  test("a runtime without CompressionStream answers uncompressed", async (t) => {
    const before = globalThis.CompressionStream;
    t.after(() => Object.assign(globalThis, { CompressionStream: before }));
    Object.assign(globalThis, { CompressionStream: undefined });
    const response = await fetchHandler(long)(new Request("http://h/", gzipped));
    assert.equal(response.headers.get("Content-Encoding"), null);
    assert.equal((await response.text()).length, 5_000);
  });
});
