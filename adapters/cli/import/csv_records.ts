import { err, ok } from "../../../core/internal.ts";
import type { RawRecord, Result } from "../../../core/mod.ts";
import { splitCsv } from "./csv.ts";
import type { CsvFault } from "./csv.ts";
import { MAX_LINE_BYTES } from "./lines.ts";
import type { SplitLine, TextLine } from "./lines.ts";
import { COLUMNS } from "./record_columns.ts";
import type { Column, ParsedRecord, RecordFormat } from "./record_columns.ts";

/** The header of a file: the column of each field, `undefined` for an unknown name, and the unknown names. */
interface CsvHeader {
  readonly columns: readonly (Column | undefined)[];
  readonly ignored: ReadonlySet<string>;
}

const REQUIRED: readonly Column[] = ["code", "value", "businessTime"];
const KNOWN: ReadonlyMap<string, Column> = new Map(COLUMNS.map((column) => [column, column]));

const FAULTS: Readonly<Record<CsvFault, string>> = {
  OPEN_QUOTE: "a quoted field does not end",
  TEXT_AFTER_QUOTE: "a quoted field is followed by something other than a comma",
};

/** Makes the reader of CSV with this header, whose names may stand in any order; the failure says what it lacks. */
export function createCsvFormat(headerText: string): Result<RecordFormat, string> {
  const header = readHeader(headerText);
  if (!header.ok) return header;
  const { columns, ignored } = header.value;
  // The lines of the record at hand: several, while a quoted field goes on after the line's end.
  let held: TextLine[] = [];
  let heldLength = 0;

  function read(line: SplitLine, records: ParsedRecord[]): void {
    if ("fault" in line) {
      end(records);
      records.push({ line: line.number, reason: line.fault });
      return;
    }
    // The header comes again where files were joined.
    if (held.length === 0 && (line.text.trim() === "" || line.text === headerText)) return;
    held.push(line);
    heldLength += line.text.length + 1;
    if (heldLength > MAX_LINE_BYTES + 1) return refuseFirst(records);
    if (held.length > 1 && !line.text.includes('"')) return;
    const fields = splitCsv(held.map(({ text }) => text).join("\n"));
    if (!fields.ok && fields.error === "OPEN_QUOTE") return;
    if (!fields.ok && held.length > 1) return refuseFirst(records);
    const { number } = held[0]!;
    const record = fields.ok ? toRecord(fields.value, columns) : err(FAULTS[fields.error]);
    records.push(record.ok ? { line: number, record: record.value } : { line: number, reason: record.error });
    held = [];
    heldLength = 0;
  }

  /** The first line's open quote was a mistake, so the lines held after it are records of their own. */
  function refuseFirst(records: ParsedRecord[]): void {
    const [first, ...others] = held;
    held = [];
    heldLength = 0;
    if (first) records.push({ line: first.number, reason: FAULTS.OPEN_QUOTE });
    for (const line of others) read(line, records);
  }

  function end(records: ParsedRecord[]): void {
    while (held.length > 0) refuseFirst(records);
  }

  return ok({ read, end, ignored });
}

function readHeader(text: string): Result<CsvHeader, string> {
  const fields = splitCsv(text);
  if (!fields.ok) return err(`its header cannot be read: ${FAULTS[fields.error]}`);
  const names = fields.value.map((name) => name.trim());
  const missing = REQUIRED.filter((name) => !names.includes(name));
  if (missing.length > 0) return err(`its header lacks ${missing.join(", ")}: it is ${headerInWords(names)}`);
  const twice = COLUMNS.find((name) => names.indexOf(name) !== names.lastIndexOf(name));
  if (twice !== undefined) return err(`its header has ${twice} twice`);
  const ignored = new Set(names.filter((name) => name !== "" && !KNOWN.has(name)));
  return ok({ columns: names.map((name) => KNOWN.get(name)), ignored });
}

function headerInWords(names: readonly string[]): string {
  const text = names.join(",");
  return text.length <= 100 ? `"${text}"` : `"${text.slice(0, 100)}…"`;
}

function toRecord(fields: readonly string[], columns: CsvHeader["columns"]): Result<RawRecord, string> {
  if (fields.length !== columns.length) return err(`line has ${fields.length} fields, the header ${columns.length}`);
  const record: { -readonly [Name in Column]?: string } = {};
  for (let at = 0; at < columns.length; at++) {
    const column = columns[at];
    if (column !== undefined) record[column] = fields[at]!;
  }
  return ok(record);
}
