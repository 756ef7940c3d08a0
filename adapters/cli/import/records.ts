import { createArrayCollector } from "./json_array.ts";
import type { ArrayCollector } from "./json_array.ts";
import type { FormatOptions } from "./dialect.ts";
import { findTable } from "./find_table.ts";
import { createLineSplitter } from "./lines.ts";
import type { SplitLine } from "./lines.ts";
import type { Unread } from "./needs.ts";
import type { ParsedRecord } from "./record_columns.ts";
import type { Skipped } from "./row_records.ts";
import type { Table } from "./table.ts";

/** Reads market records from the bytes of one file. */
export interface RecordReader {
  /** The records that end in this chunk. Those of the first lines come when enough of them are there to tell the format. */
  push(chunk: Uint8Array): readonly ParsedRecord[];
  /** The records left at the end of the file. */
  end(): readonly ParsedRecord[];
  /** The number of the last line of which, and of all before, the records were returned. */
  readonly doneLines: number;
  /** Whether the bytes so far end within a line, or within a record of several lines. */
  readonly isMidRow: boolean;
  /** Why the file is not read at all. */
  readonly failure: Unread | undefined;
  /** How the file is read, in words; `undefined` for the plain import format, and until that is decided. */
  readonly reading: string | undefined;
  /** Names of the file's columns that are not part of the import format, each once. */
  readonly ignored: readonly string[];
  /** What was passed over, because it is no record and no mistake. */
  readonly skipped: Readonly<Skipped>;
}

const SAMPLE_LINES = 200;
const NO_ARRAYS = "it is a JSON array, which ends with its last record: --follow reads one object a line";
const ARRAY_BEGIN = 0x5b;
/** Blanks, line ends and the byte order mark. */
const BEFORE_TEXT: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf]);
const NOTHING_SKIPPED: Skipped = { withoutValue: 0, totals: 0 };

/**
 * Makes a reader. The first lines decide on the format, within what the options say.
 *
 * @param isStream Decides on the format by the first record alone, which may come long before the next. Default `false`.
 */
export function createRecordReader(options: FormatOptions, { isStream = false }: { readonly isStream?: boolean } = {}): RecordReader {
  const splitter = createLineSplitter();
  let isBegun = false;
  let array: ArrayCollector | undefined;
  /** The first lines, without blank ones before them, until they decide. */
  let sample: SplitLine[] | undefined = [];
  let table: Table<SplitLine> | undefined;
  let found: Pick<Table<never>, "reading" | "ignored" | "skipped"> | undefined;
  let lastLine = 0;
  let failure: Unread | undefined;

  function take(lines: readonly SplitLine[]): ParsedRecord[] {
    if (!sample) return readAll(lines);
    const first = sample.length > 0 ? 0 : lines.findIndex((line) => "fault" in line || line.text.trim() !== "");
    if (first === -1) return [];
    // The same lines always decide, however the bytes are cut.
    const wanted = isStream ? linesOfFirstRecord(sample[0] ?? lines[first]) : SAMPLE_LINES;
    const end = first + wanted - sample.length;
    sample.push(...lines.slice(first, end));
    return sample.length < wanted ? [] : [...decide(), ...readAll(lines.slice(end))];
  }

  function readAll(lines: readonly SplitLine[]): ParsedRecord[] {
    const records: ParsedRecord[] = [];
    for (const line of lines) table?.read(line, records);
    lastLine = lines.at(-1)?.number ?? lastLine;
    return records;
  }

  /** Finds the table in the sample, unless that is empty, and reads the sample. */
  function decide(): ParsedRecord[] {
    const lines = sample;
    if (!lines || lines.length === 0) return [];
    sample = undefined;
    const result = findTable(lines, options);
    if (!result.ok) {
      failure = result.error;
      return [];
    }
    found = table = result.value.table;
    lastLine = lines.at(-1)?.number ?? 0;
    return readAll(lines.slice(result.value.start));
  }

  function readArray(collected: ArrayCollector): ParsedRecord[] {
    const records: ParsedRecord[] = [];
    const result = collected.end();
    if (!result.ok) {
      failure ??= result.error;
      return records;
    }
    found = result.value.table;
    for (const item of result.value.items) result.value.table.read(item, records);
    return records;
  }

  return {
    push(chunk) {
      const first = isBegun ? undefined : chunk.find((byte) => !BEFORE_TEXT.has(byte));
      if (first !== undefined) {
        isBegun = true;
        if (first === ARRAY_BEGIN && isStream) failure = { reason: NO_ARRAYS };
        else if (first === ARRAY_BEGIN) array = createArrayCollector(options);
      }
      if (!array) return failure === undefined ? take(splitter.push(chunk)) : [];
      failure ??= array.push(chunk);
      return [];
    },
    end() {
      if (failure !== undefined) return [];
      if (array) return readArray(array);
      const records = [...take(splitter.end()), ...decide()];
      if (table) table.end(records);
      else failure ??= { reason: "it is empty" };
      return records;
    },
    get doneLines() {
      return lastLine - (table?.held() ?? 0);
    },
    get isMidRow() {
      return splitter.isMidLine() || (table?.held() ?? 0) > 0;
    },
    get failure() {
      return failure;
    },
    get reading() {
      return found?.reading;
    },
    get ignored() {
      return found?.ignored() ?? [];
    },
    get skipped() {
      return found?.skipped ?? NOTHING_SKIPPED;
    },
  };
}

/** An object stands on one line; a record of a table comes after the header. */
function linesOfFirstRecord(line: SplitLine | undefined): number {
  return line && "text" in line && line.text.trimStart().startsWith("{") ? 1 : 2;
}
