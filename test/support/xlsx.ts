import { posix } from "node:path";
import { zipOf } from "./zip.ts";

/** The parts of a test's workbook. */
export interface WorkbookParts {
  /** The rows of each sheet, as XML, by the sheet's name. A name that begins with a dot makes a hidden sheet. */
  readonly sheets: Readonly<Record<string, string>>;
  /** The shared texts to which cells of type `s` refer, each as the XML within `si`. */
  readonly texts?: readonly string[];
  /** The formats of styles 1, 2, …: a format number or a format code. */
  readonly formats?: readonly (number | string)[];
  readonly is1904?: boolean;
  /** The merged ranges of every sheet: `A1:B2`. */
  readonly merges?: readonly string[];
  /** The path of the main part, written to `_rels/.rels`. By default, the path is the usual one and is not written. */
  readonly main?: string;
  /** The folder of the sheets, as written in the relations of the main part. */
  readonly folder?: string;
  /** Maps a part's path to its file name in the archive. */
  readonly fileName?: (path: string) => string;
}

/** Makes a workbook with the parts that a reader needs. */
export function xlsxOf({
  sheets,
  texts = [],
  formats = [],
  is1904 = false,
  merges = [],
  ...names
}: WorkbookParts): Buffer {
  const { main, folder = "/xl/worksheets/", fileName = (path: string) => path } = names;
  const { dir, base } = posix.parse(main ?? "xl/workbook.xml");
  const sheetNames = Object.keys(sheets);
  const relation = (id: string, kind: string, target: string): string =>
    `<Relationship Id="${id}" Type="http://relations/${kind}" Target="${target}"/>`;
  const sheetTags = sheetNames.map(
    (name, at) =>
      `<sheet name="${name.replace(/^\./, "")}" sheetId="${at + 1}"${name.startsWith(".") ? ' state="hidden"' : ""} r:id="s${at}"/>`,
  );
  const codes = formats.map((format, at) =>
    typeof format === "string" ? `<numFmt numFmtId="${164 + at}" formatCode="${format}"/>` : "",
  );
  const styles = [
    '<xf numFmtId="0"/>',
    ...formats.map(
      (format, at) => `<xf numFmtId="${typeof format === "string" ? 164 + at : format}" xfId="0"><alignment/></xf>`,
    ),
  ];
  const parts = {
    "[Content_Types].xml": "<Types/>",
    ...(main && { "_rels/.rels": `<Relationships>${relation("m", "officeDocument", main)}</Relationships>` }),
    [posix.join(dir, base)]:
      `<?xml version="1.0"?>\n<workbook><workbookPr date1904="${is1904 ? 1 : 0}"/><sheets>${sheetTags.join("")}</sheets></workbook>`,
    [posix.join(dir, "_rels", `${base}.rels`)]:
      `<Relationships>${sheetNames.map((_, at) => relation(`s${at}`, "worksheet", `${folder}${at}.xml`)).join("")}${relation(
        "t",
        "sharedStrings",
        "/xl/texts.xml",
      )}${relation("f", "styles", "/xl/styles.xml")}</Relationships>`,
    "xl/texts.xml": `<sst>${texts.map((text) => `<si>${text}</si>`).join("")}</sst>`,
    "xl/styles.xml": `<styleSheet><numFmts>${codes.join("")}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs>${styles.join("")}</cellXfs><dxfs><dxf><numFmt numFmtId="164" formatCode="0%"/></dxf></dxfs></styleSheet>`,
    ...Object.fromEntries(
      Object.values(sheets).map((rows, at) => [
        `xl/worksheets/${at}.xml`,
        `<worksheet><cols><col min="1"/></cols><sheetData>${rows}</sheetData><mergeCells>${merges.map((range) => `<mergeCell ref="${range}"/>`).join("")}</mergeCells></worksheet>`,
      ]),
    ),
  };
  return zipOf(Object.entries(parts).map(([name, content]) => ({ name: fileName(name.replace(/^\//, "")), content })));
}

/** A row of cells: plain texts and numbers, or the XML of a cell. */
export function xlsxRow(number: number, cells: readonly (string | number)[]): string {
  const xml = cells.map((cell, at) => {
    if (typeof cell === "string" && cell.startsWith("<c")) return cell;
    const place = `${String.fromCharCode(65 + at)}${number}`;
    return typeof cell === "number"
      ? `<c r="${place}"><v>${cell}</v></c>`
      : `<c r="${place}" t="inlineStr"><is><t>${cell}</t></is></c>`;
  });
  return `<row r="${number}">${xml.join("")}</row>`;
}

/** A cell of a plain workbook: a text, a number, or a day or time as a serial number with its format. */
export type WorkbookCell = string | number | { readonly date: number } | { readonly time: number };

/** A workbook with these rows, by sheet. */
export function workbook(sheets: Readonly<Record<string, readonly (readonly WorkbookCell[])[]>>): Buffer {
  const cellOf = (cell: WorkbookCell): string | number => {
    if (typeof cell === "string") return cell.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
    if (typeof cell === "number") return cell;
    return "date" in cell ? `<c s="1"><v>${cell.date}</v></c>` : `<c s="2"><v>${cell.time}</v></c>`;
  };
  const rowsOf = (rows: readonly (readonly WorkbookCell[])[]): string =>
    rows.map((cells, at) => xlsxRow(at + 1, cells.map(cellOf))).join("");
  const entries = Object.entries(sheets).map(([name, rows]) => [name, rowsOf(rows)]);
  return xlsxOf({ sheets: Object.fromEntries(entries), formats: [14, 22] });
}

/** Days since 1899-12-30, as spreadsheets count them. */
export function serial(iso: string): number {
  return Date.parse(iso) / 86_400_000 + 25_569;
}
