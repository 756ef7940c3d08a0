import { DAY_MS, formatDecimal, formatTimestamp, HOUR_MS, MINUTE_MS } from "../../core/internal.ts";
import type { UtcMillis } from "../../core/mod.ts";
import { printable } from "./command_failure.ts";

/** A cell of a table. Numbers are aligned on the right. */
export type Cell = string | number;

const GAP = "  ";

/** Lays out rows in columns, without blanks at the end of lines. */
export function alignColumns(rows: readonly (readonly Cell[])[]): string[] {
  const texts = rows.map((row) => row.map((cell) => (typeof cell === "number" ? formatCount(cell) : printable(cell))));
  const widths: number[] = [];
  for (const row of texts) {
    row.forEach((text, column) => (widths[column] = Math.max(widths[column] ?? 0, text.length)));
  }
  return texts.map((row, at) => {
    const cells = row.map((text, column) => {
      return typeof rows[at]?.[column] === "number" ? text.padStart(widths[column]!) : text.padEnd(widths[column]!);
    });
    return cells.join(GAP).trimEnd();
  });
}

/** A table with a heading, as text. Returns `empty` if there are no rows. */
export function table(heading: readonly string[], rows: readonly (readonly Cell[])[], empty: string): string {
  if (rows.length === 0) return `${empty}\n`;
  return `${alignColumns([heading, ...rows]).join("\n")}\n`;
}

/**
 * A table with a heading, in lines of at most `columns` characters. Leaves out the last columns that do not fit, but
 * always keeps two columns. `hidden` has the headings of the columns that were left out.
 */
export function fitColumns(
  heading: readonly string[],
  rows: readonly (readonly Cell[])[],
  columns = Infinity,
): { readonly text: readonly string[]; readonly hidden: readonly string[] } {
  for (let count = heading.length; ; count--) {
    const text = alignColumns([heading, ...rows].map((row) => row.slice(0, count)));
    if (count <= 2 || text.every((line) => line.length <= columns)) return { text, hidden: heading.slice(count) };
  }
}

/** A number with all digits, and with commas between thousands, such as `1,903,482` or `0.00000098`. */
export function formatCount(count: number): string {
  const [whole = "", fraction] = formatDecimal(count).split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

/** A count with its noun, such as `1 record` or `2,000 records`. */
export function countOf(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** A duration in minutes, or in hours or days if there are at least two, such as `1 minute` or `98 days`. */
export function durationInWords(ms: number): string {
  if (ms >= 2 * DAY_MS) return countOf(Math.floor(ms / DAY_MS), "day");
  if (ms >= 2 * HOUR_MS) return countOf(Math.floor(ms / HOUR_MS), "hour");
  return countOf(Math.floor(ms / MINUTE_MS), "minute");
}

/** The first names as text, and the number of the others. */
export function listNames(names: readonly string[], most: number): string {
  const more = names.length - most;
  return names.slice(0, most).join(", ") + (more > 0 ? ` and ${formatCount(more)} more` : "");
}

/** A time in ISO 8601; `null` for none. */
export function timestampOrNull(time: UtcMillis | null): string | null {
  return time === null ? null : formatTimestamp(time);
}

/** A time as a cell; a dash if there is none. */
export function formatTime(time: UtcMillis | null): string {
  return timestampOrNull(time) ?? "-";
}
