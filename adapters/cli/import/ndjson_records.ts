import { parseObject } from "../../../core/internal.ts";
import type { Line } from "./lines.ts";
import { COLUMNS } from "./record_columns.ts";
import type { Entry, RecordFormat } from "./record_columns.ts";

const KNOWN: ReadonlySet<string> = new Set(COLUMNS);
/** A file that has keys as data would else fill the memory with their names. */
const MAX_IGNORED = 100;

/** Makes the reader of NDJSON: one JSON object a line, with the names of the import format. */
export function createJsonFormat(): RecordFormat {
  const ignored = new Set<string>();

  function read(line: Line, entries: Entry[]): void {
    if ("fault" in line) {
      entries.push({ line: line.number, reason: line.fault });
    } else if (line.text.trim() !== "") {
      const record = parseObject(line.text);
      if (!record) {
        entries.push({ line: line.number, reason: "line is not a JSON object" });
        return;
      }
      for (const name in record) if (!KNOWN.has(name) && ignored.size < MAX_IGNORED) ignored.add(name);
      entries.push({ line: line.number, record });
    }
  }

  return { read, end: () => undefined, ignored };
}
