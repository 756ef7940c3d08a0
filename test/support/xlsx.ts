import { zipOf } from "./zip.ts";

/** What a workbook of a test has. */
export interface WorkbookParts {
  /** The rows of each sheet, as XML, by name; a name that begins with a dot is that of a hidden sheet. */
  readonly sheets: Readonly<Record<string, string>>;
  /** The texts that cells of type `s` refer to, each as the XML within `si`. */
  readonly texts?: readonly string[];
  /** The formats of styles 1, 2, …: a number, or a code. */
  readonly formats?: readonly (number | string)[];
  readonly is1904?: boolean;
}

/** Makes a workbook with what a reader needs of it. */
export function xlsxOf({ sheets, texts = [], formats = [], is1904 = false }: WorkbookParts): Buffer {
  const names = Object.keys(sheets);
  const relation = (id: string, kind: string, target: string): string =>
    `<Relationship Id="${id}" Type="http://relations/${kind}" Target="${target}"/>`;
  const sheetTags = names.map(
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
    "xl/workbook.xml": `<?xml version="1.0"?>\n<workbook><workbookPr date1904="${is1904 ? 1 : 0}"/><sheets>${sheetTags.join("")}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `<Relationships>${names.map((_, at) => relation(`s${at}`, "worksheet", `/xl/worksheets/${at}.xml`)).join("")}${relation(
      "t",
      "sharedStrings",
      "texts.xml",
    )}${relation("f", "styles", "styles.xml")}</Relationships>`,
    "xl/texts.xml": `<sst>${texts.map((text) => `<si>${text}</si>`).join("")}</sst>`,
    "xl/styles.xml": `<styleSheet><numFmts>${codes.join("")}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs>${styles.join("")}</cellXfs></styleSheet>`,
    ...Object.fromEntries(
      Object.values(sheets).map((rows, at) => [
        `xl/worksheets/${at}.xml`,
        `<worksheet><cols><col min="1"/></cols><sheetData>${rows}</sheetData></worksheet>`,
      ]),
    ),
  };
  return zipOf(Object.entries(parts).map(([name, content]) => ({ name, content })));
}

/** A row of cells: texts and numbers as they are, or the XML of a cell. */
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
