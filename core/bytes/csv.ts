import { formatDecimal } from "./json.ts";

/** A cell of a table. `null` makes an empty field; the elements of a list are joined with semicolons. */
export type CsvCell = string | number | boolean | null | readonly string[];

/** Joins fields to a CSV record. Quotes the fields that need quotes. */
export function joinCsv(fields: readonly string[]): string {
  return fields.map((field) => (/[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field)).join(",");
}

/** A CSV record of cells. Numbers have all digits and no exponent; texts are protected by `guardFormula`. */
export function csvRecord(cells: readonly CsvCell[]): string {
  return joinCsv(
    cells.map((cell) => {
      if (typeof cell === "number") return formatDecimal(cell);
      if (cell === null) return "";
      return guardFormula(typeof cell === "object" ? cell.join(";") : String(cell));
    }),
  );
}

/** The beginning of a formula. Spreadsheets also accept formulas that begin with a full-width character. */
const FORMULA = /^'*[=+\-@\t\r＝＋－＠]/;

/** Puts an apostrophe before a text that is a formula for spreadsheets, even if apostrophes precede the formula. */
export function guardFormula(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/** Removes the apostrophe that `guardFormula` has added. */
export function unguardFormula(text: string): string {
  return text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text;
}
