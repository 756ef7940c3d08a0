import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { splitCsv } from "../../../adapters/intake/tables/split_fields.ts";
import { createLineSplitter, type SplitLine } from "../../../adapters/intake/tables/split_lines.ts";
import { joinCsv } from "../../../core/internal.ts";
import { properText } from "../../support/generators.ts";

function split(chunks: readonly (string | Uint8Array)[], maxBytes?: number): SplitLine[] {
  const splitter = createLineSplitter(maxBytes);
  return [...chunks.flatMap((chunk) => splitter.push(Buffer.from(chunk))), ...splitter.end()];
}

function texts(lines: readonly SplitLine[]): string[] {
  return lines.map((line) => ("text" in line ? line.text : `fault: ${line.fault}`));
}

type Chunks = readonly (string | Uint8Array)[];
const lineCases: readonly (readonly [rule: string, chunks: Chunks, lines: readonly string[]])[] = [
  ["an empty file has no lines", [""], []],
  ["LF ends a line", ["a\nb\n"], ["a", "b"]],
  ["CRLF ends a line", ["a\r\nb\r\n"], ["a", "b"]],
  ["CRLF may be split between chunks", ["a\r", "\nb"], ["a", "b"]],
  ["a carriage return within a line is kept", ["a\nb\rc\n"], ["a", "b\rc"]],
  ["CR alone ends lines if it ends the first line", ["a\rb\r\rc"], ["a", "b", "", "c"]],
  ["if CR ends the first line, LF and CRLF end lines, too", ["a\rb\r\nc\nd\r"], ["a", "b", "c", "d"]],
  ["if CR ends the first line, CRLF may be split between chunks", ["a\r", "b\r", "\nc", "\r", "\n"], ["a", "b", "c"]],
  ["the last line needs no line end", ["a\nb"], ["a", "b"]],
  ["blank lines count", ["a\n\n\nb\n"], ["a", "", "", "b"]],
  ["a line may span many chunks", ["a", "b", "", "c\nd"], ["abc", "d"]],
  ["a byte order mark at the start is dropped", ["\ufeffa\n"], ["a"]],
  ["a byte order mark in a later line is text", ["a\n\ufeffb\n"], ["a", "\ufeffb"]],
  [
    "the bytes of a letter may be in two chunks",
    [Buffer.from("دلار").subarray(0, 3), Buffer.from("دلار").subarray(3)],
    ["دلار"],
  ],
  [
    "a line that is not UTF-8 is a fault, and the next line is read",
    [Buffer.from([0x61, 0xff, 0x0a, 0x62])],
    ["fault: line is not UTF-8 text", "b"],
  ],
];
for (const [rule, chunks, expected] of lineCases) {
  test(`lines: ${rule}`, () => assert.deepEqual(texts(split(chunks)), expected));
}

test("lines: the longest allowed line is read; one byte more is a fault, and the next line is read", () => {
  const tooLong = "fault: line is longer than 8 bytes";
  assert.deepEqual(texts(split(["12345678\r\n123456789\n1234567890\nb"], 8)), ["12345678", tooLong, tooLong, "b"]);
  assert.deepEqual(texts(split(["1234", "5678", "\r\n", "12345", "67890", "1234", "\nb\n"], 8)), [
    "12345678",
    tooLong,
    "b",
  ]);
  assert.deepEqual(texts(split(["1234567890123"], 8)), [tooLong]);
  assert.equal(texts(split([`${"x".repeat(16_384)}\n`]))[0]?.length, 16_384);
});

test("lines: line numbers start at 1 and also count lines with faults", () => {
  const lines = split(["a\n123456789\nb"], 8);
  const numbers = lines.map(({ number }) => number);
  assert.deepEqual(numbers, [1, 2, 3]);
});

test("lines: the bytes may be split anywhere", () => {
  const text = fc.oneof(properText, fc.string({ unit: fc.constantFrom("a", "\r", "\n"), maxLength: 60 }));
  fc.assert(
    fc.property(text, fc.array(fc.nat(60)), (text, cuts) => {
      const bytes = Buffer.from(text);
      const edges = [...new Set([0, ...cuts.map((cut) => Math.min(cut, bytes.length)), bytes.length])].sort(
        (a, b) => a - b,
      );
      const chunks = edges.slice(1).map((edge, at) => bytes.subarray(edges[at], edge));
      assert.deepEqual(split(chunks, 20), split([bytes], 20));
      if (/^[^\r\n]*\r(?!\n)/.test(text) && !text.includes("\ufeff"))
        assert.deepEqual(texts(split(chunks)), text.replace(/\r\n?/g, "\n").replace(/\n$/, "").split("\n"));
    }),
  );
});

const csvCases: readonly (readonly [rule: string, text: string, fields: readonly string[] | string])[] = [
  ["blanks belong to a field", " a , b", [" a ", " b"]],
  ["a quote within a field is an ordinary character", 'a"b,c', ['a"b', "c"]],
  ["a quoted field must end", '"a,b', "OPEN_QUOTE"],
  ["a doubled quote does not end a field", '"a""', "OPEN_QUOTE"],
  ["a quoted field must be followed by a comma", '"a"b,c', "TEXT_AFTER_QUOTE"],
];
for (const [rule, text, expected] of csvCases) {
  test(`csv: ${rule}`, () => {
    const result = splitCsv(text);
    assert.deepEqual(result.ok ? result.value : result.error, expected);
  });
}

test("csv: joined fields are split into the same fields", () => {
  const field = fc.string({ unit: fc.constantFrom("a", ",", '"', "\n", "\r", " ", "ب") });
  fc.assert(
    fc.property(fc.array(field, { minLength: 1, maxLength: 5 }), (fields) => {
      assert.deepEqual(splitCsv(joinCsv(fields)), { ok: true, value: fields });
    }),
  );
});
