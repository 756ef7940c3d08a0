import { err, ok } from "../../../core/internal.ts";
import type { Result } from "../../../core/mod.ts";

/** Why a text is not a CSV record: a quote is still open at its end, or text follows a closing quote. */
export type CsvFault = "OPEN_QUOTE" | "TEXT_AFTER_QUOTE";
type Fields = Result<readonly string[], CsvFault>;

/**
 * Creates a splitter of CSV records into fields. Source: RFC 4180. A quoted field may contain separators, line ends and
 * doubled quotes; a quote that is not doubled ends it. Outside quoted fields, a quote is an ordinary character.
 */
export function createCsvSplitter(separator = ",") {
  let fields: string[] = [];
  /** The text of an open quoted field so far; `undefined` between records. */
  let open: string | undefined;

  function finish(result: Fields): Fields {
    fields = [];
    open = undefined;
    return result;
  }

  /** Reads the next line. After `OPEN_QUOTE`, the next line continues the record; any other result ends the record. */
  function read(line: string): Fields {
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

  /** Drops the lines of an unfinished record. */
  return { read, reset: () => void finish(ok([])) };
}

/** Splits the text of one record, which may have several lines. */
export function splitCsv(text: string, separator = ","): Fields {
  const splitter = createCsvSplitter(separator);
  let result: Fields = err("OPEN_QUOTE");
  for (const line of text.split("\n")) result = splitter.read(line);
  return result;
}

function closingQuote(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at !== -1; at = text.indexOf('"', at + 2)) {
    if (text[at + 1] !== '"') return at;
  }
  return -1;
}
