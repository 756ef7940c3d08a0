import { parseObject } from "../../../core/internal.ts";
import type { SplitLine } from "./lines.ts";
import { COLUMNS } from "./record_columns.ts";
import type { ParsedRecord, RecordFormat } from "./record_columns.ts";

const KNOWN: ReadonlySet<string> = new Set(COLUMNS);
/** Limits the memory for names in files whose objects use data as keys. */
const MAX_IGNORED = 100;

/** Makes the reader of NDJSON: one JSON object on each line, with the names of the import format. */
export function createJsonFormat(): RecordFormat {
  const ignored = new Set<string>();

  function read(line: SplitLine, records: ParsedRecord[]): void {
    if ("fault" in line) {
      records.push({ line: line.number, reason: line.fault });
    } else if (line.text.trim() !== "") {
      const record = parseObject(line.text);
      if (!record) {
        records.push({ line: line.number, reason: "line is not a JSON object" });
        return;
      }
      for (const name in record) if (!KNOWN.has(name) && ignored.size < MAX_IGNORED) ignored.add(name);
      records.push({ line: line.number, record });
    }
  }

  return { read, end: () => undefined, ignored };
}
