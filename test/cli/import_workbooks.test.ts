// Imports .xlsx workbooks. Sheets are read as tables: dates as they are shown, numbers in full precision.
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { filesOf, sourceFailure } from "../../adapters/cli/import/open_source.ts";
import { elements } from "../../adapters/cli/import/xml_elements.ts";
import { createAssetNames } from "../../adapters/intake/names/find_asset.ts";
import type { SourceNotes } from "../../adapters/intake/tables/plan_columns.ts";
import { ASSETS } from "../../core/mod.ts";
import { temporaryDirectory } from "../support/cli.ts";
import { importOne } from "../support/run_import.ts";
import { type WorkbookParts, xlsxOf, xlsxRow } from "../support/xlsx.ts";
import { zipOf } from "../support/zip.ts";

async function textOf(path: string, notes: SourceNotes, sheet?: string): Promise<AsyncIterable<Uint8Array>> {
  const sheets = sheet === undefined ? [] : [sheet];
  const [file] = await filesOf(path, { sheets, code: undefined, names: createAssetNames(ASSETS) });
  return file!.read(notes);
}

/** The lines of a sheet. `|` separates the cells. */
async function linesOf(bytes: Uint8Array, sheet?: string) {
  const directory = await mkdtemp(join(tmpdir(), "mazaneh-workbook-"));
  const path = join(directory, "sheet");
  await writeFile(path, bytes);
  const notes: SourceNotes = {};
  const parts: Uint8Array[] = [];
  for await (const part of await textOf(path, notes, sheet)) parts.push(part);
  await rm(directory, { recursive: true });
  return { lines: Buffer.concat(parts).toString().replaceAll("\u001f", "|"), form: notes.form };
}

const cells: readonly (readonly [what: string, cell: string, shown: string, parts?: Partial<WorkbookParts>])[] = [
  ["a number as stored in the sheet", "<c r='A1'><v>83125.399999999994</v></c>", "83125.4"],
  ["a fraction that could be thousands", "<c><v>12.125</v></c><c><v>0.125</v></c>", "12.1250|0.125"],
  [
    "a number that is displayed rounded, in colours or in thousands",
    '<c s="1"><v>1905123</v></c><c s="2"><v>1905000</v></c>',
    "1905123|1905000",
    { formats: ["0.00E+00", "#,##0;[Red]-#,##0"] },
  ],
  ["a small number", '<c r="A1"><v>7.1200000000000004E-6</v></c>', "0.00000712"],
  [
    "a shared text in several fonts",
    '<c r="A1" t="s"><v>1</v></c>',
    "USD & EUR",
    { texts: ["<t>x</t>", "<r><t>USD </t></r><r><t>&amp; EUR</t></r><rPh><t>spoken</t></rPh>"] },
  ],
  ["the result of a formula", '<c r="A1" t="str"><f>A2&amp;"x"</f><v>USD_RLS</v></c>', "USD_RLS"],
  ["empty cells", '<c s="1"/><c><v/></c><c><v>1</v></c><c t="str"><v/></c><c t="str"><v> </v></c><c s="1"/>', "||1"],
  ["a formula", "<c><f>A2</f><v/></c>", "formula without a result: save it in a spreadsheet program"],
  ["comments", "<c><v><!-- 2<c/> -->1</v></c><!----><c t='str'><v><![CDATA[<!-- -->]]></v></c>", "1|<!-- -->"],
  ["escaped letters", "<c t='str'><v>a_x000D_\nb_x005F_x000D_</v></c>", "a b_x000D_"],
  [
    "names with a prefix",
    '<x:c r="A1" t="inlineStr"><x:is><x:t xml:space="preserve"> a&#10;"b" </x:t></x:is></x:c>',
    '" a ""b"" "',
  ],
  [
    "CDATA in a shared text and in a cell",
    '<c r="A1" t="s"><v>0</v></c><c r="B1" t="str"><v>x&amp;<![CDATA[<b>&amp;]]>y</v></c><c r="C1"><v><![CDATA[12]]></v></c>',
    "a & b|x&<b>&amp;y|12",
    { texts: ["<t><![CDATA[a & b]]></t>"] },
  ],
  ["truth, errors, dates", "<c t='b'><v>1</v></c><c t='e'><v>#N/A</v></c><c t='d'><v>2026</v></c>", "TRUE|#N/A|2026"],
  ["a day", '<c r="A1" s="1"><v>46255</v></c>', "2026-08-21", { formats: [14] }],
  [
    "an hour hidden by the format, midnight, and five decimals, which mean whole seconds unless the format shows fractions",
    [46255.6875, 46255, 46255.33333, 46255.33333].map((day, at) => `<c s="${at + 1}"><v>${day}</v></c>`).join(""),
    "2026-08-21 16:30:00|2026-08-21 00:00:00|2026-08-21 08:00:00|2026-08-21 07:59:59.712",
    { formats: ["yyyy\\-mm\\-dd;@", "[$-3000401]d mmmm yyyy h:mm", 22, "yyyy-mm-dd hh:mm:ss.000"] },
  ],
  ["hours alone", '<c s="1"><v>0.6875</v></c><c s="1"><v>1</v></c>', "16:30:00|24:00:00", { formats: ["h:mm AM/PM"] }],
  ["a day counted from 1904", '<c r="A1" s="1"><v>44793</v></c>', "2026-08-21", { formats: [14], is1904: true }],
  [
    "a currency in the format",
    [1, 2, 3, 4, 5].map((style) => `<c s="${style}"><v>12.5</v></c>`).join(""),
    "12.5 تومان|12.5 $|12.5 £|12.5 €|12.5 €",
    { formats: ["#,##0\\ &quot;تومان&quot;", "[$$-409]#,##0.00", "£#,##0", "0\\ \\€", "0.0,&quot;k €&quot;"] },
  ],
  [
    "formats that scale by a thousand, with and without a word for the scale",
    '<c r="A1" s="1"><v>195640500</v></c><c r="B1" s="2"><v>195640000</v></c><c r="C1" s="3"><v>195640000</v></c>',
    "195640.5 هزار تومان|195640000|195640000 تومان",
    { formats: ["#,##0,&quot;هزار تومان&quot;", "#,##0.0,,&quot;M&quot;", "#,##0,&quot;تومان&quot;"] },
  ],
];
test("workbook: a cell is read as it is shown, and a number in full precision", async () => {
  for (const [what, cell, shown, parts] of cells) {
    const sheets = { S: `<row r="1">${cell}</row>` };
    assert.equal((await linesOf(xlsxOf({ sheets, ...parts }))).lines, `${shown}\n`, what);
  }
});

test("workbook: the paths of its parts may have other names or folders, backslashes, or capital letters", async () => {
  const placed: readonly Partial<WorkbookParts>[] = [
    { main: "xl/workbook2.xml" },
    { main: "book.xml" },
    { main: "/a/b/book.xml", folder: "../../xl/worksheets/" },
    { folder: "./worksheets/" },
    { folder: "worksheets\\" },
    { fileName: (path) => path.replaceAll("/", "\\") },
    { fileName: (path) => path.toUpperCase() },
  ];
  for (const parts of placed)
    assert.equal((await linesOf(xlsxOf({ sheets: { S: xlsxRow(1, [1, 2]) }, ...parts }))).lines, "1|2\n");
});

test("workbook: the value of a merged cell applies to all data rows that it covers, and to no others", async () => {
  const rows =
    xlsxRow(1, ["Prices of 1405"]) +
    xlsxRow(2, ["date", "dollar", "", "euro"]) +
    xlsxRow(3, ["", "buy", "sell", "buy", "sell"]) +
    xlsxRow(4, ["2026-08-20", 5, 6, 7, 8]) +
    xlsxRow(5, ["", 1, 2, 3, 4]) +
    xlsxRow(6, ["2026-08-21", 9, "", "closed"]) +
    xlsxRow(7, ["of a bank"]);
  const merges = ["A1:E1", "A2:A3", "B2:C2", "D2:E2", "A4:A5", "B6:C6", "D6:H6", "A6:A7"];
  const { lines } = await linesOf(xlsxOf({ sheets: { S: rows }, merges }));
  assert.deepEqual(lines.split("\n").slice(0, -1), [
    "Prices of 1405",
    "date|dollar||euro|",
    "|buy|sell|buy|sell",
    "2026-08-20|5|6|7|8",
    "2026-08-20|1|2|3|4",
    "2026-08-21|9|9|closed|",
    "of a bank||||",
  ]);
});

test("workbook: each line has the number of its row, and includes the blank cells at the end of the row", async () => {
  const rows = `${xlsxRow(2, ["a", "b", "c"])}<row r="4"/>${xlsxRow(5, [1])}<row><c><v>2</v></c></row>`;
  assert.equal((await linesOf(xlsxOf({ sheets: { S: rows } }))).lines, "\na|b|c\n\n\n1||\n2||\n");
});

test("workbook: the first visible sheet is read, or the one that --sheet names", async () => {
  const [h, a, c] = ["h", "a", "c"].map((text) => xlsxRow(1, [text])) as [string, string, string];
  const book = xlsxOf({ sheets: { ".h": h, "A &amp; B": a, C: c } });
  assert.deepEqual(await linesOf(book), { lines: "a\n", form: 'sheet "A & B" of "h", "A & B", "C"' });
  assert.deepEqual(await linesOf(book, "C "), { lines: "c\n", form: 'sheet "C" of "h", "A & B", "C"' });
  assert.equal((await linesOf(xlsxOf({ sheets: { C: a, "C ": c } }), "C ")).lines, "c\n");
  await assert.rejects(linesOf(book, "D"), /its workbook has no sheet "D": it has "h", "A & B", "C"/);
});

test("workbook: a workbook in an archive is imported, and a printed line describes how it was read", async (t) => {
  const rows = xlsxRow(1, ["code", "value", "businessTime"]) + xlsxRow(2, ["USD_RLS", 1905000, "2026-08-21T16:30:00Z"]);
  const book = xlsxOf({ sheets: { S: rows } });
  const { code, notes, stored } = await importOne(t, zipOf([{ name: "a/prices.xlsx", content: book }]));
  assert.deepEqual([code, stored], [0, ["USD_RLS 1905000 2026-08-21T16:30:00.000Z"]]);
  assert.match(notes.join(), /^read as: Excel, /);
});

test("workbook: too many rows, columns or letters in a row are refused before they fill the memory", async (t) => {
  const directory = await temporaryDirectory(t);
  const sheets: readonly (readonly [rows: string, reason: string, merges?: readonly string[]])[] = [
    ['<row r="1048577"><c><v>1</v></c></row>', "its sheet has more than 1,048,576 rows: save it as CSV"],
    ['<row r="x"><c><v>1</v></c></row>', "its sheet has more than 1,048,576 rows: save it as CSV"],
    [
      '<row r="1"><c r="XFD1"><v>1</v></c></row>',
      "its sheet has more than 1,000 columns: save the ones that you need as CSV",
    ],
    [`<row>${"<c/>".repeat(16_385)}</row>`, 'its workbook has more than 16,384 elements "c" in one part'],
    [`<row r="1">${" ".repeat(2_000_000)}</row>`, "its workbook is damaged: an element does not end"],
    [xlsxRow(1, [1]), "its sheet has more than 262,144 merged cells: save it as CSV", Array(262_145).fill("A1:A2")],
    [xlsxRow(1, [1]), "its workbook is damaged: merged cells overlap", ["A1:ALL1", "A1:A2"]],
    [
      `${xlsxRow(1, ["9".repeat(1_000), 1])}${"<row><c><v>1</v></c><c><v>2</v></c></row>".repeat(300)}`,
      "its sheet has more than 256 MB of merged cells: save it as CSV",
      ["A1:ALL1048576"],
    ],
  ];
  for (const [rows, reason, merges] of sheets) {
    const file = join(directory, "sheet.xlsx");
    await writeFile(file, xlsxOf({ sheets: { S: rows }, ...(merges && { merges }) }));
    const read = async (): Promise<void> => {
      for await (const _ of await textOf(file, {}));
    };
    await assert.rejects(read, (error) => sourceFailure(error) === reason, reason);
  }
});

test("workbook: eight times as many unclosed tags take at most twenty times the processor time", () => {
  const cost = (count: number): number => {
    const before = process.cpuUsage();
    assert.deepEqual(elements("c").in("<c>".repeat(count)), []);
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
  assert.ok(cost(8_000_000) < 20 * cost(1_000_000), "the cost per tag grows with the number of tags");
});
