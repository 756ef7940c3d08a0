import { err, ok } from "../../../core/internal.ts";
import type { Result } from "../../../core/mod.ts";
import { createCsvFormat } from "./csv_records.ts";
import { createLineSplitter } from "./lines.ts";
import type { SplitLine } from "./lines.ts";
import { createJsonFormat } from "./ndjson_records.ts";
import type { ParsedRecord, RecordFormat } from "./record_columns.ts";

/** Reads market records from the bytes of one file. */
export interface RecordReader {
  /** The records that end in this chunk. */
  push(chunk: Uint8Array): readonly ParsedRecord[];
  /** The records left at the end of the file. */
  end(): readonly ParsedRecord[];
  /** The reason why the file cannot be read at all. */
  readonly failure: string | undefined;
  /** Names of the file's columns that are not part of the import format, each once. */
  readonly ignored: readonly string[];
}

/** Makes a reader. The first line that is not blank decides on the format: NDJSON if it begins with `{`, or else CSV. */
export function createRecordReader(): RecordReader {
  const splitter = createLineSplitter();
  let format: RecordFormat | undefined;
  let failure: string | undefined;

  function take(lines: readonly SplitLine[]): ParsedRecord[] {
    const records: ParsedRecord[] = [];
    for (const line of lines) {
      if (failure !== undefined) break;
      if (!format) {
        if ("text" in line && line.text.trim() === "") continue;
        const found = formatOf(line);
        if (!found.ok) failure = found.error;
        else format = found.value;
      }
      format?.read(line, records);
    }
    return records;
  }

  return {
    push: (chunk) => take(splitter.push(chunk)),
    end() {
      const records = take(splitter.end());
      if (format) format.end(records);
      else failure ??= "it is empty";
      return records;
    },
    get failure() {
      return failure;
    },
    get ignored() {
      return [...(format?.ignored ?? [])];
    },
  };
}

function formatOf(line: SplitLine): Result<RecordFormat, string> {
  if ("fault" in line) return err(`line ${line.number} should be the header: ${line.fault}`);
  return line.text.trimStart().startsWith("{") ? ok(createJsonFormat()) : createCsvFormat(line.text);
}
