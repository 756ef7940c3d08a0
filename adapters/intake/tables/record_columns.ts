import type { RawRecord } from "../../../core/mod.ts";
import type { TableAnswers } from "./answers.ts";

/** The columns of the import format, in the order in which they are exported. */
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

/** A line that was refused, and why. */
export interface RejectedRow {
  readonly line: number;
  readonly reason: string;
  /** The answer with which the line could be read. */
  readonly set?: TableAnswers;
}

/** The cells of one row, in the order of the header. The number is that of the line on which it begins. */
export interface CellRow {
  readonly line: number;
  readonly cells: readonly unknown[];
}

/** A record, and the line that it begins on. In wide tables, where a line has several, the asset says which it is. */
export interface ReadRecord {
  readonly line: number;
  readonly record: RawRecord;
  readonly asset?: string;
}

/** A record, or the reason why a line has none. */
export type ParsedRecord = ReadRecord | RejectedRow;

/** The refusal of a record. */
export function rejectedRow({ line, asset }: Omit<ReadRecord, "record">, reason: string): RejectedRow {
  return { line, reason: asset === undefined ? reason : `${asset}: ${reason}` };
}
