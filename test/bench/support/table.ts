/** Text, or a number that is shown with three significant digits. */
export type Cell = string | number;

/** A table with a heading. */
export interface Table {
  readonly title: string;
  readonly columns: readonly string[];
  /** Each with as many cells as there are columns. */
  readonly rows: readonly (readonly Cell[])[];
}

/** How tables are printed: aligned text, Markdown, or one JSON object a line. */
export type TableFormat = "text" | "markdown" | "json";

/** Prints a table to standard output. */
export function printTable(table: Table, format: TableFormat): void {
  console.log(formatTable(table, format));
}

/** A table as text; the first column is aligned to the left, the others to the right. */
export function formatTable({ title, columns, rows }: Table, format: TableFormat): string {
  if (format === "json") {
    const objects = rows.map((row) => Object.fromEntries(columns.map((column, i) => [column, row[i]])));
    return JSON.stringify({ title, rows: objects });
  }
  const lines = [columns, ...rows.map((row) => row.map(formatCell))];
  const widths = columns.map((_, i) => Math.max(3, ...lines.map((line) => line[i]!.length)));
  const [head, ...body] = lines.map((line) => line.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))));
  const rule = widths.map((width, i) => (i === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`));
  if (format === "markdown") return ["", `**${title}**`, "", ...[head!, rule, ...body].map((line) => `| ${line.join(" | ")} |`)].join("\n");
  return ["", title, ...[head!, ...body].map((line) => `  ${line.join("   ")}`)].join("\n");
}

/** A number with three significant digits, never with an exponent. */
export function formatCell(cell: Cell): string {
  if (typeof cell === "string") return cell;
  if (!Number.isFinite(cell)) return "-";
  const digits = cell === 0 ? 0 : Math.min(6, Math.max(0, 2 - Math.floor(Math.log10(Math.abs(cell)))));
  return cell.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
