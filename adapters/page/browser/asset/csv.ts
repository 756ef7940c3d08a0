import { formatDecimal } from "../../../../core/internal.ts";
import type { DayRange } from "./days.ts";

/** A record as a line of the file needs it: value and time exactly as the API gave them. */
export interface CsvRecord {
  readonly code: string;
  /** In the quote unit. */
  readonly value: number;
  /** ISO 8601 in UTC. */
  readonly businessTime: string;
}

/**
 * Records as CSV (RFC 4180), with the columns of `mazaneh import`. Values are in the quote unit and times in UTC,
 * whatever the page displays. No field needs quotes: codes, plain decimals and timestamps have no comma.
 */
export function recordsCsv(records: readonly CsvRecord[]): string {
  const rows = records.map(({ code, value, businessTime }) => `${code},${formatDecimal(value)},${businessTime}\r\n`);
  return `code,value,businessTime\r\n${rows.join("")}`;
}

/** A file name that says what is inside, e.g. `USD_RLS_2026-08-01_2026-08-31.csv`. */
export function csvFileName(code: string, { from, to }: DayRange): string {
  return `${code}_${from}_${to}.csv`;
}
