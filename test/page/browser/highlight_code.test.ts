// Code is split into coloured pieces, and stays unchanged.
import assert from "node:assert/strict";
import { test } from "node:test";
import { piecesOf } from "../../../adapters/page/browser/docs/highlight_code.ts";

const CASES = [
  [
    "JSON",
    '{\n  "code": "USD_RLS",\n  "value": -1905000.5\n}',
    ['key "code"', 'string "USD_RLS"', 'key "value"', "number -1905000.5"],
  ],
  ["a text with a quote in it", '["a \\" b: ", 1]', ['string "a \\" b: "', "number 1"]],
  [
    "curl",
    "curl 'http://a/?from=2026-11-16' \\\n  -H \"X-API-Key: $KEY\"",
    ["string 'http://a/?from=2026-11-16'", 'string "X-API-Key: $KEY"'],
  ],
  ["an address without quotes", "curl http://127.0.0.1:80/a \\", ["string http://127.0.0.1:80/a"]],
  ["header fields", "X-API-Key: 1905\nDate: Mon, 14:55:30", ["key X-API-Key", "number 1905", "key Date"]],
  [
    "JavaScript",
    "const a1 = `b ${c}`; // 5 more\n86_400_000;",
    ["string `b ${c}`", "dim // 5 more", "number 86_400_000"],
  ],
  ["PHP", "    'ignore_errors' => true, // it's", ["string 'ignore_errors'", "number true", "dim // it's"]],
  ["Python", 'print(a[0], a.b2) # "c"', ["number 0", 'dim # "c"']],
  ["CSV", "USD_RLS,2026-11-16T00:00:00.000Z,1905", ["number 1905"]],
] as const;
test("code: names, strings, numbers and comments are coloured, and the code is unchanged", () => {
  for (const [name, code, coloured] of CASES) {
    const pieces = piecesOf(code);
    const found = pieces.filter(([, kind]) => kind).map(([piece, kind]) => `${kind} ${piece}`);
    assert.deepEqual(found, coloured, name);
    assert.equal(pieces.map(([piece]) => piece).join(""), code);
  }
});

test("code: a megabyte of any text stays unchanged, in a bounded number of pieces", () => {
  const parts = [...'"`-1a \n', '\\"', "'\\", "1_", "a-", '"a":1,\n', "// ", "https://", '"'.repeat(299), "😀\ud83d"];
  for (const part of parts) {
    const repeated = (length: number): string => part.repeat(length / part.length);
    for (const code of [repeated(1_000_000), `${repeated(29_000)}\n${repeated(60_000)}`]) {
      const pieces = piecesOf(code);
      assert.equal(pieces.map(([piece]) => piece).join("") === code, true, JSON.stringify(part));
      assert.ok(pieces.length <= 30_001, `${pieces.length} pieces`);
    }
  }
});
