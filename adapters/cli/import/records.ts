import { err, ok } from "../../../core/internal.ts";
import type { Result } from "../../../core/mod.ts";
import { createCsvFormat } from "./csv_records.ts";
import { createLineSplitter } from "./lines.ts";
import type { Line } from "./lines.ts";
import { createJsonFormat } from "./ndjson_records.ts";
import type { Entry, RecordFormat } from "./record_columns.ts";

/** Reads market records from the bytes of one file. */
export interface RecordReader {
  /** The records that end in this chunk. */
  push(chunk: Uint8Array): readonly Entry[];
  /** The records left at the end of the file. */
  end(): readonly Entry[];
  /** Why nothing of the file can be read. */
  readonly failure: string | undefined;
  /** Names of the file's columns that mean nothing here, each once. */
  readonly ignored: readonly string[];
}

/** Makes a reader. The first line that is not blank tells the format: NDJSON begins with `{`, CSV with its header. */
export function createRecordReader(): RecordReader {
  const splitter = createLineSplitter();
  let format: RecordFormat | undefined;
  let failure: string | undefined;

  function take(lines: readonly Line[]): Entry[] {
    const entries: Entry[] = [];
    for (const line of lines) {
      if (failure !== undefined) break;
      if (!format) {
        if ("text" in line && line.text.trim() === "") continue;
        const found = formatOf(line);
        if (!found.ok) failure = found.error;
        else format = found.value;
      }
      format?.read(line, entries);
    }
    return entries;
  }

  return {
    push: (chunk) => take(splitter.push(chunk)),
    end() {
      const entries = take(splitter.end());
      if (format) format.end(entries);
      else failure ??= "it is empty";
      return entries;
    },
    get failure() {
      return failure;
    },
    get ignored() {
      return [...(format?.ignored ?? [])];
    },
  };
}

function formatOf(line: Line): Result<RecordFormat, string> {
  if ("fault" in line) return err(`line ${line.number} should be the header: ${line.fault}`);
  return line.text.trimStart().startsWith("{") ? ok(createJsonFormat()) : createCsvFormat(line.text);
}
