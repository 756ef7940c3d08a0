import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";
import type { ApiFunction } from "../../core/http/messages.ts";
import { type RawRequest, type Reply, sendRaw } from "./raw_http.ts";
import type { Started } from "./serve_listener.ts";

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
/** Unpacks to 64 MB. Made once, because packing takes half a second and the suite runs several times in a process. */
const BOMB = zipped(Buffer.alloc(64 << 20));

/** A request with a gzipped body. `padding` is the number of additional bytes in the gzip header. */
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
 * Tests that every HTTP adapter must pass. A stub of the core reports the request, or gives the answer for its target.
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
      const host = "prices.example:8080";
      const { method, scheme, headers } = await seen({ method: "DELETE", target: "/echo", headers: [`Host: ${host}`] });
      assert.deepEqual([method, scheme, headers["host"]], ["DELETE", "http", host]);
    });

    test("a target reaches the core as it was sent", async () => {
      const odd = ["//host/echo", "/echo//x", "/%zz/%2f%5c/echo", "/echo/%D8%B1"];
      for (const target of ["/echo?", "/echo?a=%20+b&a=c;d", "/echo?q=/../x", ...odd])
        assert.equal((await seen({ target })).target, target);
    });

    const bytes = (text: string): Uint8Array => Buffer.from(text);
    const most = "x".repeat(LIMIT);
    const read: readonly (readonly [rule: string, request: RawRequest, text: string])[] = [
      ["a body arrives as text", { body: '{"a":"ریال"}' }, '{"a":"ریال"}'],
      ["a missing body arrives as an empty text", {}, ""],
      ["a body as large as the limit is read", { body: most }, most],
      ["a chunked body is read", { chunks: [bytes("ab"), bytes("c")] }, "abc"],
      ["a chunk may end within a letter", { chunks: [bytes("ر").subarray(0, 1), bytes("ر").subarray(1)] }, "ر"],
      ["a gzipped body is unpacked", zipped('{"a":"ریال"}'), '{"a":"ریال"}'],
      ["gzip that unpacks to the limit is read", zipped(most), most],
    ];
    for (const [rule, request, value] of read) {
      test(rule, async () => {
        const { text } = await seen({ method: "POST", target: "/text", ...request });
        assert.deepEqual(text, { ok: true, value });
      });
    }

    const wrongSum = Buffer.concat([gzipSync("abc").subarray(0, -8), Buffer.alloc(8, 7)]);
    const announced = ["Content-Length: 500000000"];
    const refused: readonly (readonly [rule: string, request: RawRequest, error: string])[] = [
      ["a body above the limit", { body: `${most}x` }, "TOO_LARGE"],
      ["an announced body above the limit, before it arrives", { headers: announced }, "TOO_LARGE"],
      ["a body with more bytes, but fewer letters, than the limit", { body: "ر".repeat(LIMIT / 2 + 1) }, "TOO_LARGE"],
      ["chunks one byte above the limit", { chunks: [bytes(most), bytes("x")] }, "TOO_LARGE"],
      ["gzip that unpacks to one byte above the limit", zipped(`${most}x`), "TOO_LARGE"],
      ["gzip that unpacks to 64 MB, without unpacking all of it", BOMB, "TOO_LARGE"],
      ["a gzipped body that is longer than the limit, even if it unpacks to nothing", zipped("", LIMIT), "TOO_LARGE"],
      ["a body that is not UTF-8", { body: Uint8Array.of(0x22, 0xff, 0x22) }, "NOT_UTF8"],
      ["a body that ends within a letter", { body: bytes("aر").subarray(0, 2) }, "NOT_UTF8"],
      ["a gzipped body that is not UTF-8", zipped(Uint8Array.of(0x22, 0xff)), "NOT_UTF8"],
      ["a body that is not gzip", { headers: GZIP, body: "{}" }, "NOT_GZIP"],
      ["an empty body instead of gzip", { headers: GZIP, body: "" }, "NOT_GZIP"],
      ["gzip that is cut off", { headers: GZIP, body: gzipSync("abc").subarray(0, -3) }, "NOT_GZIP"],
      ["gzip with a wrong checksum", { headers: GZIP, body: wrongSum }, "NOT_GZIP"],
    ];
    for (const [what, request, error] of refused) {
      test(`refuses ${what}: ${error}`, async () => {
        const { text } = await seen({ method: "POST", target: "/text", ...request });
        assert.deepEqual(text, { ok: false, error });
      });
    }

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
        test(`${method} with status ${status}: no field describes a body`, async () => {
          const asked = { method, target: `/status/${status}`, headers: ["Accept-Encoding: gzip"] };
          const { headers, status: given } = await send(asked);
          assert.deepEqual([given, headers.get("etag")], [status, TAG]);
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
  const { method, target, scheme } = request;
  const fields = ["x-api-key", "authorization", "host"].map((name) => [name, request.headers.get(name) ?? null]);
  const text = path === "text" && { text: await request.text(LIMIT, coding) };
  const body = JSON.stringify({ method, target, scheme, headers: Object.fromEntries(fields), ...text });
  return { status: 200, headers, body };
};
