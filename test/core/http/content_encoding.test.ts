import assert from "node:assert/strict";
import { test } from "node:test";
import { chooseEncoding, encodedEtag, represent } from "../../../core/http/content_encoding.ts";
import { valueOf } from "../../../core/http/headers.ts";

const cases: readonly (readonly [accept: string | undefined, encoding: "br" | "gzip" | undefined])[] = [
  [undefined, undefined],
  ["", undefined],
  ["gzip", "gzip"],
  ["gzip, deflate, br, zstd", "br"],
  ["gzip;q=1.0, br;q=0.9", "gzip"],
  ["gzip ; q=0.5,br; Q=0.6", "br"],
  ["br;q=0, gzip", "gzip"],
  ["*", "br"],
  ["br;q=0, *", "gzip"],
  ["identity, gzip", "gzip"],
  ["identity, gzip;q=0.9", undefined],
  ["identity;q=0.5, gzip;q=0.9, br;q=0.4", "gzip"],
  ["deflate, zstd", undefined],
  ["gzip;q=2, br;q=x", undefined],
  [",,gzip,,", "gzip"],
];
test("content negotiation: of the offered codings, the accepted one with the highest weight is chosen", () => {
  for (const [accept, encoding] of cases) assert.equal(chooseEncoding(accept, ["br", "gzip"]), encoding, accept);
  assert.equal(chooseEncoding("br, gzip;q=0.1", ["gzip"]), "gzip");
  assert.equal(chooseEncoding("br", []), undefined);
});

test("content negotiation: the entity tag of an encoded body names its coding", () => {
  for (const [etag, tagged] of [
    ['"1a.2"', '"1a.2-gzip"'],
    ['"1a.2-fa"', '"1a.2-fa-gzip"'],
    ['W/"1a.2"', 'W/"1a.2"'],
  ] as const)
    assert.equal(encodedEtag(etag, "gzip"), tagged);
});

test("content negotiation: Vary has Accept-Encoding once a body is long enough to be encoded", () => {
  for (const [vary, complete] of [
    [undefined, "Accept-Encoding"],
    ["X-API-Key, Authorization", "X-API-Key, Authorization, Accept-Encoding"],
    ["X-API-Key, accept-encoding, Origin", "X-API-Key, accept-encoding, Origin"],
    ["*", "*"],
  ] as const) {
    const answer = { status: 200, headers: vary === undefined ? [] : ["Vary", vary] };
    const varyOf = (bytes: number, accepted = ""): string | undefined => {
      const headers = new Map([["accept-encoding", accepted]]);
      return valueOf(represent({ headers }, answer, { bytes, offered: ["gzip"] }).headers, "vary");
    };
    assert.deepEqual([varyOf(1_025), varyOf(1_025, "gzip"), varyOf(1_024)], [complete, complete, vary]);
  }
});
