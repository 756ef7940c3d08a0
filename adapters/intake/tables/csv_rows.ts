import type { CellRow, RejectedRow } from "./record_columns.ts";
import { type CsvFault, createCsvSplitter } from "./split_fields.ts";
import { MAX_LINE_BYTES, type SplitLine, type TextLine } from "./split_lines.ts";

/** The most lines per row. If a row is longer, its first quote counts as unclosed, and its other lines are reread. */
const MAX_ROW_LINES = 50;

/** Why a row cannot be read, in words. */
export const CSV_FAULTS: Readonly<Record<CsvFault, string>> = {
  OPEN_QUOTE: "a quoted field does not end",
  TEXT_AFTER_QUOTE: "a quoted field is followed by something other than a separator",
};

type Rows = (CellRow | RejectedRow)[];

/** Creates a splitter that turns CSV lines into rows. An unclosed quote makes only its own line unreadable. */
export function createCsvRows(separator: string, headerText: string) {
  const splitter = createCsvSplitter(separator);
  /** The lines of the current row. While a quoted field is open, the row continues on the next line. */
  let held: TextLine[] = [];
  let heldLength = 0;

  function read(line: SplitLine, rows: Rows): void {
    if ("fault" in line) {
      end(rows);
      rows.push({ line: line.number, reason: line.fault });
      return;
    }
    // Most lines are complete rows.
    if (held.length === 0 && !line.text.includes('"')) {
      if (!isSkipped(line.text)) rows.push({ line: line.number, cells: line.text.split(separator) });
      return;
    }
    for (const next of readLine(line, rows)) read(next, rows);
  }

  /** Whether a line is blank or repeats the header, as in joined files. */
  function isSkipped(text: string): boolean {
    return text.trim() === "" || text === headerText;
  }

  /** Reads a line. If a row is rejected because of its first line, returns its other lines, to be read again. */
  function readLine(line: TextLine, rows: Rows): readonly TextLine[] {
    if (held.length === 0 && isSkipped(line.text)) return [];
    held.push(line);
    heldLength += line.text.length + 1;
    if (heldLength > MAX_LINE_BYTES + 1) return rejectFirst(rows, CSV_FAULTS.OPEN_QUOTE);
    const cells = splitter.read(line.text);
    if (!cells.ok && cells.error === "OPEN_QUOTE") {
      if (held.length < MAX_ROW_LINES) return [];
      return rejectFirst(rows, `${CSV_FAULTS.OPEN_QUOTE} within ${MAX_ROW_LINES} lines`);
    }
    if (!cells.ok && held.length > 1) return rejectFirst(rows, CSV_FAULTS.OPEN_QUOTE);
    const { number } = held[0]!;
    rows.push(cells.ok ? { line: number, cells: cells.value } : { line: number, reason: CSV_FAULTS[cells.error] });
    drop();
    return [];
  }

  /** Rejects the first line because of its unclosed quote; returns the lines after it. */
  function rejectFirst(rows: Rows, reason: string): readonly TextLine[] {
    const [first, ...others] = held;
    if (first) rows.push({ line: first.number, reason });
    drop();
    return others;
  }

  function drop(): void {
    splitter.reset();
    held = [];
    heldLength = 0;
  }

  function end(rows: Rows): void {
    while (held.length > 0) for (const line of rejectFirst(rows, CSV_FAULTS.OPEN_QUOTE)) read(line, rows);
  }

  return { read, end };
}
