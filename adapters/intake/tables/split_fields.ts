import { err, ok } from "../../../core/internal.ts";
import type { Result } from "../../../core/mod.ts";

/** Why a text is not a CSV record: a quote is still open at its end, or text follows a closing quote. */
export type CsvFault = "OPEN_QUOTE" | "TEXT_AFTER_QUOTE";

/** Splits CSV records into their fields, line by line, so that each character is read once. */
export interface CsvSplitter {
  /**
   * Reads the next line. `OPEN_QUOTE` says that the record goes on with the line that is read next; after any
   * other result, the next line begins a record.
   */
  read(line: string): Result<readonly string[], CsvFault>;
  /** Drops the lines of a record that goes on. */
  reset(): void;
}

/**
 * Makes a splitter. A field that begins with a quote ends with the next single one; separators and line ends may
 * stand in it, and a doubled quote for one. Elsewhere a quote is a letter like any other. Source: RFC 4180.
 */
export function createCsvSplitter(separator = ","): CsvSplitter {
  let fields: string[] = [];
  /** The text, so far, of a quoted field that goes on; `undefined` between records. */
  let open: string | undefined;

  function finish(result: Result<readonly string[], CsvFault>): Result<readonly string[], CsvFault> {
    fields = [];
    open = undefined;
    return result;
  }

  function read(line: string): Result<readonly string[], CsvFault> {
    if (open === undefined && !line.includes('"')) return ok(line.split(separator));
    for (let start = 0; ; ) {
      if (open === undefined && line[start] !== '"') {
        const end = line.indexOf(separator, start);
        fields.push(end === -1 ? line.slice(start) : line.slice(start, end));
        if (end === -1) return finish(ok(fields));
        start = end + 1;
        continue;
      }
      const from = open === undefined ? start + 1 : start;
      const before: string = open === undefined ? "" : `${open}\n`;
      const close = closingQuote(line, from);
      if (close === -1) {
        open = before + line.slice(from);
        return err("OPEN_QUOTE");
      }
      fields.push((before + line.slice(from, close)).replaceAll('""', '"'));
      open = undefined;
      if (close + 1 === line.length) return finish(ok(fields));
      if (line[close + 1] !== separator) return finish(err("TEXT_AFTER_QUOTE"));
      start = close + 2;
    }
  }

  return { read, reset: () => void finish(ok([])) };
}

/** Splits the text of one record, which may have several lines. */
export function splitCsv(text: string, separator = ","): Result<readonly string[], CsvFault> {
  const splitter = createCsvSplitter(separator);
  let result: Result<readonly string[], CsvFault> = err("OPEN_QUOTE");
  for (const line of text.split("\n")) result = splitter.read(line);
  return result;
}

function closingQuote(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at !== -1; at = text.indexOf('"', at + 2)) {
    if (text[at + 1] !== '"') return at;
  }
  return -1;
}
