import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { sourceFailure } from "../../adapters/cli/import/open_source.ts";
import { openZip } from "../../adapters/cli/import/zip.ts";
import { importOne } from "../support/run_import.ts";
import { runs } from "../support/suite_size.ts";
import { type ZipFile, zipOf } from "../support/zip.ts";

const HEADER = "code,value,businessTime\n";
const CSV = `${HEADER}USD_RLS,1905000,2026-08-21T16:30:00Z\n`;
const STORED = ["USD_RLS 1905000 2026-08-21T16:30:00.000Z"];

const good: readonly (readonly [what: string, files: readonly ZipFile[]])[] = [
  ["one file", [{ name: "prices.csv", content: CSV }]],
  ["one file that is not compressed", [{ name: "prices.csv", content: CSV, method: 0 }]],
  [
    "one file in a folder, with the files that macOS adds",
    [
      { name: "a/", content: "", method: 0 },
      { name: "a/قیمت.csv", content: CSV },
      { name: "__MACOSX/a/._قیمت.csv", content: "x" },
      { name: "a/.DS_Store", content: "x" },
    ],
  ],
  ["one file with 64-bit sizes", [{ name: "prices.csv", content: CSV, isZip64: true }]],
  ["one file in UTF-16", [{ name: "prices.txt", content: Buffer.from(`\ufeff${CSV}`, "utf16le") }]],
];
for (const [what, files] of good) {
  test(`zip: ${what} is imported`, async (t) => {
    const { code, notes, stored } = await importOne(t, zipOf(files));
    assert.deepEqual([code, notes, stored], [0, [], STORED]);
  });
}

const DOCUMENT = { name: "[Content_Types].xml", content: "<x/>" };
const BINARY = '<Relationships><Relationship Type="x/officeDocument" Target="/xl/workbook.bin"/></Relationships>';
const damaged = Buffer.from(zipOf([{ name: "prices.csv", content: CSV }]));
damaged.writeUInt32LE(5_000_000, damaged.length - 6);
const refused: readonly (readonly [what: string, zip: Buffer, reason: string])[] = [
  [
    "an archive",
    zipOf([{ name: "a.zip", content: zipOf([{ name: "a", content: CSV }]) }]),
    "it is a zip archive within a zip archive: unpack it first",
  ],
  ["no file", zipOf([]), "its zip archive has no file"],
  [
    "a letter",
    zipOf([DOCUMENT, { name: "word/document.xml", content: "<x/>" }]),
    "it is a document of an office program, but no .xlsx workbook: save its table as .xlsx or CSV",
  ],
  ["encryption", zipOf([{ name: "a", content: CSV, flags: 1 }]), "its zip archive is encrypted: unpack it first"],
  [
    "a file larger than 4 GB",
    zipOf([{ name: "a", content: CSV, size: 5 * 2 ** 30, isZip64: true }]),
    "its zip archive has a file of more than 4 GB: unpack it first",
  ],
  [
    "another compression",
    zipOf([{ name: "a", content: CSV, method: 93 }]),
    "its zip archive is packed by method 93, not by deflate: unpack it first",
  ],
  [
    "a workbook with another compression",
    zipOf([DOCUMENT, { name: "xl/workbook.xml", content: "<x/>", method: 9 }]),
    "its zip archive is packed by method 9, not by deflate: open it in Excel, and save it again as .xlsx or CSV",
  ],
  [
    "a binary workbook",
    zipOf([DOCUMENT, { name: "_rels/.rels", content: BINARY }, { name: "xl/workbook.bin", content: "x" }]),
    "it is an Excel workbook in binary form (.xlsb): save it as .xlsx or CSV",
  ],
  ["a cut end", zipOf([{ name: "a", content: CSV }]).subarray(0, -30), "its zip archive has no end"],
  ["a directory beyond the end of the file", damaged, "its zip archive is damaged"],
];
for (const [what, zip, reason] of refused) {
  test(`zip: an archive with ${what} is refused: 65`, async (t) => {
    const { code, notes } = await importOne(t, zip);
    assert.deepEqual([code, notes], [65, [`not imported: ${reason}`]]);
  });
}

test("zip: a wrong checksum is reported with 65, and so is a file whose size differs from the directory", async (t) => {
  for (const wrong of [{ checksum: 1 }, { size: CSV.length + 1 }, { size: CSV.length - 1 }, { size: 0 }]) {
    const { code, notes } = await importOne(t, zipOf([{ name: "a", content: CSV, ...wrong }]));
    assert.equal(code, 65);
    assert.match(notes.join("\n"), /^not [^\n]*: its zip data is damaged: the checksum is wrong$/);
  }
});

test("zip: a file far larger than its archive is read in chunks, up to the size in the directory", async () => {
  const size = runs(20) * 1_048_576;
  for (const [declared, expected, method] of [
    [size, size, 8],
    [1_000_000, 983_040, 8],
    [size, size, 0],
  ] as const) {
    let [read, largest] = [0, 0];
    const zip = await openZip(fromOne(zipOf([{ name: "a", content: Buffer.alloc(size), size: declared, method }])));
    const pieces = zip.read("a");
    const failure = await (async () => {
      for await (const piece of pieces) [read, largest] = [read + piece.length, Math.max(largest, piece.length)];
    })().catch(sourceFailure);
    assert.deepEqual([read, largest, failure === undefined], [expected, 65_536, declared === size]);
  }
});

for (const isZip64 of [false, true])
  test(`zip: after a changed byte${isZip64 ? " in a 64-bit archive" : ""}, the file is still read correctly or refused with a reason`, async () => {
    const zip = zipOf([{ name: "prices.csv", content: CSV.repeat(3), isZip64 }]);
    await fc.assert(
      fc.asyncProperty(fc.nat(zip.length - 1), fc.integer({ min: 1, max: 255 }), async (at, change) => {
        const bytes = Buffer.from(zip);
        bytes[at]! ^= change;
        const read: Uint8Array[] = [];
        try {
          for await (const piece of (await openZip(fromOne(bytes))).read("prices.csv")) read.push(piece);
        } catch (error) {
          assert.match(sourceFailure(error), /zip|compressed data is damaged/);
          return;
        }
        assert.equal(Buffer.concat(read).toString(), CSV.repeat(3));
      }),
      { numRuns: 500 },
    );
  });

async function* fromOne(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
