import { posix } from "node:path";
import { CELL_SEPARATOR } from "../../intake/tables/find_table.ts";
import type { SourceNotes } from "../../intake/tables/plan_columns.ts";
import { listNames } from "../text_table.ts";
import { type NumberFormat, numberFormat } from "./number_formats.ts";
import { SourceFault } from "./read_source_head.ts";
import { type Meaning, partsOf, readMerges, readRows } from "./sheet_rows.ts";
import { attribute, elements, withoutComments, type XmlElement } from "./xml_elements.ts";
import type { Zip } from "./zip.ts";

const MAX_LETTERS = 32 * 1_048_576;
const MAX_TEXTS = 2_000_000;
const MOST_LISTED = 20;
/** Matches the end of a line with several cells, from the last letter of the first cell on. */
const SEVERAL_CELLS = new RegExp(`[^\n${CELL_SEPARATOR}]${CELL_SEPARATOR}+[^\n${CELL_SEPARATOR}][^\n]*`, "g");
const DATED = /\d{4}[-/]\d\d?[-/]\d/;
const USUAL_WORKBOOK = "xl/workbook.xml";
const IS_WORKBOOK = /<(?:\w+:)?workbook[\s>]/;
const [SHEETS, RELATIONS, SETTINGS] = [elements("sheet"), elements("Relationship"), elements("workbookPr")];
const [FORMAT_LIST, FORMATS, TEXTS] = [elements("numFmts"), elements("numFmt"), elements("si")];
const [STYLES, STYLE] = [elements("cellXfs"), elements("xf")];
const [idOf, targetOf, kindOf] = [attribute("Id"), attribute("Target"), attribute("Type")];
const [nameOf, stateOf, is1904Of] = [attribute("name"), attribute("state"), attribute("date1904")];
const [relationOf, formatOf, codeOf] = [attribute("\\w+:id"), attribute("numFmtId"), attribute("formatCode")];

/** A sheet with a table. */
export interface Table {
  readonly name: string;
  /** The first row with several cells. */
  readonly header: string;
}

/** The visible sheets with tables, in order. If several sheets refer to the same part, only one is listed. */
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
 * @param sheets The name of the sheet; empty for the only sheet with a table. Source: ECMA-376, part 1, 18.
 */
export async function* readWorkbook(
  zip: Zip,
  { sheets: [sheet, ...others], notes }: { readonly sheets: readonly string[]; readonly notes: SourceNotes },
): AsyncGenerator<Uint8Array> {
  if (others.length > 0)
    throw new SourceFault(
      "several sheets can be read only from a workbook that is a file, not standard input or part of an archive: save it as a file first",
    );
  const { sheets, meaning } = await openWorkbook(zip);
  const visible = sheets.find(({ isHidden }) => !isHidden) ?? sheets[0];
  const tables = sheet === undefined ? await tablesOf(zip) : [];
  if (tables.length > 1)
    throw new SourceFault(
      `several of its sheets have tables: ${listed(tables)}: add --sheet NAME for each sheet to read`,
    );
  const wanted = sheet ?? tables[0]?.name;
  const named = sheets.find(({ name }) => name === wanted) ?? sheets.find(({ name }) => name.trim() === wanted?.trim());
  const found = wanted === undefined ? visible : named;
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

/** The sheets of a workbook. `meaning` reads the texts and styles, which may be large. */
async function openWorkbook(zip: Zip) {
  const names = new Map(zip.names.map((name) => [name.toLowerCase(), name]));
  if (names.size < zip.names.length)
    throw new SourceFault("two of its parts have the same name: open it in Excel, and save it again as .xlsx or CSV");
  /** The name of a part as the archive spells it, which may differ in case. */
  const partAt = (path: string): string | undefined => names.get(path.toLowerCase());
  /** The path of a relation's target, relative to the part `from`. Source: ECMA-376, part 2, 6.5. */
  const targetFrom = (from: string, relation: XmlElement | undefined): string | undefined => {
    const target = relation && targetOf(relation)?.replaceAll("\\", "/");
    return target && posix.resolve("/", posix.dirname(from), target).slice(1);
  };
  const main = RELATIONS.in(await textOf(zip, partAt("_rels/.rels"))).find((relation) =>
    isOf("officeDocument", relation),
  );
  const path = targetFrom("", main) ?? USUAL_WORKBOOK;
  const workbook = await textOf(zip, partAt(path));
  if (!IS_WORKBOOK.test(workbook))
    throw new SourceFault(
      "it is a document of an office program, but no .xlsx workbook: save its table as .xlsx or CSV",
    );
  const { dir, base } = posix.parse(path);
  const relations = RELATIONS.in(await textOf(zip, partAt(posix.join(dir, "_rels", `${base}.rels`))));
  const pathOf = (relation: XmlElement | undefined): string | undefined => {
    const target = targetFrom(path, relation);
    return target && (partAt(target) ?? target);
  };
  const paths = new Map(relations.map((relation) => [idOf(relation), pathOf(relation)]));
  const sheets = SHEETS.in(workbook).map((sheet) => {
    const isHidden = /hidden/i.test(stateOf(sheet) ?? "");
    return { name: nameOf(sheet) ?? "", isHidden, path: paths.get(relationOf(sheet)) };
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

function listed(sheets: readonly { readonly name: string }[]): string {
  const names = sheets.map(({ name }) => `"${name}"`);
  return listNames(names, MOST_LISTED);
}

/** The first row with several cells. `undefined` if fewer than two rows have several, as in a sheet of notes. */
async function headerOf(chunks: AsyncGenerator<Uint8Array>, meaning: Meaning): Promise<string | undefined> {
  let [found, isDated]: [readonly string[], boolean] = [[], false];
  for await (const rows of readRows(chunks, meaning)) {
    const text = rows.toString();
    found = [...found, ...(text.match(SEVERAL_CELLS) ?? []).slice(0, 2)];
    isDated ||= DATED.test(text);
    if (found.length > 1) break;
  }
  const [first] = found;
  // Exception: a single row of prices is a table without a header.
  return first === undefined || (found.length === 1 && !isDated)
    ? undefined
    : first.replaceAll(CELL_SEPARATOR, " ").trimEnd();
}

async function readTexts(zip: Zip, path: string | undefined): Promise<readonly string[]> {
  const texts: string[] = [];
  let letters = 0;
  for await (const found of path === undefined ? [] : TEXTS.read(zip.read(path))) {
    for (const { content } of found) {
      // Copied, because a slice would keep the whole chunk of the file in memory.
      const text = Buffer.from(partsOf(content)).toString();
      if (texts.push(text) > MAX_TEXTS || (letters += text.length) > MAX_LETTERS)
        throw new SourceFault("its workbook has more than 2,000,000 texts, or 32 MB of them: save the sheet as CSV");
    }
  }
  return texts;
}

function readFormats(styles: string): readonly NumberFormat[] {
  // Conditional formats, outside this list, may have the same ids. Excel allows at most 255 characters a format.
  const own = FORMAT_LIST.in(styles)[0]?.content ?? "";
  const codes = new Map(FORMATS.in(own).map((format) => [formatOf(format), codeOf(format)?.slice(0, 255)]));
  return STYLE.in(STYLES.in(styles)[0]?.content ?? "").map((style) =>
    numberFormat(Number(formatOf(style)), codes.get(formatOf(style))),
  );
}

/** Whether a relation has this type, in the usual namespace or the one for strict workbooks. */
function isOf(kind: string, relation: XmlElement): boolean {
  return kindOf(relation)?.endsWith(`/${kind}`) ?? false;
}

/** The text of a small part, without comments. */
async function textOf(zip: Zip, path: string | undefined): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of path === undefined ? [] : zip.read(path)) {
    if ((length += chunk.length) > MAX_LETTERS) throw new SourceFault("a part of its workbook is larger than 32 MB");
    chunks.push(chunk);
  }
  return withoutComments(Buffer.concat(chunks).toString()).text;
}
