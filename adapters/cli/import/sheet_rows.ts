import { CELL_SEPARATOR } from "../../intake/tables/find_table.ts";
import { type NumberFormat, numberFormat, shownNumber } from "./number_formats.ts";
import { SourceFault } from "./read_source_head.ts";
import { attribute, elements, plainText, type XmlElement } from "./xml_elements.ts";

/** The shared texts and formats of a workbook, which its cells refer to. */
export interface Meaning {
  /** The texts that cells refer to. */
  readonly texts: readonly string[];
  /** The number formats of cells, by their style. */
  readonly formats: readonly NumberFormat[];
  /** Whether day numbers count from 1904. */
  readonly is1904: boolean;
}

const LONGEST_TEXT = 1_000; // Longer texts are cut: no field of a record may be that long.
const GENERAL = numberFormat(0, undefined);
const MAX_ROWS = 1_048_576;
const MAX_COLUMNS = 1_000;
const MOST_CELLS = 16_384; // Of a row in Excel.
const MAX_MERGES = 262_144;
const MAX_FILLED = 256 * 1_048_576;
const MAX_TEXT = 1_048_576;
/** Matches a price or a date, which rows of data have and headers lack. A header with `۱۸ عیار` does not match. */
const NUMBER = /^(?:[\p{Nd}.,/\u066b\u066c:-]+$|\p{Sc}?\s?\p{Nd}[\p{Nd}.,/\u066b\u066c:-]{2})/u;
/** How workbooks write letters that XML may not contain, and line ends: `_x000D_`. Source: ECMA-376, part 1, 22.9.2.19. */
const ESCAPED = /_x([\da-f]{4})_/gi;
const RANGE = /^\$?([A-Z]{1,3})\$?(\d{1,7}):\$?([A-Z]{1,3})\$?(\d{1,7})$/;
const FORMULA = /<(?:\w+:)?f[\s/>]/;
/** Stands for the result of a formula that no spreadsheet program has calculated yet, and is refused as a value. */
const NO_RESULT = "formula without a result: save it in a spreadsheet program";
const [ROWS, CELLS, MERGES] = [elements("row"), elements("c", MOST_CELLS), elements("mergeCell")];
const [VALUES, PARTS, SPOKEN] = [elements("v"), elements("t"), /<(\w+:)?rPh\b[^<]*<(\w+:)?t\b[^<]*/g];
const [referenceOf, typeOf, styleOf, rangeOf] = [attribute("r"), attribute("t"), attribute("s"), attribute("ref")];

/** A range of merged cells, whose first cell has the value. */
export interface Merge {
  readonly left: number;
  readonly right: number;
  readonly bottom: number;
  value?: string;
}

/** The merged ranges of a sheet by their first row. A file lists its merged ranges after all rows. */
export async function readMerges(chunks: AsyncIterable<Uint8Array>): Promise<ReadonlyMap<number, readonly Merge[]>> {
  const merges = new Map<number, Merge[]>();
  let count = 0;
  for await (const found of MERGES.read(chunks)) {
    for (const merge of found) {
      const [, from = "", top = "", to = "", bottom = ""] = RANGE.exec(rangeOf(merge) ?? "") ?? [];
      const [left, right] = [columnOf(from) ?? 1, Math.min(columnOf(to) ?? 1, MAX_COLUMNS)];
      if (++count > MAX_MERGES) throw new SourceFault("its sheet has more than 262,144 merged cells: save it as CSV");
      if (left > right) continue;
      const ofRow = merges.get(+top) ?? [];
      merges.set(+top, ofRow);
      ofRow.push({ left, right, bottom: +bottom });
    }
  }
  return merges;
}

/** The rows of a sheet as lines. Sheets omit blank cells at the end of a row, so rows are filled up to equal width. */
export async function* readRows(
  chunks: AsyncIterable<Uint8Array>,
  meaning: Meaning,
  merges: ReadonlyMap<number, readonly Merge[]> = new Map(),
): AsyncGenerator<Buffer> {
  let [lines, width] = [0, 0];
  let merged: readonly Merge[] = [];
  let filled = 0;
  for await (const rows of ROWS.read(chunks)) {
    let out = "";
    for (const row of rows) {
      const number = Math.max(Number(referenceOf(row) ?? 0), lines + 1);
      if (!(number <= MAX_ROWS)) throw new SourceFault("its sheet has more than 1,048,576 rows: save it as CSV");
      const cells = cellsOf(row, meaning);
      merged = [...merged.filter(({ bottom }) => bottom >= number), ...(merges.get(number) ?? [])];
      if (merged.length > 0 && (filled += fillMerged(cells, merged)) > MAX_FILLED)
        throw new SourceFault("its sheet has more than 256 MB of merged cells: save it as CSV");
      width = Math.max(width, cells.length);
      if (cells.length > 0) cells.length = width;
      out += `${"\n".repeat(number - 1 - lines)}${cells.join(CELL_SEPARATOR)}\n`;
      lines = number;
      if (out.length < MAX_TEXT) continue;
      yield Buffer.from(out);
      out = "";
    }
    yield Buffer.from(out);
  }
}

/** The texts of the cells in a row, without blank cells at the end. */
function cellsOf(row: XmlElement, meaning: Meaning): string[] {
  const cells: string[] = [];
  let column = 0;
  for (const cell of CELLS.in(row.content)) {
    column = columnOf(referenceOf(cell)) ?? column + 1;
    const shown = cellText(cell, meaning);
    if (shown.trim() === "") continue;
    if (column > MAX_COLUMNS)
      throw new SourceFault("its sheet has more than 1,000 columns: save the ones that you need as CSV");
    cells[column - 1] = shown;
  }
  return cells;
}

/**
 * In a row of data, copies the value of each merged range to all cells of the range. A text is copied only to the
 * first column of the range, because it may be a note. In a header, the other cells of a range stay blank. A row with
 * only a title is not changed. Returns the number of added characters.
 */
function fillMerged(cells: string[], merges: readonly Merge[]): number {
  if (merges.reduce((sum, { left, right }) => sum + right - left + 1, 0) > MAX_COLUMNS)
    throw new SourceFault("its workbook is damaged: merged cells overlap");
  const wide = new Set(merges.map(({ left, right }) => (right > left ? left : 0)));
  const isData = cells.some((cell, at) => !wide.has(at + 1) && NUMBER.test(cell));
  const isTitle = Object.keys(cells).length < 2;
  let letters = 0;
  for (const merge of merges) {
    const value = (merge.value ??= cells[merge.left - 1] ?? "");
    if (isTitle || value === "") continue;
    const right = isData && !NUMBER.test(value) ? merge.left : merge.right;
    cells.length = Math.max(cells.length, right);
    if (!isData) continue;
    cells.fill(value, merge.left - 1, right);
    letters += value.length * (right - merge.left + 1);
  }
  return letters;
}

/** The text of a cell on one line. A text that contains quotes is quoted as in CSV. */
function cellText(cell: XmlElement, { texts, formats, is1904 }: Meaning): string {
  const type = typeOf(cell);
  const text = type === "inlineStr" ? partsOf(cell.content) : plainText(VALUES.in(cell.content)[0]?.content ?? "");
  if (text === "" && type === undefined && FORMULA.test(cell.content)) return NO_RESULT;
  const format = formats[Number(styleOf(cell) ?? 0)] ?? GENERAL;
  let shown = text;
  if (type === "s") shown = texts[Number(text)] ?? "";
  else if (type === "b") shown = text === "1" ? "TRUE" : "FALSE";
  else if (type === undefined || type === "n") shown = shownNumber(text, format, is1904);
  const line = shown
    .replace(ESCAPED, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
    .replace(/\p{Cc}+/gu, " ");
  return line.includes('"') ? `"${line.replaceAll('"', '""')}"` : line;
}

/** The text of an element that may have several fonts, without phonetic readings. Long texts are cut. */
export function partsOf(content: string): string {
  return plainText(
    PARTS.in(content.replace(SPOKEN, ""))
      .map((part) => part.content)
      .join(""),
  ).slice(0, LONGEST_TEXT);
}

/** The number of the column in a reference such as `AB12`, counted from 1. */
function columnOf(reference: string | undefined): number | undefined {
  const [letters] = /^[A-Z]+/.exec(reference ?? "") ?? [];
  return letters === undefined
    ? undefined
    : [...letters].reduce((column, letter) => column * 26 + letter.charCodeAt(0) - 64, 0);
}
