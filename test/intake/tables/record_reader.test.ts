import assert from "node:assert/strict";
import { test } from "node:test";
import { optionsOf, unreadInWords } from "../../../adapters/cli/import/import_answers.ts";
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
  return { entries, failure: reader.failure && unreadInWords(reader.failure), ignored: reader.ignored };
}

/** Each entry as a line: its number, then the record's values or the reason. */
function brief(text: string): string[] {
  return read(text).entries.map((entry) => {
    return "record" in entry
      ? `${entry.line} ${Object.values(entry.record).join("|")}`
      : `${entry.line} refused: ${entry.reason}${entry.set ? `: say ${optionsOf(entry.set).join(" ")}` : ""}`;
  });
}

const HEADER = "code,value,businessTime";

test("CSV: columns may be in any order, with blanks around their names, quoted or not", () => {
  const { entries } = read(' businessTime ,"value",provider, code\nT,1,P,C\n');
  assert.deepEqual(entries, [{ line: 2, record: { businessTime: "T", value: "1", provider: "P", code: "C" } }]);
});

test("CSV: unknown columns are ignored and reported by name", () => {
  const { entries, ignored } = read("code,open,value,businessTime,volume,\nC,9,1,T,8,\n");
  assert.deepEqual(entries, [{ line: 2, record: { code: "C", value: "1", businessTime: "T" } }]);
  assert.deepEqual(ignored, ["open", "volume"]);
});

test("CSV: blank lines, even before the header, are skipped but count as lines", () => {
  assert.deepEqual(brief(`\n\r\n${HEADER}\r\n\r\nC,1,T\r\n  \r\nC,2,T`), ["5 C|1|T", "7 C|2|T"]);
});

test("CSV: blank lines before the header are skipped, even more of them than the sample has lines", () => {
  assert.deepEqual(brief(`${"\n".repeat(500)}${HEADER}\nC,1,T\n`), ["502 C|1|T"]);
});

test("the format depends on the same lines, however the bytes are split", () => {
  const text = `${HEADER}\n${"C,5,2026-08-21T16:30:00Z\n".repeat(300)}C,"1,234",2026-08-21T16:30:00Z\n`;
  const pieces = createRecordReader(formats());
  const cut = [...Buffer.from(text)].flatMap((byte) => [...pieces.push(Uint8Array.of(byte))]);
  assert.deepEqual([...cut, ...pieces.end()], read(text).entries);
  assert.equal(
    brief(text).at(-1),
    '302 refused: value "1,234" can be read in two ways: as 1234 or as 1.234: say --decimal .',
  );
});

test("a decimal comma after the sample is refused, and the reason names the option", () => {
  const text = `${HEADER}\n${"C,5,2026-08-21T16:30:00Z\n".repeat(300)}C,"1,5",2026-08-21T16:30:00Z\n`;
  assert.equal(
    brief(text).at(-1),
    '302 refused: value "1,5" has a comma before the fraction, unlike the values before it: say --decimal ,',
  );
});

test("CSV: a repeated header, as in joined files, is skipped", () => {
  assert.deepEqual(brief(`${HEADER}\nC,1,T\n${HEADER}\nC,2,T\n`), ["2 C|1|T", "4 C|2|T"]);
});

test("CSV: a line with too few or too many fields is refused, and the others are read", () => {
  assert.deepEqual(brief(`${HEADER}\nC,1\nC,2,T\nC,3,T,x\n`), [
    "2 refused: line has 2 fields, the header 3",
    "3 C|2|T",
    "4 refused: line has 4 fields, the header 3",
  ]);
});

test("CSV: a quoted field may span lines; the record has the number of its first line", () => {
  assert.deepEqual(brief(`${HEADER},qualityMessage\nC,1,T,"one\ntwo, ""three""\n\nfour"\nC,2,T,\n`), [
    '2 C|1|T|one\ntwo, "three"\n\nfour',
    "6 C|2|T|",
  ]);
});

test("CSV: an unclosed quote costs only its own line", () => {
  const open = "refused: a quoted field does not end";
  assert.deepEqual(brief(`${HEADER}\nC,"1,T\nC,2,T\nC,3,T\n`), [`2 ${open}`, "3 C|2|T", "4 C|3|T"]);
  assert.deepEqual(brief(`${HEADER}\nC,"1,T\nC,"2,T\nC,3,T\n`), [`2 ${open}`, `3 ${open}`, "4 C|3|T"]);
  assert.deepEqual(brief(`${HEADER}\nC,"1"x,T\nC,2,T\n`), [
    "2 refused: a quoted field is followed by something other than a separator",
    "3 C|2|T",
  ]);
});

test("CSV: an unclosed quote costs only its own line, even in a long file", () => {
  const lines = Array.from({ length: 2_000 }, (_, at) => `C,${at},T`);
  const read = brief(`${HEADER}\nC,"1,T\n${lines.join("\n")}\n`);
  assert.equal(read.length, 2_001);
  assert.equal(read.filter((line) => line.includes("refused")).length, 1);
  assert.equal(read.at(-1), "2002 C|1999|T");
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
  const { entries } = read(`${HEADER}\n${'a","\n'.repeat(count)}C,1,T\n`);
  assert.equal(entries.length, count + 1);
  assert.deepEqual(
    entries.map(({ line }) => line),
    Array.from({ length: count + 1 }, (_, at) => at + 2),
  );
  assert.deepEqual(entries[0], { line: 2, reason: "a quoted field does not end within 50 lines" });
  assert.deepEqual(entries.at(-1), { line: count + 2, record: { code: "C", value: "1", businessTime: "T" } });
});

test("CSV: an unreadable line ends an open quote", () => {
  const reader = createRecordReader(formats());
  const bytes = Buffer.from(`${HEADER}\nC,"1,T\nC,2,T\n\xff\nC,3,T\n`, "latin1");
  const entries = [...reader.push(bytes), ...reader.end()];
  assert.deepEqual(
    entries.map((entry) => `${entry.line} ${"record" in entry}`),
    ["2 false", "3 true", "4 false", "5 true"],
  );
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

const suggested: readonly (readonly [rule: string, text: string, option: RegExp])[] = [
  [
    "a column of hours is joined to an unnamed column of days",
    "etad,emit,ecirp|2026-08-19,14:00,1926000|2026-08-20,11:30,1965000",
    /--map businessTime=etad\+emit/,
  ],
  [
    "two unnamed columns of numbers: only the user knows the prices",
    "2026-08-19,24513,38930|2026-08-20,24513,38730",
    /--map value=NAME/,
  ],
  [
    "two unnamed columns of days: only the user knows the right one, even if a cell is not a day",
    "2026-08-19,1903000,2026-08-24|yesterday,1921000,2026-08-25|2026-08-21,1952000,2026-08-26",
    /--map businessTime=NAME/,
  ],
  [
    "a column of units does not name the asset",
    "date,price,unit|2026-08-19,82417.2,USD|2026-08-20,83300.1,USD",
    /--code CODE/,
  ],
  [
    "years of two digits are Jalali if the days are equally close together in both calendars",
    "date,price|04/12/26,73584.8|05/01/28,76114|05/02/28,77796.5|05/08/29,90369.8",
    /--calendar jalali/,
  ],
  ["eight digits that are not a valid date are a price", "2025-05-09,70860000|2025-05-10,70950000", /--code CODE/],
  [
    "a row of units below the header does not name the column of values",
    "etad,epyt,ecirp|,,rial|2026-08-19,lles,1877000",
    /its header lacks value: it is "etad,epyt,ecirp \(rial\)"/,
  ],
  [
    "an unreadable time leaves the length of candles open",
    "code,date,open,high,low,close|USD_RLS,2026-08-20 20:30Z,10,12,9,11|USD_RLS,yesterday,10,12,9,11|USD_RLS,2026-08-20 22:30Z,10,12,9,11",
    /--interval/,
  ],
];
for (const [rule, text, option] of suggested)
  test(`open questions: ${rule}`, () => assert.match(read(`${text.replaceAll("|", "\n")}\n`).failure ?? "", option));

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
