import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";
import type { ApiFunction, ApiRequest } from "../../core/http/messages.ts";
import { type RawRequest, type Reply, sendRaw } from "./raw_http.ts";

/** A running adapter. */
export interface Started {
  readonly origin: string;
  close(): Promise<void>;
}

/** The stub API's report of a request. */
interface Seen {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string | null>>;
  readonly scheme: string;
  readonly text?: { ok: boolean; value?: string; error?: string };
}

const LIMIT = 8_192;
const PERSIAN = "دلار آمریکا / ریال ایران، ".repeat(60);
const TAG = '"1a.2"';
const GZIP = ["Content-Encoding: gzip"];

/** A gzipped body with this many padding bytes in its header. */
function zipped(content: string | Uint8Array, padding = 0): RawRequest {
  const packed = gzipSync(content);
  const named = Buffer.concat([
    packed.subarray(0, 3),
    Uint8Array.of(8),
    packed.subarray(4, 10),
    Buffer.alloc(padding, 65),
    Uint8Array.of(0),
    packed.subarray(10),
  ]);
  return { headers: GZIP, body: padding === 0 ? packed : named };
}

/**
 * Tests that every HTTP adapter must pass. A stub of the core reports the request, or gives the answer of its target.
 *
 * @param encodings The encodings of the adapter, in order of preference.
 */
export function httpSuite(
  name: string,
  start: (api: ApiFunction) => Promise<Started>,
  encodings: readonly ("br" | "gzip")[],
): void {
  suite(name, () => {
    let adapter: Started;
    before(async () => void (adapter = await start(stub)));
    after(() => adapter.close());

    const send = (request: RawRequest): Promise<Reply> => sendRaw(adapter.origin, request);
    const seen = async (request: RawRequest): Promise<Seen> =>
      JSON.parse((await send(request)).body.toString()) as Seen;

    for (const field of ["X-API-Key", "Authorization"]) {
      test(`both values of a repeated ${field} reach the core`, async () => {
        const { headers } = await seen({ target: "/echo", headers: [`${field}: ApiKey a`, `${field}: Bearer b`] });
        assert.equal(headers[field.toLowerCase()], "ApiKey a, Bearer b");
      });
    }

    test("method, scheme and Host reach the core", async () => {
      const { method, scheme, headers } = await seen({
        method: "DELETE",
        target: "/echo",
        headers: ["Host: prices.example:8080"],
      });
      assert.deepEqual([method, scheme, headers["host"]], ["DELETE", "http", "prices.example:8080"]);
    });

    for (const target of [
      "/echo?",
      "/echo?a=%20+b&a=c;d",
      "//host/echo",
      "/echo//x",
      "/%zz/%2f%5c/echo",
      "/echo?q=/../x",
      "/echo/%D8%B1",
    ]) {
      test(`the target ${target} reaches the core as it was sent`, async () => {
        assert.equal((await seen({ target })).target, target);
      });
    }

    const bytes = (text: string): Uint8Array => Buffer.from(text);
    const bodies: readonly (readonly [rule: string, request: RawRequest, text: Seen["text"]])[] = [
      ["a body arrives as text", { body: '{"a":"ریال"}' }, { ok: true, value: '{"a":"ریال"}' }],
      ["a missing body arrives as an empty text", {}, { ok: true, value: "" }],
      ["a body as large as the limit is read", { body: "x".repeat(LIMIT) }, { ok: true, value: "x".repeat(LIMIT) }],
      ["a body above the limit is refused", { body: "x".repeat(LIMIT + 1) }, { ok: false, error: "TOO_LARGE" }],
      ["the limit counts bytes, not letters", { body: "ر".repeat(LIMIT / 2 + 1) }, { ok: false, error: "TOO_LARGE" }],
      ["a chunked body is read", { chunks: [bytes("ab"), bytes("c")] }, { ok: true, value: "abc" }],
      [
        "a letter may be split across chunks",
        { chunks: [bytes("ر").subarray(0, 1), bytes("ر").subarray(1)] },
        { ok: true, value: "ر" },
      ],
      [
        "a chunked body one byte above the limit is refused",
        { chunks: [bytes("x".repeat(LIMIT)), bytes("x")] },
        { ok: false, error: "TOO_LARGE" },
      ],
      [
        "a body that is not UTF-8 is refused",
        { body: Uint8Array.of(0x22, 0xff, 0x22) },
        { ok: false, error: "NOT_UTF8" },
      ],
      ["a gzipped body is unpacked", zipped('{"a":"ریال"}'), { ok: true, value: '{"a":"ریال"}' }],
      ["gzip that unpacks to the limit is read", zipped("x".repeat(LIMIT)), { ok: true, value: "x".repeat(LIMIT) }],
      [
        "gzip that unpacks to one byte above the limit is refused",
        zipped("x".repeat(LIMIT + 1)),
        { ok: false, error: "TOO_LARGE" },
      ],
      [
        "gzip that unpacks to 64 MB is refused without being unpacked whole",
        zipped(Buffer.alloc(64 << 20)),
        { ok: false, error: "TOO_LARGE" },
      ],
      [
        "a gzipped body above the limit is refused, whatever it contains",
        zipped("", LIMIT),
        { ok: false, error: "TOO_LARGE" },
      ],
      [
        "a gzipped body that is not UTF-8 is refused",
        zipped(Uint8Array.of(0x22, 0xff)),
        { ok: false, error: "NOT_UTF8" },
      ],
      ["a body that is not gzip is refused", { headers: GZIP, body: "{}" }, { ok: false, error: "NOT_GZIP" }],
      ["an empty body is not gzip", { headers: GZIP, body: "" }, { ok: false, error: "NOT_GZIP" }],
      [
        "gzip that is cut off is refused",
        { headers: GZIP, body: gzipSync("abc").subarray(0, -3) },
        { ok: false, error: "NOT_GZIP" },
      ],
      [
        "gzip with a wrong checksum is refused",
        { headers: GZIP, body: Buffer.concat([gzipSync("abc").subarray(0, -8), Buffer.alloc(8, 7)]) },
        { ok: false, error: "NOT_GZIP" },
      ],
      [
        "a body that ends within a letter is refused",
        { body: bytes("aر").subarray(0, 2) },
        { ok: false, error: "NOT_UTF8" },
      ],
    ];
    for (const [rule, request, text] of bodies) {
      test(rule, async () =>
        assert.deepEqual((await seen({ method: "POST", target: "/text", ...request })).text, text),
      );
    }

    test("an announced body above the limit is refused before it arrives", async () => {
      const reply = await send({ method: "POST", target: "/text", headers: ["Content-Length: 500000000"] });
      assert.deepEqual((JSON.parse(reply.body.toString()) as Seen).text, { ok: false, error: "TOO_LARGE" });
    });

    const decoders = { br: brotliDecompressSync, gzip: gunzipSync };
    for (const encoding of encodings) {
      test(`Persian text survives ${encoding}, and has an entity tag of its own`, async () => {
        const reply = await send({ target: "/persian", headers: [`Accept-Encoding: ${encoding}`] });
        assert.equal(reply.headers.get("content-encoding"), encoding);
        assert.equal(reply.headers.get("etag"), `"1a.2-${encoding}"`);
        assert.equal(decoders[encoding](reply.body).toString(), PERSIAN);
      });
    }

    const accepted: readonly (readonly [accept: string[], encoding: string | undefined])[] = [
      [[], undefined],
      [["Accept-Encoding: identity"], undefined],
      [["Accept-Encoding: gzip;q=0"], undefined],
      [["Accept-Encoding: gzip, deflate, br"], encodings[0]],
      [["Accept-Encoding: br;q=0.5, gzip;q=0.8"], "gzip"],
      [["Accept-Encoding: deflate", "Accept-Encoding: gzip"], "gzip"],
    ];
    for (const [headers, encoding] of accepted) {
      test(`${headers.join(" and ") || "no Accept-Encoding"}: ${encoding ?? "plain"}`, async () => {
        const reply = await send({ target: "/persian", headers });
        assert.equal(reply.headers.get("content-encoding"), encoding);
        assert.equal(reply.headers.get("vary"), "Accept-Encoding");
        if (!encoding) assert.deepEqual([reply.body.toString(), reply.headers.get("etag")], [PERSIAN, TAG]);
      });
    }

    test("1024 bytes are sent plain, 1025 compressed", async () => {
      const headers = ["Accept-Encoding: gzip"];
      assert.equal((await send({ target: "/length/1024", headers })).headers.get("content-encoding"), undefined);
      assert.equal((await send({ target: "/length/1025", headers })).headers.get("content-encoding"), "gzip");
    });

    for (const target of ["/length/10", "/length/2000", "/persian"]) {
      for (const accept of ["identity", "gzip"]) {
        test(`HEAD ${target}, ${accept}: the same fields as GET, including the length, and no body`, async () => {
          const headers = [`Accept-Encoding: ${accept}`];
          const get = await send({ target, headers });
          const head = await send({ method: "HEAD", target, headers });
          assert.equal(head.headers.get("content-length"), String(get.body.length));
          for (const field of ["content-type", "content-encoding", "etag", "vary"]) {
            assert.equal(head.headers.get(field), get.headers.get(field), field);
          }
        });
      }
    }

    for (const status of [204, 304]) {
      for (const method of ["GET", "HEAD"]) {
        test(`${method}, ${status}: no field describes a body`, async () => {
          const { headers, ...reply } = await send({
            method,
            target: `/status/${status}`,
            headers: ["Accept-Encoding: gzip"],
          });
          assert.equal(reply.status, status);
          assert.equal(headers.get("etag"), TAG);
          for (const field of ["content-type", "content-length", "content-encoding", "transfer-encoding"]) {
            assert.equal(headers.get(field), undefined, field);
          }
        });
      }
    }
  });
}

const stub: ApiFunction = async (request) => {
  const [, path, argument] = /(status|length|persian|text)(?:\/(\d+))?/.exec(request.target) ?? [];
  const headers = ["Content-Type", "text/plain; charset=utf-8", "ETag", TAG];
  if (path === "persian") return { status: 200, headers, body: PERSIAN };
  if (path === "length") return { status: 200, headers, body: "x".repeat(Number(argument)) };
  if (path === "status") return { status: Number(argument), headers, body: "" };
  const coding = request.headers.get("content-encoding") === "gzip" ? "gzip" : undefined;
  return {
    status: 200,
    headers,
    body: JSON.stringify({
      ...describeRequest(request),
      ...(path === "text" && { text: await request.text(LIMIT, coding) }),
    }),
  };
};

function describeRequest({ method, target, headers, scheme }: ApiRequest): object {
  const fields = ["x-api-key", "authorization", "host"].map((name) => [name, headers.get(name) ?? null]);
  return { method, target, headers: Object.fromEntries(fields), scheme };
}
