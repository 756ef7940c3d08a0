import type { RawRecord } from "../../../core/mod.ts";
import type { TableAnswers } from "./answers.ts";

/** The columns of the import format, in the order of exports. */
export const COLUMNS = [
  "code",
  "value",
  "businessTime",
  "sourceTime",
  "provider",
  "qualityStatus",
  "qualityMessage",
] as const satisfies readonly (keyof RawRecord)[];
export type Column = (typeof COLUMNS)[number];

/** A rejected line. */
export interface RejectedRow {
  readonly line: number;
  readonly reason: string;
  /** The answer with which the line could be read. */
  readonly set?: TableAnswers;
}

/** The cells of one row, in the order of the header, and the number of its first line. */
export type CellRow = { readonly line: number; readonly cells: Cells };
/** The cells of one row: texts in CSV, any values in JSON. */
export type Cells = readonly unknown[];
/** A row, or a rejected line. */
export type Row = CellRow | RejectedRow;

/** A record, and the number of its first line. `asset` is set in wide tables, in which a line has several records. */
export type ReadRecord = { readonly line: number; readonly record: RawRecord; readonly asset?: string };

/** A record, or a rejected line. */
export type ParsedRecord = ReadRecord | RejectedRow;

/** The rejection of a record. */
export function rejectedRow({ line, asset }: Omit<ReadRecord, "record">, reason: string): RejectedRow {
  return { line, reason: asset === undefined ? reason : `${asset}: ${reason}` };
}
