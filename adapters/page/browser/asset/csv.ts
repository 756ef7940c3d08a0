import { formatDecimal } from "../../../../core/internal.ts";
import type { DayRange } from "./days.ts";

/** A record as a line of the file needs it: every value exactly as the API gave it. */
export interface CsvRecord {
  readonly code: string;
  /** In the quote unit. */
  readonly value: number;
  /** ISO 8601 in UTC. */
  readonly businessTime: string;
  readonly quoteUnit: string;
  readonly labelEn: string;
  readonly labelFa: string;
}

const COLUMNS = ["code", "value", "businessTime", "quoteUnit", "labelEn", "labelFa"] as const;

/**
 * Records as CSV (RFC 4180) with all that the API tells of them, for `mazaneh import` as well. Values are in the quote unit and times in
 * UTC, whatever the page displays.
 */
export function recordsCsv(records: readonly CsvRecord[]): string {
  return [COLUMNS, ...records.map((record) => COLUMNS.map((column) => field(record[column])))].map((row) => `${row.join(",")}\r\n`).join("");
}

function field(value: string | number): string {
  const text = typeof value === "number" ? formatDecimal(value) : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A file name that says what is inside, e.g. `USD_RLS_2026-08-01_2026-08-31.csv`; of made-up prices it begins with `sample_`. */
export function csvFileName(code: string, { from, to }: DayRange, isSample: boolean): string {
  return `${isSample ? "sample_" : ""}${code}_${from}_${to}.csv`;
}
