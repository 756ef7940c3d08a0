import { formatDecimal } from "./json.ts";

/** A cell of a table. `null` is an empty one, a list its elements with semicolons between them. */
export type CsvCell = string | number | boolean | null | readonly string[];

/** Joins fields to a CSV record, quoting where it is needed. */
export function joinCsv(fields: readonly string[]): string {
  return fields.map((field) => (/[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field)).join(",");
}

/** A CSV record of cells: numbers with all their digits and without an exponent, texts as `guardFormula` gives them. */
export function csvRecord(cells: readonly CsvCell[]): string {
  return joinCsv(
    cells.map((cell) => {
      if (typeof cell === "number") return formatDecimal(cell);
      if (cell === null) return "";
      return guardFormula(typeof cell === "object" ? cell.join(";") : String(cell));
    }),
  );
}

/** Also as wide characters, which spreadsheets read alike. */
const FORMULA = /^'*[=+\-@\t\r＝＋－＠]/;

/** Puts an apostrophe before a text that a spreadsheet would run as a formula, also if it has some already. */
export function guardFormula(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/** Removes the apostrophe that `guardFormula` has added. */
export function unguardFormula(text: string): string {
  return text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text;
}
