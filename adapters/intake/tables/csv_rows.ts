import type { CellRow, RejectedRow } from "./record_columns.ts";
import { type CsvFault, createCsvSplitter } from "./split_fields.ts";
import { MAX_LINE_BYTES, type SplitLine, type TextLine } from "./split_lines.ts";

/** Makes rows of the lines of a file. */
export interface RowSplitter {
  /** Reads a line; adds the rows that it completes to `rows`. */
  read(line: SplitLine, rows: (CellRow | RejectedRow)[]): void;
  /** Adds the rows that the end of the file completes. */
  end(rows: (CellRow | RejectedRow)[]): void;
}

/** The most lines of a row. A quote that nobody has closed is found after so many, each of which is then read again. */
const MAX_ROW_LINES = 50;

const QUOTE = '"';

/** Why a row could not be read, in words. */
export const CSV_FAULTS: Readonly<Record<CsvFault, string>> = {
  OPEN_QUOTE: "a quoted field does not end",
  TEXT_AFTER_QUOTE: "a quoted field is followed by something other than a separator",
};

/** Makes the splitter of CSV with this separator. A quote that is never closed costs its own line only. */
export function createCsvRows(separator: string, headerText: string): RowSplitter {
  const splitter = createCsvSplitter(separator);
  // The lines of the current row: several while a quoted field goes on after the end of a line.
  let held: TextLine[] = [];
  let heldLength = 0;

  function read(line: SplitLine, rows: (CellRow | RejectedRow)[]): void {
    if ("fault" in line) {
      end(rows);
      rows.push({ line: line.number, reason: line.fault });
      return;
    }
    // Most lines are a row of their own.
    if (held.length === 0 && !line.text.includes(QUOTE)) {
      if (!isPassedOver(line.text)) rows.push({ line: line.number, cells: line.text.split(separator) });
      return;
    }
    const queue = [...readLine(line, rows)];
    for (let next = queue.shift(); next; next = queue.shift()) queue.unshift(...readLine(next, rows));
  }

  /** The header comes again in files that were joined. */
  function isPassedOver(text: string): boolean {
    return text.trim() === "" || text === headerText;
  }

  /** Reads a line; returns those that must be read again, as they are no part of a row with an earlier one. */
  function readLine(line: TextLine, rows: (CellRow | RejectedRow)[]): readonly TextLine[] {
    if (held.length === 0 && isPassedOver(line.text)) return [];
    held.push(line);
    heldLength += line.text.length + 1;
    if (heldLength > MAX_LINE_BYTES + 1) return refuseFirst(rows, CSV_FAULTS.OPEN_QUOTE);
    const cells = splitter.read(line.text);
    if (!cells.ok && cells.error === "OPEN_QUOTE") {
      return held.length < MAX_ROW_LINES
        ? []
        : refuseFirst(rows, `${CSV_FAULTS.OPEN_QUOTE} within ${MAX_ROW_LINES} lines`);
    }
    if (!cells.ok && held.length > 1) return refuseFirst(rows, CSV_FAULTS.OPEN_QUOTE);
    const { number } = held[0]!;
    rows.push(cells.ok ? { line: number, cells: cells.value } : { line: number, reason: CSV_FAULTS[cells.error] });
    drop();
    return [];
  }

  /** Refuses the first line, whose open quote was a mistake; returns the lines after it. */
  function refuseFirst(rows: (CellRow | RejectedRow)[], reason: string): readonly TextLine[] {
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

  function end(rows: (CellRow | RejectedRow)[]): void {
    while (held.length > 0) for (const line of refuseFirst(rows, CSV_FAULTS.OPEN_QUOTE)) read(line, rows);
  }

  return { read, end };
}
