import { createZone, dayNumber } from "../../../core/internal.ts";
import type { CalendarDate } from "../../../core/mod.ts";
import { zipOf } from "../../support/zip.ts";

/**
 * A file as people have it: its name (several with blanks between), what is in it, what the person types behind it, and what
 * becomes of it.
 */
export type OddFile = readonly [
  name: string,
  content: Content | readonly Content[],
  options: string,
  outcome: Outcome,
  before?: string,
];
/**
 * What is stored at once, or by the command that the import prints; or the sentence with which nothing is. What the person means
 * is written as `USD_RLS: 20=1907000 2023-01-25=438000 2026-08-21T13:00Z=1905000`. A day alone is one of August 2026; without an
 * hour it is 16:30, and without Z of Tehran.
 */
type Outcome = string | { readonly byCommand: string } | { readonly rejected: string };
type Content = string | Uint8Array;

/** The dollar of three days, as most of these files have it. */
export const DOLLAR = "USD_RLS: 19=1903000 20=1907000 21=1905000";
export const EURO = "EUR_RLS: 19=2219000 20=2227500 21=2224000";
/** The same, by the command that is printed. */
export const DOLLAR_ASKED = { byCommand: DOLLAR };
export const EURO_ASKED = { byCommand: EURO };
/** Why many files are rejected. */
export const NO_NUMBER = { rejected: "value must be a number above zero" };
export const NO_VALUE = { rejected: "its header lacks value" };
export const NO_TIME = { rejected: "businessTime must be ISO 8601 with a zone" };
export const TWO_VALUES = { rejected: "has two values" };
export const A_MONTH = { rejected: "may be a month, or a day without its year: write its days in full" };
export const OTHER_CURRENCY = { rejected: "convert them to rial or US dollars" };
export const TELLS_APART = { rejected: "tells different prices at one time apart" };
export const NO_ORDER = { rejected: "its rows do not show which of these are open, high, low and close" };
/** What people type behind a file of the dollar that has days alone. */
export const D = "--code USD_RLS --day-at 16:30";
export const AT = "--day-at 16:30";

/** A table of 19, 20 and 21 August 2026, from the cells behind the date. */
export function days(header: string, ...cells: readonly (string | number)[]): string {
  return [header, ...cells.map((cell, at) => `2026-08-${19 + at},${cell}`)].join("\n");
}

/** The same days in the Jalali calendar. */
export function jalali(header: string, ...cells: readonly (string | number)[]): string {
  return [header, ...cells.map((cell, at) => `1405/05/${28 + at},${cell}`)].join("\n");
}

/** A truth as `CODE value time`, in order; times to the second. */
export function truthOf(text: string): readonly string[] {
  const tehran = createZone("Asia/Tehran");
  let code = "";
  return text
    .split(" ")
    .flatMap((word) => {
      if (word.endsWith(":")) code = word.slice(0, -1);
      const [when = "", value] = word.split("=");
      if (value === undefined && word !== "" && !word.endsWith(":")) throw new Error(`"${word}" is no outcome`);
      if (value === undefined) return [];
      const iso = /^\d\d(?!\d)/.test(when) ? `2026-08-${when}` : when;
      const [date = "", clock = "16:30"] = iso.split("T");
      const [hour = "0", minute = "0", second = "0"] = clock.replace("Z", "").split(":");
      const ofDay = ((+hour * 60 + +minute) * 60 + +second) * 1_000;
      const time = iso.endsWith("Z")
        ? Date.parse(`${date}T00:00Z`) + ofDay
        : tehran.momentAt(dayNumber(date as CalendarDate), ofDay);
      return [record(code, +value, time)];
    })
    .sort();
}

export function record(code: string, value: number, time: number): string {
  return `${code} ${value} ${new Date(Math.round(time / 1_000) * 1_000).toISOString().slice(0, 19)}`;
}

/** The days from 1899-12-30, as spreadsheets count them. */
export function serial(iso: string): number {
  return Date.parse(iso) / 86_400_000 + 25_569;
}

/** A cell of a workbook: text, number, or a date by its serial. */
type Cell = string | number | { readonly date: number } | { readonly time: number };

/** A workbook of these sheets, as spreadsheet programs write it. */
export function workbook(sheets: Readonly<Record<string, readonly (readonly Cell[])[]>>): Uint8Array {
  const texts: string[] = [];
  const cellXml = (cell: Cell, at: string): string => {
    if (typeof cell === "number") return `<c r="${at}"><v>${cell}</v></c>`;
    if (typeof cell === "object")
      return "date" in cell
        ? `<c r="${at}" s="1"><v>${cell.date}</v></c>`
        : `<c r="${at}" s="2"><v>${cell.time}</v></c>`;
    return cell === "" ? "" : `<c r="${at}" t="s"><v>${texts.push(cell) - 1}</v></c>`;
  };
  const rowXml = (row: readonly Cell[], at: number): string =>
    `<row r="${at + 1}">${row.map((cell, i) => cellXml(cell, `${"ABCDEFGH"[i]!}${at + 1}`)).join("")}</row>`;
  const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
  const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
  const names = Object.keys(sheets);
  const pages = names.map(
    (name) => `<worksheet ${main}><sheetData>${sheets[name]!.map(rowXml).join("")}</sheetData></worksheet>`,
  );
  const relation = (id: string, type: string, target: string): string =>
    `<Relationship Id="${id}" Type="${office}/${type}" Target="${target}"/>`;
  const relations = (inside: string): string =>
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${inside}</Relationships>`;
  const sheetList = names.map((name, at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`).join("");
  const sheetRelations = names
    .map((_, at) => relation(`rId${at + 1}`, "worksheet", `worksheets/sheet${at + 1}.xml`))
    .join("");
  const files: Readonly<Record<string, string>> = {
    "[Content_Types].xml":
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>',
    "_rels/.rels": relations(relation("rId1", "officeDocument", "xl/workbook.xml")),
    "xl/workbook.xml": `<workbook ${main} xmlns:r="${office}"><sheets>${sheetList}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": relations(
      `${sheetRelations}${relation("rId98", "styles", "styles.xml")}${relation("rId99", "sharedStrings", "sharedStrings.xml")}`,
    ),
    "xl/styles.xml": `<styleSheet ${main}><cellXfs count="3"><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/><xf numFmtId="22" applyNumberFormat="1"/></cellXfs></styleSheet>`,
    "xl/sharedStrings.xml": `<sst ${main}>${texts.map((text) => `<si><t xml:space="preserve">${text.replace(/&/g, "&amp;").replace(/</g, "&lt;")}</t></si>`).join("")}</sst>`,
    ...Object.fromEntries(pages.map((xml, at) => [`xl/worksheets/sheet${at + 1}.xml`, xml])),
  };
  return zipOf(
    Object.entries(files).map(([name, xml]) => ({
      name,
      content: `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n${xml}`,
    })),
  );
}

/** A text in the bytes of Windows for Persian and Arabic. */
export function windows1256(text: string): Uint8Array {
  const decoder = new TextDecoder("windows-1256");
  const bytes = new Map(Array.from({ length: 256 }, (_, byte) => [decoder.decode(Uint8Array.of(byte)), byte]));
  return Uint8Array.from([...text.replaceAll("ی", "ي").replaceAll("ک", "ك")], (letter) => bytes.get(letter) ?? 0x3f);
}

/** The words of a command line, as a shell takes them. */
export function words(line: string): string[] {
  const found = line.match(/(?:[^\s"'\\]|\\.|"[^"]*"|'[^']*')+/g) ?? [];
  return found.map((word) =>
    word.replace(/\\(.)|"([^"]*)"|'([^']*)'/g, (_, escaped, double, single) => escaped ?? double ?? single),
  );
}
