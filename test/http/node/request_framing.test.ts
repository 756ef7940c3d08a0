import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { assertRefusal, plain, startCounted } from "../../support/node_stub.ts";
import { rawRequest } from "../../support/raw_http.ts";

const H = "Host: a\r\n";
const POST = `POST / HTTP/1.1\r\n${H}`;

suite("node server: ambiguous requests", () => {
  const lines = (count: number): string => Array.from({ length: count }, (_, i) => `X-${i}: 1\r\n`).join("");
  // Node 22 and later refuse these requests themselves, before they have read the target.
  const KEEPS_ALL_LINES = process.versions.node.startsWith("20.");
  const TOO_LARGE = [431, "HEADERS_TOO_LARGE"] as const;
  const BAD = [400, "INVALID_REQUEST"] as const;
  const gated: readonly (readonly [what: string, bytes: string, refusal?: readonly [number, string], path?: string])[] =
    [
      // Node rejects the next two requests, too, but only after it has passed them to a handler, which answers them.
      ["Transfer-Encoding: xchunked", `POST /a?x HTTP/1.1\r\n${H}Transfer-Encoding: xchunked\r\n\r\n`],
      ["Transfer-Encoding: identity", `POST /a HTTP/1.1\r\n${H}Transfer-Encoding: identity\r\n\r\n`],
      ["gzip, chunked", `POST /a HTTP/1.1\r\n${H}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`],
      ["chunked in HTTP/1.0", `POST /a HTTP/1.0\r\n${H}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
      ["two Hosts", `GET /a HTTP/1.1\r\n${H}host: b\r\n\r\n`],
      ["the same Host twice, HTTP/1.0", `GET /a HTTP/1.0\r\n${H}${H}\r\n`],
      ["no Host", "GET /a HTTP/1.1\r\n\r\n"],
      ["an invalid Host", "GET /a HTTP/1.1\r\nHost: a/<b>@c\r\n\r\n"],
      ["HTTP/0.9", "GET /a\r\n\r\n"],
      ["CONNECT", `CONNECT a:443 HTTP/1.1\r\n${H}\r\n`, BAD, ""],
      ["HTTP/0.9, written out", `GET /a HTTP/0.9\r\n${H}\r\n`],
      ["another expectation", `POST /a HTTP/1.1\r\n${H}Expect: foo\r\nContent-Length: 2\r\n\r\n{}`],
      ["65 header lines", `GET /a HTTP/1.1\r\n${H}${lines(64)}\r\n`, TOO_LARGE],
      [
        "1,200 header lines",
        `GET /a HTTP/1.1\r\n${H}${"a:\r\n".repeat(1_199)}\r\n`,
        TOO_LARGE,
        KEEPS_ALL_LINES ? "/a" : "",
      ],
    ];
  // Requests that Node's own parser must refuse, because the server does not check for them.
  const parsed: readonly (readonly [what: string, bytes: string, refusal?: readonly [number, string]])[] = [
    ["Content-Length and Transfer-Encoding", `${POST}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ["two Content-Lengths", `${POST}Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}`],
    ["a list of Content-Lengths", `${POST}Content-Length: 2, 2\r\n\r\n{}`],
    ["a signed Content-Length", `${POST}Content-Length: +2\r\n\r\n{}`],
    ["a negative Content-Length", `${POST}Content-Length: -2\r\n\r\n{}`],
    ["a Content-Length beyond 64 bits", `${POST}Content-Length: 99999999999999999999\r\n\r\n{}`],
    ["a blank before the colon", `${POST}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n`],
    ["chunked, identity", `${POST}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`],
    ["two Transfer-Encodings", `${POST}Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n`],
    ["chunked twice", `${POST}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ["a blank before the first field", `GET / HTTP/1.1\r\n ${H}\r\n`],
    ["a folded field", `GET / HTTP/1.1\r\n${H}X-A: b\r\n c\r\n\r\n`],
    ["a bare CR", `GET / HTTP/1.1\r\n${H}X-A: b\rX-B: c\r\n\r\n`],
    ["bare LF", "GET / HTTP/1.1\nHost: a\n\n"],
    ["a control byte", `GET / HTTP/1.1\r\n${H}X-A: \x01\r\n\r\n`],
    ["HTTP/1.2", `GET / HTTP/1.2\r\n${H}\r\n`],
    ["the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
    ["an unknown method", `BREW / HTTP/1.1\r\n${H}\r\n`],
    ["a lower-case method", `get / HTTP/1.1\r\n${H}\r\n`],
    ["a blank in the path", `GET /a b HTTP/1.1\r\n${H}\r\n`],
    ["a raw byte above 127 in the path", `GET /\xd8\xb1 HTTP/1.1\r\n${H}\r\n`],
    ["noise", "\x16\x03\x01\x02\x00\x01\r\n\r\n"],
    ["more than 8 KB of fields", `GET / HTTP/1.1\r\n${H}X-A: ${"x".repeat(9_000)}\r\n\r\n`, TOO_LARGE],
  ];
  const all = [...gated, ...parsed.map(([what, bytes, refusal]) => [what, bytes, refusal, ""] as const)];
  test("each malformed request is refused with an error body, never reaches the core, and its connection is closed", async (t) => {
    const { seen, connect } = await startCounted(t);
    for (const [what, bytes, [status, code] = BAD, path = "/a"] of all) {
      await t.test(`${what}: ${status}`, async () => {
        const connection = connect();
        connection.send(Buffer.from(bytes, "latin1"));
        const reply = await connection.reply();
        assertRefusal(reply, status, code, { path });
        assert.equal(reply.headers.get("connection"), "close");
        assert.equal(await connection.rest(), "");
        assert.deepEqual(seen, []);
      });
    }
  });

  const fine: readonly (readonly [what: string, bytes: string])[] = [
    ["HTTP/1.0 without Host", "GET /a HTTP/1.0\r\n\r\n"],
    ["an empty Host", "GET /a HTTP/1.1\r\nHost:\r\n\r\n"],
    ["an address as Host", "GET /a HTTP/1.1\r\nHost: [::1]:8080\r\n\r\n"],
    ["64 header lines", `GET /a HTTP/1.1\r\n${H}${lines(63)}\r\n`],
    ["Transfer-Encoding: Chunked", `POST /a HTTP/1.1\r\n${H}Transfer-Encoding: Chunked\r\n\r\n0\r\n\r\n`],
    ["a request to switch protocols", `GET /a HTTP/1.1\r\n${H}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`],
    ["TRACE, which the core refuses", `TRACE /a HTTP/1.1\r\n${H}\r\n`],
  ];
  test("others are served", async (t) => {
    const { connect } = await startCounted(t);
    for (const [what, bytes] of fine) {
      const connection = connect();
      connection.send(bytes);
      assert.equal((await connection.reply()).status, 200, what);
    }
  });
});

test("node server: after Expect: 100-continue, the body is requested and read", async (t) => {
  const { connect } = await startCounted(t, async (request) => plain(JSON.stringify(await request.text(8_192))));
  const connection = connect();
  connection.send(rawRequest({ method: "POST", headers: ["Expect: 100-continue", "Content-Length: 2"] }));
  assert.equal((await connection.reply()).status, 100);
  connection.send("{}");
  assert.match((await connection.reply()).body.toString(), /"value":"\{\}"/);
});
