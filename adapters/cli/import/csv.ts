import { err, ok } from "../../../core/internal.ts";
import type { Result } from "../../../core/mod.ts";

/** Why a text is not a CSV record: a quote is still open at its end, or text follows a closing quote. */
export type CsvFault = "OPEN_QUOTE" | "TEXT_AFTER_QUOTE";

/**
 * Splits a CSV record into its fields. A field that begins with a quote ends with the next single one;
 * commas and line ends may stand in it, and a doubled quote for one. Elsewhere a quote is a letter like
 * any other. Source: RFC 4180.
 */
export function splitCsv(text: string): Result<readonly string[], CsvFault> {
  if (!text.includes('"')) return ok(text.split(","));
  const fields: string[] = [];
  for (let start = 0; ; ) {
    if (text[start] !== '"') {
      const comma = text.indexOf(",", start);
      fields.push(comma === -1 ? text.slice(start) : text.slice(start, comma));
      if (comma === -1) return ok(fields);
      start = comma + 1;
      continue;
    }
    const close = closingQuote(text, start + 1);
    if (close === -1) return err("OPEN_QUOTE");
    fields.push(text.slice(start + 1, close).replaceAll('""', '"'));
    if (close + 1 === text.length) return ok(fields);
    if (text[close + 1] !== ",") return err("TEXT_AFTER_QUOTE");
    start = close + 2;
  }
}

/** Joins fields to a CSV record, quoting where it is needed. */
export function joinCsv(fields: readonly string[]): string {
  return fields.map((field) => (/[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field)).join(",");
}

function closingQuote(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at !== -1; at = text.indexOf('"', at + 2)) {
    if (text[at + 1] !== '"') return at;
  }
  return -1;
}
