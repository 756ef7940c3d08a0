import type { Row } from "./record_columns.ts";
import { type CsvFault, createCsvSplitter } from "./split_fields.ts";
import { MAX_LINE_BYTES, type SplitLine, type TextLine } from "./split_lines.ts";

/** The most lines per row. If a row is longer, its first quote counts as unclosed, and its other lines are reread. */
const MAX_ROW_LINES = 50;

/** Why a row cannot be read, in words. */
export const CSV_FAULTS: Readonly<Record<CsvFault, string>> = {
  OPEN_QUOTE: "a quoted field does not end",
  TEXT_AFTER_QUOTE: "a quoted field is followed by something other than a separator",
};

/**
 * Creates a splitter of CSV lines into rows: `read` returns the rows that a line completes, `end` those that the end of
 * the file completes. An unclosed quote makes only its own line unreadable.
 */
export function createCsvRows(separator: string, headerText: string) {
  const splitter = createCsvSplitter(separator);
  /** The lines of the current row. While a quoted field is open, the row continues on the next line. */
  let held: TextLine[] = [];
  let heldLength = 0;

  function read(line: SplitLine): readonly Row[] {
    if ("fault" in line) return [...end(), { line: line.number, reason: line.fault }];
    const { text, number } = line;
    if (held.length === 0) {
      // A line may be blank, or repeat the header, as in joined files.
      if (text.trim() === "" || text === headerText) return [];
      // Most lines are complete rows.
      if (!text.includes('"')) return [{ line: number, cells: text.split(separator) }];
    }
    held.push(line);
    heldLength += text.length + 1;
    if (heldLength > MAX_LINE_BYTES + 1) return rejectFirst(CSV_FAULTS.OPEN_QUOTE);
    const cells = splitter.read(text);
    if (!cells.ok && cells.error === "OPEN_QUOTE")
      return held.length < MAX_ROW_LINES ? [] : rejectFirst(`${CSV_FAULTS.OPEN_QUOTE} within ${MAX_ROW_LINES} lines`);
    if (!cells.ok && held.length > 1) return rejectFirst(CSV_FAULTS.OPEN_QUOTE);
    const [first] = drop();
    return [{ line: first!.number, ...(cells.ok ? { cells: cells.value } : { reason: CSV_FAULTS[cells.error] }) }];
  }

  /** Rejects the first line because of its unclosed quote, and reads the lines after it again. */
  function rejectFirst(reason: string): readonly Row[] {
    const [first, ...others] = drop();
    return [{ line: first!.number, reason }, ...others.flatMap(read)];
  }

  /** Returns the lines of the current row, and begins the next row. */
  function drop(): readonly TextLine[] {
    const lines = held;
    splitter.reset();
    held = [];
    heldLength = 0;
    return lines;
  }

  function end(): readonly Row[] {
    return held.length === 0 ? [] : [...rejectFirst(CSV_FAULTS.OPEN_QUOTE), ...end()];
  }

  return { read, end };
}
