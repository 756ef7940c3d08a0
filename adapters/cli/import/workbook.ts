import { posix } from "node:path";
import { CELL_SEPARATOR } from "../../intake/tables/find_table.ts";
import type { SourceNotes } from "../../intake/tables/plan_columns.ts";
import { type NumberFormat, numberFormat, shownNumber } from "./number_formats.ts";
import { SourceFault } from "./read_source_head.ts";
import { attribute, elements, plainText, type XmlElement } from "./xml_elements.ts";
import type { Zip } from "./zip.ts";

/** What the cells of a workbook mean. */
interface Meaning {
  /** The texts that cells refer to. */
  readonly texts: readonly string[];
  /** The number formats of cells, by their style. */
  readonly formats: readonly NumberFormat[];
  /** Whether days are counted from 1904 on. */
  readonly is1904: boolean;
}

const MAX_LETTERS = 32 * 1_048_576;
const MAX_TEXTS = 2_000_000;
const LONGEST_TEXT = 1_000; // No column of records has a longer one.
const MAX_ROWS = 1_048_576;
const MAX_COLUMNS = 1_000;
const MOST_LISTED = 20;
const MAX_MERGES = 262_144;
const MAX_FILLED = 8 * MAX_LETTERS;
const MAX_TEXT = 1_048_576;
/** A price or a date, which a row of data has, and a header has not: not `۱۸ عیار`. */
const NUMBER = /^(?:[\p{Nd}.,/\u066b\u066c:-]+$|\p{Sc}?\s?\p{Nd}[\p{Nd}.,/\u066b\u066c:-]{2})/u;
/** A line, from the last letter of its first cell on, if it has another. */
const SEVERAL_CELLS = new RegExp(`[^\n${CELL_SEPARATOR}]${CELL_SEPARATOR}+[^\n${CELL_SEPARATOR}][^\n]*`, "g");
const DATED = /\d{4}[-/]\d\d?[-/]\d/;
const RANGE = /^\$?([A-Z]{1,3})\$?(\d{1,7}):\$?([A-Z]{1,3})\$?(\d{1,7})$/;
const USUAL_WORKBOOK = "xl/workbook.xml";
const IS_WORKBOOK = /<(?:\w+:)?workbook[\s>]/;
const [SHEETS, RELATIONS, SETTINGS, FORMATS] = [
  elements("sheet"),
  elements("Relationship"),
  elements("workbookPr"),
  elements("numFmt"),
];
const [STYLES, STYLE, TEXTS, ROWS, CELLS, MERGES] = [
  elements("cellXfs"),
  elements("xf"),
  elements("si"),
  elements("row"),
  elements("c"),
  elements("mergeCell"),
];
const [VALUES, PARTS, SPOKEN] = [elements("v"), elements("t"), /<(\w+:)?rPh\b[^<]*<(\w+:)?t\b[^<]*/g];
const [idOf, targetOf, kindOf, relationOf] = [
  attribute("Id"),
  attribute("Target"),
  attribute("Type"),
  attribute("\\w+:id"),
];
const [nameOf, stateOf, is1904Of, formatOf, codeOf] = [
  attribute("name"),
  attribute("state"),
  attribute("date1904"),
  attribute("numFmtId"),
  attribute("formatCode"),
];
const [referenceOf, typeOf, styleOf, rangeOf] = [attribute("r"), attribute("t"), attribute("s"), attribute("ref")];

/** The sheets of a workbook, and what its cells mean. */
interface Workbook {
  readonly sheets: readonly { readonly name: string; readonly isHidden: boolean; readonly path: string | undefined }[];
  /** Reads the texts and the styles, which may be large. */
  meaning(): Promise<Meaning>;
}

/** A sheet with a table. */
export interface Table {
  readonly name: string;
  /** Its first row with several cells. */
  readonly header: string;
}

/** The sheets that hold tables and are not hidden, in order: one for each part, however many name it. */
export async function tablesOf(zip: Zip): Promise<readonly Table[]> {
  const { sheets, meaning } = await openWorkbook(zip);
  const visible = [...new Map(sheets.filter(({ isHidden }) => !isHidden).map((sheet) => [sheet.path, sheet])).values()];
  if (visible.length < 2) return visible.map(({ name }) => ({ name, header: "" }));
  const [tables, cellMeaning] = [[] as Table[], await meaning()];
  for (const { name, path } of visible) {
    const header = path && (await headerOf(zip.read(path), cellMeaning));
    if (header) tables.push({ name, header });
  }
  return tables;
}

/**
 * The rows of a sheet as lines of text: line 5 is row 5. Dates are `2026-08-21` or `2026-08-21 16:30:00`.
 *
 * @param sheet The name of the sheet; `undefined` for the only one with a table. Source: ECMA-376, part 1, 18.
 */
export async function* readWorkbook(
  zip: Zip,
  { sheet, notes }: { readonly sheet: string | undefined; readonly notes: SourceNotes },
): AsyncGenerator<Uint8Array> {
  const { sheets, meaning } = await openWorkbook(zip);
  const visible = sheets.find(({ isHidden }) => !isHidden) ?? sheets[0];
  const tables = sheet === undefined ? await tablesOf(zip) : [];
  if (tables.length > 1)
    throw new SourceFault(
      `several of its sheets have tables: ${listed(tables)}: say --sheet with the name of each that is wanted`,
    );
  const wanted = sheet ?? tables[0]?.name;
  const found = wanted === undefined ? visible : sheets.find(({ name }) => name.trim() === wanted.trim());
  if (!found?.path)
    throw new SourceFault(
      sheet === undefined
        ? "its workbook has no sheet"
        : `its workbook has no sheet "${sheet}": it has ${listed(sheets)}`,
    );
  notes.sheet = found.name;
  if (sheets.length > 1) notes.form = `sheet "${found.name}" of ${listed(sheets)}`;
  yield* readRows(zip.read(found.path), await meaning(), await readMerges(zip.read(found.path)));
}

async function openWorkbook(zip: Zip): Promise<Workbook> {
  const names = new Map(zip.names.map((name) => [name.toLowerCase(), name]));
  /** The name of a part in the archive: letters may be of the other case there. */
  const partAt = (path: string): string | undefined => names.get(path.toLowerCase());
  /** The target of a relation of the part `from`, as Windows may write it. Source: ECMA-376, part 2, 6.5. */
  const targetFrom = (from: string, relation: XmlElement | undefined): string | undefined => {
    const target = relation && targetOf(relation)?.replaceAll("\\", "/");
    return target && posix.resolve("/", posix.dirname(from), target).slice(1);
  };
  const main = RELATIONS.in(await textOf(zip, partAt("_rels/.rels"))).find((relation) =>
    isOf("officeDocument", relation),
  );
  const path = targetFrom("", main) ?? USUAL_WORKBOOK;
  const workbook = await textOf(zip, partAt(path));
  if (!IS_WORKBOOK.test(workbook)) {
    const kind = path.endsWith(".bin")
      ? "an Excel workbook in binary form (.xlsb): save it"
      : "a document of an office program, but no .xlsx workbook: save its table";
    throw new SourceFault(`it is ${kind} as .xlsx or CSV`);
  }
  const { dir, base } = posix.parse(path);
  const relations = RELATIONS.in(await textOf(zip, partAt(posix.join(dir, "_rels", `${base}.rels`))));
  const pathOf = (relation: XmlElement | undefined): string | undefined => {
    const target = targetFrom(path, relation);
    return target && (partAt(target) ?? target);
  };
  const paths = new Map(relations.map((relation) => [idOf(relation), pathOf(relation)]));
  const sheets = SHEETS.in(workbook).map((sheet) => {
    return {
      name: nameOf(sheet) ?? "",
      isHidden: /hidden/i.test(stateOf(sheet) ?? ""),
      path: paths.get(relationOf(sheet)),
    };
  });
  const partOf = (kind: string): string | undefined => pathOf(relations.find((relation) => isOf(kind, relation)));
  const is1904 = SETTINGS.in(workbook).some((settings) => /^(?:1|true)$/.test(is1904Of(settings) ?? ""));
  const meaning = async (): Promise<Meaning> => ({
    texts: await readTexts(zip, partOf("sharedStrings")),
    formats: readFormats(await textOf(zip, partOf("styles"))),
    is1904,
  });
  return { sheets, meaning };
}

/** Their names, the first ones of many. */
function listed(sheets: readonly { readonly name: string }[]): string {
  const names = sheets.slice(0, MOST_LISTED).map(({ name }) => `"${name}"`);
  return names.join(", ") + (sheets.length > MOST_LISTED ? ` and ${sheets.length - MOST_LISTED} more` : "");
}

/** The first row with several cells, if there are two; other sheets have notes. */
async function headerOf(chunks: AsyncGenerator<Uint8Array>, meaning: Meaning): Promise<string | undefined> {
  let [found, isDated]: [readonly string[], boolean] = [[], false];
  for await (const rows of readRows(chunks, meaning)) {
    const text = rows.toString();
    found = [...found, ...(text.match(SEVERAL_CELLS) ?? []).slice(0, 2)];
    isDated ||= DATED.test(text);
    if (found.length > 1) break;
  }
  const [first] = found;
  // A row of prices without a header is a table, too.
  return first === undefined || (found.length === 1 && !isDated)
    ? undefined
    : first.replaceAll(CELL_SEPARATOR, " ").trimEnd();
}

async function readTexts(zip: Zip, path: string | undefined): Promise<readonly string[]> {
  const texts: string[] = [];
  let letters = 0;
  for await (const found of path === undefined ? [] : TEXTS.read(zip.read(path))) {
    for (const { content } of found) {
      // A copy, as a part of a chunk of the file would keep all of that in memory.
      const text = Buffer.from(partsOf(content)).toString();
      if (texts.push(text) > MAX_TEXTS || (letters += text.length) > MAX_LETTERS)
        throw new SourceFault("its workbook has more than 2,000,000 texts, or 32 MB of them: save the sheet as CSV");
    }
  }
  return texts;
}

function readFormats(styles: string): readonly NumberFormat[] {
  // Excel has formats of 255 letters at most.
  const codes = new Map(FORMATS.in(styles).map((format) => [formatOf(format), codeOf(format)?.slice(0, 255)]));
  return STYLE.in(STYLES.in(styles)[0]?.content ?? "").map((style) =>
    numberFormat(Number(formatOf(style)), codes.get(formatOf(style))),
  );
}

/** A range of cells that are merged: one cell has the value of all. */
interface Merge {
  readonly left: number;
  readonly right: number;
  readonly bottom: number;
  value?: string;
}

/** The merged ranges of a sheet by their first row. They stand behind the rows. */
async function readMerges(chunks: AsyncIterable<Uint8Array>): Promise<ReadonlyMap<number, readonly Merge[]>> {
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

/** The rows of a sheet. One with cells has at least as many as those before: sheets leave blank ones at the end out. */
async function* readRows(
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

/** The texts of a row's cells, up to the last one that is not blank. */
function cellsOf(row: XmlElement, meaning: Meaning): string[] {
  const cells: string[] = [];
  let column = 0;
  for (const cell of CELLS.in(row.content)) {
    column = columnOf(referenceOf(cell)) ?? column + 1;
    const shown = cellText(cell, meaning);
    if (shown.trim() === "") continue;
    if (column > MAX_COLUMNS)
      throw new SourceFault("its sheet has more than 1,000 columns: save those that count as CSV");
    cells[column - 1] = shown;
  }
  return cells;
}

/**
 * Gives the cells of merged ranges their value in a row of data: a text in its first column alone, as it may be a note that goes
 * past the table. A header only gets the cells, which are blank; a title none. Returns how many letters were added.
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

/** A cell on one line; quoted where it has quotes, as in CSV. */
function cellText(cell: XmlElement, { texts, formats, is1904 }: Meaning): string {
  const type = typeOf(cell);
  const text = type === "inlineStr" ? partsOf(cell.content) : plainText(VALUES.in(cell.content)[0]?.content ?? "");
  const format = formats[Number(styleOf(cell) ?? 0)];
  let shown = text;
  if (type === "s") shown = texts[Number(text)] ?? "";
  else if (type === "b") shown = text === "1" ? "TRUE" : "FALSE";
  else if ((type === undefined || type === "n") && format) shown = shownNumber(text, format, is1904);
  const line = shown.replace(/\p{Cc}+/gu, " ");
  return line.includes('"') ? `"${line.replaceAll('"', '""')}"` : line;
}

/** The beginning of a text of parts in different fonts, without how it is spoken, which has one part. */
function partsOf(content: string): string {
  return plainText(
    PARTS.in(content.replace(SPOKEN, ""))
      .map((part) => part.content)
      .join(""),
  ).slice(0, LONGEST_TEXT);
}

/** The number of the column in a reference such as `AB12`, from 1 on. */
function columnOf(reference: string | undefined): number | undefined {
  const [letters] = /^[A-Z]+/.exec(reference ?? "") ?? [];
  return letters === undefined
    ? undefined
    : [...letters].reduce((column, letter) => column * 26 + letter.charCodeAt(0) - 64, 0);
}

/** Whether a relation is of a kind, in either namespace: the usual one, or that of strict workbooks. */
function isOf(kind: string, relation: XmlElement): boolean {
  return kindOf(relation)?.endsWith(`/${kind}`) ?? false;
}

/** The text of a small part. */
async function textOf(zip: Zip, path: string | undefined): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of path === undefined ? [] : zip.read(path)) {
    if ((length += chunk.length) > MAX_LETTERS) throw new SourceFault("a part of its workbook is larger than 32 MB");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
