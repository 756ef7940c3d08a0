import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { sourceFailure } from "../../adapters/cli/import/open_source.ts";
import { openZip } from "../../adapters/cli/import/zip.ts";
import { importOne } from "../support/run_import.ts";
import { runs } from "../support/suite_size.ts";
import { type ZipFile, zipOf } from "../support/zip.ts";

const CSV = `code,value,businessTime\nUSD_RLS,1905000,2026-08-21T16:30:00Z\n`;

test("zip: a file is imported without compression, with 64-bit sizes, and in UTF-16", async (t) => {
  for (const file of [
    { name: "prices.csv", content: CSV, method: 0 },
    { name: "prices.csv", content: CSV, isZip64: true },
    { name: "prices.txt", content: Buffer.from(`\ufeff${CSV}`, "utf16le") },
  ]) {
    const { code, notes, stored } = await importOne(t, zipOf([file]));
    assert.deepEqual([code, notes, stored], [0, [], ["USD_RLS 1905000 2026-08-21T16:30:00.000Z"]]);
  }
});

const damaged = Buffer.from(zipOf([{ name: "prices.csv", content: CSV }]));
damaged.writeUInt32LE(5_000_000, damaged.length - 6);
/** A zip archive that is an office document, with one more file. */
const documentOf = (...files: readonly ZipFile[]): Buffer =>
  zipOf([{ name: "[Content_Types].xml", content: "<x/>" }, ...files]);
const BOMB = "its zipped data unpacks to more than N times its size: unpack it first, or save its table as CSV";
const refused: readonly (readonly [zip: Buffer, reason: string])[] = [
  [
    zipOf([{ name: "a.zip", content: zipOf([{ name: "a", content: CSV }]) }]),
    "it is a zip archive within a zip archive: unpack it first",
  ],
  [zipOf([]), "its zip archive has no file"],
  [
    zipOf(["1", "2"].map((content) => ({ name: "a", content }))),
    'its zip archive has two files named "a", and either may be the right one: unpack it first',
  ],
  [
    documentOf(...["a", "A"].map((name) => ({ name, content: "" }))),
    "two of its parts have the same name: open it in Excel, and save it again as .xlsx or CSV",
  ],
  [zipOf([{ name: "a", content: CSV, size: 2 ** 28 }]), BOMB.replace("N", "200")],
  [gzipSync(Buffer.alloc(72 << 20)), BOMB.replace("N", "100")],
  [
    documentOf({ name: "word/document.xml", content: "<x/>" }),
    "it is a document of an office program, but no .xlsx workbook: save its table as .xlsx or CSV",
  ],
  [
    documentOf({ name: "xl/workbook.xml", content: "<x/>", method: 9 }),
    "its zip archive is packed by method 9, not by deflate: open it in Excel, and save it again as .xlsx or CSV",
  ],
  [zipOf([{ name: "a", content: CSV, flags: 1 }]), "its zip archive is encrypted: unpack it first"],
  [
    zipOf([{ name: "a", content: CSV, size: 5 * 2 ** 30, isZip64: true }]),
    "its zip archive has a file of more than 4 GB: unpack it first",
  ],
  [
    zipOf([{ name: "a", content: CSV, method: 93 }]),
    "its zip archive is packed by method 93, not by deflate: unpack it first",
  ],
  [zipOf([{ name: "a", content: CSV }]).subarray(0, -30), "its zip archive is incomplete: its end is missing"],
  [damaged, "its zip archive is damaged"],
];
test("zip: an archive that cannot be read is refused with its reason: exit code 65", async (t) => {
  for (const [zip, reason] of refused) {
    const { code, notes } = await importOne(t, zip);
    assert.deepEqual([code, notes], [65, [`not imported: ${reason}`]]);
  }
});

test("zip: a file with a wrong checksum, or with another size than the archive's directory states, is reported with exit code 65", async (t) => {
  for (const wrong of [{ checksum: 1 }, { size: CSV.length + 1 }, { size: CSV.length - 1 }, { size: 0 }]) {
    const { code, notes } = await importOne(t, zipOf([{ name: "a", content: CSV, ...wrong }]));
    assert.deepEqual(
      [code, notes.map((note) => note.replace(/^not .*?: /, ""))],
      [65, ["its zip data is damaged: the checksum is wrong"]],
    );
  }
});

test("zip: a file far larger than its archive is read in chunks, and not beyond the size that the archive's directory states", async () => {
  const size = runs(6) * 1_048_576;
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
