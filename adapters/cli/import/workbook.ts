import { numberFormat, shownNumber } from "./number_formats.ts";
import type { NumberFormat } from "./number_formats.ts";
import { SourceFault } from "./source_head.ts";
import type { Told } from "./source_head.ts";
import { attribute, plainText, readTags } from "./xml_tags.ts";
import type { Tag } from "./xml_tags.ts";
import type { Zip } from "./zip.ts";

/** Stands between the cells of a row in the text of a sheet. No cell has it. */
export const CELL_SEPARATOR = "\u001f";

/** What the cells of a workbook mean. */
interface Meaning {
  /** The texts that cells refer to. */
  readonly texts: readonly string[];
  /** The number formats of cells, by their style. */
  readonly formats: readonly NumberFormat[];
  readonly is1904: boolean;
}

interface Sheet {
  readonly name: string;
  readonly isHidden: boolean;
  readonly path: string;
}

const MAX_SHARED_LETTERS = 64 * 1_048_576;
const MAX_ROWS = 1_048_576;
const MAX_COLUMNS = 1_000;
const DOCUMENT = "[Content_Types].xml";
const WORKBOOK = "xl/workbook.xml";
const [REFERENCE, TYPE, STYLE, NAME, STATE, RELATION] = [attribute("r"), attribute("t"), attribute("s"), attribute("name"), attribute("state"), attribute("\\w+:id")];
const [ID, TARGET, KIND, FORMAT_ID, FORMAT_CODE, DATE_1904] = [attribute("Id"), attribute("Target"), attribute("Type"), attribute("numFmtId"), attribute("formatCode"), attribute("date1904")];

/** Whether an archive is a document of an office program. */
export function isWorkbook({ names }: Zip): boolean {
  return names.includes(DOCUMENT) || names.includes("mimetype");
}

/**
 * The rows of a sheet as lines of text: line 5 is row 5. Dates are `2026-08-21` or `2026-08-21 16:30:00`.
 *
 * @param sheet The name of the sheet; `undefined` for the first that is not hidden. Source: ECMA-376, part 1, 18.
 */
export async function* readWorkbook(zip: Zip, { sheet, told }: { readonly sheet: string | undefined; readonly told: Told }): AsyncGenerator<Uint8Array> {
  if (!zip.names.includes(WORKBOOK)) throw new SourceFault("it is a document of an office program, but no .xlsx workbook: save its table as .xlsx or CSV");
  const targets = await readTargets(zip);
  const { sheets, is1904 } = await readSheets(zip, targets);
  const found = sheet === undefined ? (sheets.find(({ isHidden }) => !isHidden) ?? sheets[0]) : sheets.find(({ name }) => name.trim() === sheet.trim());
  const listed = sheets.map(({ name }) => `"${name}"`).join(", ");
  if (!found) throw new SourceFault(sheet === undefined ? "its workbook has no sheet" : `its workbook has no sheet "${sheet}": it has ${listed}`);
  if (sheets.length > 1) told.form = `sheet "${found.name}" of ${listed}`;
  const partOf = (kind: string): string | undefined => [...targets.values()].find((target) => target.kind === kind)?.path;
  const meaning = { texts: await readTexts(zip, partOf("sharedStrings")), formats: await readFormats(zip, partOf("styles")), is1904 };
  yield* readRows(zip.read(found.path), meaning);
}

type Targets = ReadonlyMap<string, { readonly path: string; readonly kind: string }>;

/** The files of a workbook by the name of the relation. */
async function readTargets(zip: Zip): Promise<Targets> {
  const targets = new Map<string, { readonly path: string; readonly kind: string }>();
  for await (const tag of tagsOf(zip, "xl/_rels/workbook.xml.rels")) {
    const [id, target] = [ID(tag), TARGET(tag)];
    if (id === undefined || target === undefined) continue;
    targets.set(id, { path: target.startsWith("/") ? target.slice(1) : `xl/${target}`, kind: KIND(tag)?.split("/").at(-1) ?? "" });
  }
  return targets;
}

async function readSheets(zip: Zip, targets: Targets): Promise<{ readonly sheets: readonly Sheet[]; readonly is1904: boolean }> {
  const sheets: Sheet[] = [];
  let is1904 = false;
  for await (const tag of tagsOf(zip, WORKBOOK)) {
    if (tag.name === "workbookPr") is1904 = /^(?:1|true)$/.test(DATE_1904(tag) ?? "");
    const target = tag.name === "sheet" ? targets.get(RELATION(tag) ?? "") : undefined;
    if (target?.kind === "worksheet") sheets.push({ name: NAME(tag) ?? "", isHidden: (STATE(tag) ?? "visible") !== "visible", path: target.path });
  }
  return { sheets, is1904 };
}

async function readTexts(zip: Zip, path: string | undefined): Promise<readonly string[]> {
  const texts: string[] = [];
  const text = createTextReader();
  let letters = 0;
  for await (const tag of path === undefined ? [] : tagsOf(zip, path)) {
    text.read(tag);
    if (tag.name !== "/si" && !isEmpty(tag, "si")) continue;
    const whole = text.take();
    if ((letters += whole.length) > MAX_SHARED_LETTERS) throw new SourceFault("its workbook has more than 64 MB of texts: save the sheet as CSV");
    texts.push(whole);
  }
  return texts;
}

async function readFormats(zip: Zip, path: string | undefined): Promise<readonly NumberFormat[]> {
  const codes = new Map<number, string>();
  const formats: NumberFormat[] = [];
  let isOfCells = false;
  for await (const tag of path === undefined ? [] : tagsOf(zip, path)) {
    const id = Number(FORMAT_ID(tag));
    if (tag.name === "numFmt") codes.set(id, FORMAT_CODE(tag) ?? "");
    if (tag.name.endsWith("cellXfs")) isOfCells = tag.name === "cellXfs";
    if (isOfCells && tag.name === "xf") formats.push(numberFormat(id, codes.get(id)));
  }
  return formats;
}

/** The rows of a sheet. Each has at least as many cells as those before, as sheets leave blank ones at the end out. */
async function* readRows(chunks: AsyncIterable<Uint8Array>, meaning: Meaning): AsyncGenerator<Uint8Array> {
  const text = createTextReader();
  let [row, lines, width] = [0, 0, 0];
  let cells: string[] = [];
  let [column, cell]: [number, Tag | undefined] = [0, undefined];
  for await (const tags of readTags(chunks)) {
    const out: string[] = [];
    for (const tag of tags) {
      text.read(tag);
      if (tag.name === "row") {
        row = Math.max(Number(REFERENCE(tag) ?? row + 1), row + 1);
        if (!(row <= MAX_ROWS)) throw new SourceFault("its sheet has more than 1,048,576 rows: save it as CSV");
        [cells, column] = [[], 0];
      } else if (tag.name === "c") {
        [column, cell] = [columnOf(REFERENCE(tag)) ?? column + 1, tag];
        text.take();
      } else if (tag.name === "/c" && cell) {
        const shown = cellText(cell, text.take(), meaning);
        if (shown === "") continue;
        if (column > MAX_COLUMNS) throw new SourceFault("its sheet has more than 1,000 columns: save those that count as CSV");
        cells[column - 1] = shown;
        width = Math.max(width, column);
      } else if (tag.name === "/row") {
        out.push("\n".repeat(row - 1 - lines), Array.from({ length: width }, (_, at) => cells[at] ?? "").join(CELL_SEPARATOR), "\n");
        lines = row;
      }
    }
    if (out.length > 0) yield Buffer.from(out.join(""));
  }
}

/** A cell on one line; quoted where it has quotes, as in CSV. */
function cellText(cell: Tag, text: string, { texts, formats, is1904 }: Meaning): string {
  const type = TYPE(cell);
  const shown =
    type === "s" ? (texts[Number(text)] ?? "")
    : type === "b" ? (text === "1" ? "TRUE" : "FALSE")
    : type === undefined || type === "n" ? shownNumber(text, formats[Number(STYLE(cell) ?? 0)] ?? NO_FORMAT, is1904)
    : text;
  const line = shown.replace(/\p{Cc}+/gu, " ");
  return line.includes('"') ? `"${line.replaceAll('"', '""')}"` : line;
}

const NO_FORMAT: NumberFormat = { hasDay: false, hasHour: false, words: "" };

/** Collects the text within `v` and `t`: a formula is none, and how a text is to be spoken is none. */
function createTextReader(): { read(tag: Tag): void; take(): string } {
  let [text, isText, isSpoken] = ["", false, false];
  return {
    read({ name, attributes, before }) {
      if (isText) text += plainText(before);
      if (name.endsWith("rPh")) isSpoken = name === "rPh";
      isText = (name === "v" || name === "t") && !isSpoken && !attributes.endsWith("/");
    },
    take() {
      const taken = text;
      text = "";
      return taken;
    },
  };
}

/** The number of the column in a reference such as `AB12`, from 1 on. */
function columnOf(reference: string | undefined): number | undefined {
  let column = 0;
  for (const letter of reference ?? "") {
    if (letter < "A" || letter > "Z") break;
    column = column * 26 + letter.charCodeAt(0) - 64;
  }
  return column === 0 ? undefined : column;
}

function isEmpty({ name, attributes }: Tag, wanted: string): boolean {
  return name === wanted && attributes.endsWith("/");
}

async function* tagsOf(zip: Zip, path: string): AsyncGenerator<Tag> {
  for await (const tags of readTags(zip.read(path))) yield* tags;
}
