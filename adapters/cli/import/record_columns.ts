import type { RawRecord } from "../../../core/mod.ts";
import type { SplitLine } from "./lines.ts";

/** The columns of the import format, in the order in which they are exported. */
export const COLUMNS = [
  "code", "value", "businessTime", "sourceTime", "provider", "qualityStatus", "qualityMessage",
] as const satisfies readonly (keyof RawRecord)[];
export type Column = (typeof COLUMNS)[number];

/** A record and the line that it begins on, or the reason why that line has none. */
export type ParsedRecord =
  | { readonly line: number; readonly record: RawRecord }
  | { readonly line: number; readonly reason: string };

/** Reads records from the lines of one file format. */
export interface RecordFormat {
  /** Reads a line; adds what it completes to `records`. */
  read(line: SplitLine, records: ParsedRecord[]): void;
  /** Adds what the end of the file completes. */
  end(records: ParsedRecord[]): void;
  /** Names of the file's columns that are not part of the import format, each once. */
  readonly ignored: ReadonlySet<string>;
}
