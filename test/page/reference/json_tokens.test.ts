import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { linesOf, tokensOf } from "../../../adapters/page/browser/reference/json_tokens.ts";

function shown(text: string): string {
  return linesOf(text).map(({ depth, tokens }) => "  ".repeat(depth) + tokens.map((token) => token.text).join("")).join("\n");
}

test("JSON colours: keys, strings, numbers, literals and signs are told apart", () => {
  const kinds = tokensOf('{"a:":[1.5e-7,"x",null],"b":{}}')?.map(({ kind, text }) => `${kind} ${text}`);
  assert.deepEqual(kinds, [
    "punctuation {", 'key "a:"', "punctuation :", "punctuation [", "number 1.5e-7", "punctuation ,", 'string "x"', "punctuation ,", "literal null", "punctuation ]",
    "punctuation ,", 'key "b"', "punctuation :", "punctuation {", "punctuation }", "punctuation }",
  ]);
});

test("JSON colours: any JSON is laid out as JSON.stringify does it, with the digits and escapes that were sent", () => {
  fc.assert(fc.property(fc.json(), (json) => {
    const tokens = tokensOf(json);
    assert.equal(JSON.stringify(JSON.parse(tokens?.map(({ text }) => text).join("") ?? "")), JSON.stringify(JSON.parse(json)));
    assert.equal(shown(JSON.stringify(JSON.parse(json))), JSON.stringify(JSON.parse(json), undefined, 2));
  }), { numRuns: 300 });
  assert.equal(shown('{"value":12345678901234567890.10,"text":"\\/\\u06f0"}'), '{\n  "value": 12345678901234567890.10,\n  "text": "\\/\\u06f0"\n}');
  assert.equal(shown(' [ 1 ,\n{"{":"}"} , [ ] ] '), '[\n  1,\n  {\n    "{": "}"\n  },\n  []\n]');
});

test("JSON colours: what is no JSON stays as it is, line by line", () => {
  for (const text of ["", "no json", '{"a":', "[1,]", "{'a':1}", "NaN", "\u0000", '"\n"']) {
    assert.equal(tokensOf(text), undefined, JSON.stringify(text));
    assert.equal(shown(text), text);
  }
  assert.equal(shown("a\r\nb"), "a\nb");
});
