import type { RawRecord } from "../../../core/mod.ts";
import type { Line } from "./lines.ts";

/** The columns of the import format, in the order in which they are exported. */
export const COLUMNS = [
  "code", "value", "businessTime", "sourceTime", "provider", "qualityStatus", "qualityMessage",
] as const satisfies readonly (keyof RawRecord)[];
export type Column = (typeof COLUMNS)[number];

/** A record of a file and the line it begins on, or why that line holds none. */
export type Entry =
  | { readonly line: number; readonly record: RawRecord }
  | { readonly line: number; readonly reason: string };

/** Turns the lines of one file format into entries. */
export interface RecordFormat {
  /** Reads a line; adds what it completes to `entries`. */
  read(line: Line, entries: Entry[]): void;
  /** Adds what the end of the file completes. */
  end(entries: Entry[]): void;
  /** Names of the file's columns that mean nothing here, each once. */
  readonly ignored: ReadonlySet<string>;
}
