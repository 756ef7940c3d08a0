import assert from "node:assert/strict";
import { test } from "node:test";
import { unreadInWords } from "../../../adapters/cli/import/import_answers.ts";
import type { ParsedRecord } from "../../../adapters/intake/tables/record_columns.ts";
import { createRecordReader } from "../../../adapters/intake/tables/record_reader.ts";
import { formats } from "../../support/import_formats.ts";
import { runs } from "../../support/suite_size.ts";

interface Read {
  readonly entries: readonly ParsedRecord[];
  readonly failure: string | undefined;
  readonly ignored: readonly string[];
}

function read(text: string): Read {
  const reader = createRecordReader(formats());
  const entries = [...reader.push(Buffer.from(text)), ...reader.end()];
  const { failure, ignored } = reader.facts;
  return { entries, failure: failure && unreadInWords(failure), ignored };
}

/** Each entry as a line: its number, then the record's values or the reason. */
function brief(text: string): string[] {
  return read(text).entries.map((entry) => {
    return `${entry.line} ${"record" in entry ? Object.values(entry.record).join("|") : `refused: ${entry.reason}`}`;
  });
}

const HEADER = "code,value,businessTime";

const open = "refused: a quoted field does not end";
const rows: readonly (readonly [rule: string, text: string, entries: readonly string[]])[] = [
  [
    "columns may be in any order, with blanks around their names, quoted or not",
    ' businessTime ,"value",provider, code\nT,1,P,C\n',
    ["2 T|1|P|C"],
  ],
  [
    "blank lines, even before the header, are skipped but count as lines",
    `\n\r\n${HEADER}\r\n\r\nC,1,T\r\n  \r\nC,2,T`,
    ["5 C|1|T", "7 C|2|T"],
  ],
  [
    "many blank lines before the header do not hide the lines that show the format",
    `${"\n".repeat(500)}${HEADER}\nC,1,T\n`,
    ["502 C|1|T"],
  ],
  ["a repeated header, as in joined files, is skipped", `${HEADER}\nC,1,T\n${HEADER}\nC,2,T\n`, ["2 C|1|T", "4 C|2|T"]],
  [
    "a line with too few or too many fields is refused, and the others are read",
    `${HEADER}\nC,1\nC,2,T\nC,3,T,x\n`,
    ["2 refused: line has 2 fields, the header 3", "3 C|2|T", "4 refused: line has 4 fields, the header 3"],
  ],
  [
    "a quoted field may span lines; the record has the number of its first line",
    `${HEADER},qualityMessage\nC,1,T,"one\ntwo, ""three""\n\nfour"\nC,2,T,\n`,
    ['2 C|1|T|one\ntwo, "three"\n\nfour', "6 C|2|T|"],
  ],
  [
    "an unclosed quote makes only its own line unreadable",
    `${HEADER}\nC,"1,T\nC,2,T\nC,3,T\n`,
    [`2 ${open}`, "3 C|2|T", "4 C|3|T"],
  ],
  ["two unclosed quotes: 2 lines refused", `${HEADER}\nC,"1,T\nC,"2,T\nC,3,T\n`, [`2 ${open}`, `3 ${open}`, "4 C|3|T"]],
  [
    "text after a closing quote makes only its own line unreadable",
    `${HEADER}\nC,"1"x,T\nC,2,T\n`,
    ["2 refused: a quoted field is followed by something other than a separator", "3 C|2|T"],
  ],
];
for (const [rule, text, entries] of rows) test(`CSV: ${rule}`, () => assert.deepEqual(brief(text), entries));

test("CSV: unknown columns are ignored and reported by name", () => {
  const { entries, ignored } = read("code,open,value,businessTime,volume,\nC,9,1,T,8,\n");
  assert.deepEqual(entries, [{ line: 2, record: { code: "C", value: "1", businessTime: "T" } }]);
  assert.deepEqual(ignored, ["open", "volume"]);
});

test("CSV: the format is detected from the same lines, however the bytes are split", () => {
  const text = `${HEADER}\n${"C,5,2026-08-21T16:30:00Z\n".repeat(300)}C,"1,234",2026-08-21T16:30:00Z\n`;
  const pieces = createRecordReader(formats());
  const cut = [...Buffer.from(text)].flatMap((byte) => [...pieces.push(Uint8Array.of(byte))]);
  assert.deepEqual([...cut, ...pieces.end()], read(text).entries);
});

test("CSV: a record has at most 50 lines; a longer one is refused with the number of its first line", () => {
  const record = (lines: number): string => `C,1,T,"${"x\n".repeat(lines - 1)}x"\n`;
  const header = `${HEADER},qualityMessage\n`;
  assert.deepEqual(brief(header + record(50)), [`2 C|1|T|${"x\n".repeat(49)}x`]);
  const [first, second, ...others] = brief(`${header}${record(51)}C,2,T,\n`);
  assert.deepEqual(
    [first, second],
    ["2 refused: a quoted field does not end within 50 lines", "3 refused: line has 1 fields, the header 4"],
  );
  assert.deepEqual([others.length, others.at(-1)], [50, "53 C|2|T|"]);
});

// Each line closes the quote of the line before and opens another: 4 kB of such lines once took 17 seconds.
test("CSV: lines that each open a quote take a bounded time per line", () => {
  const count = runs(5_000);
  const entries = brief(`${HEADER}\n${'a","\n'.repeat(count)}C,1,T\n`);
  assert.equal(entries.length, count + 1);
  assert.equal(entries[0], "2 refused: a quoted field does not end within 50 lines");
  assert.equal(entries.at(-1), `${count + 2} C|1|T`);
});

test("CSV: an unreadable line ends an open quote", () => {
  const reader = createRecordReader(formats());
  const bytes = Buffer.from(`${HEADER}\nC,"1,T\nC,2,T\n\xff\nC,3,T\n`, "latin1");
  const entries = [...reader.push(bytes), ...reader.end()];
  const read = entries.map((entry) => `${entry.line} ${"record" in entry}`);
  assert.deepEqual(read, ["2 false", "3 true", "4 false", "5 true"]);
});

const LACKED = { code: "--code CODE", value: "--map value=NAME", businessTime: "--day DAY" };
const LACKING = Object.entries(LACKED).map(([name, option]) => `lacks ${name}: .*say ${option}`);
const failures: readonly (readonly [rule: string, text: string, failure: RegExp])[] = [
  ["an empty file", "", /^it is empty$/],
  ["a file of blank lines", "\n\n", /^it is empty$/],
  ["a header without value", "code,businessTime,last\nC,T,1\n", /lacks value: .*"code,.*say --map value=last$/],
  ["a file without header", "USD_RLS,1,T\n", new RegExp(LACKING.join(".*"))],
  ["a column given twice", `${HEADER},code\n`, /"code" and "code #2" .*say --map code=code$/],
  ["an open quote in the header", '"code,value,businessTime\n', /header .*a quoted field does not end$/],
  ["a JSON array that does not end", '[{"code":"C"},', /JSON is damaged or incomplete/],
  ["a JSON array without elements", " [ ]", /JSON is empty$/],
  ["a line too long", `${"x".repeat(20_000)}\n`, /^line 1 .*longer than 16384 bytes$/],
];
for (const [rule, text, expected] of failures) {
  test(`the whole file is refused: ${rule}`, () => assert.match(read(text).failure ?? "", expected));
}

test("a file with only a header has no records", () => {
  assert.deepEqual(read(HEADER), { entries: [], failure: undefined, ignored: [] });
});

test("NDJSON: a line that is not an object is refused with its number", () => {
  const { entries, ignored } = read(
    ' {"code":"C","value":1,"x":2}\n\n[1]\n{"code":\nnull\n{"__proto__":{"code":"C"}}\n',
  );
  assert.deepEqual(
    entries.map((entry) => [entry.line, "record" in entry ? entry.record.code : entry.reason]),
    [
      [1, "C"],
      [3, "line is not a JSON object"],
      [4, "line is not a JSON object"],
      [5, "line is not a JSON object"],
      [6, undefined],
    ],
  );
  assert.deepEqual(ignored, ["x", "__proto__"]);
});
