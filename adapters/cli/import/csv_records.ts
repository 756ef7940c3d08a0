import { err, ok } from "../../../core/internal.ts";
import type { RawRecord, Result } from "../../../core/mod.ts";
import { createCsvSplitter, splitCsv, unguardFormula } from "./csv.ts";
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

/** The most lines of a record. A quote that nobody has closed is found after so many, each of which is then read again. */
const MAX_RECORD_LINES = 50;
const TEXTS: ReadonlySet<Column> = new Set(["provider", "qualityMessage"]);
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
  const splitter = createCsvSplitter();
  // The lines of the current record: several while a quoted field goes on after the end of a line.
  let held: TextLine[] = [];
  let heldLength = 0;

  function read(line: SplitLine, records: ParsedRecord[]): void {
    if ("fault" in line) {
      end(records);
      records.push({ line: line.number, reason: line.fault });
      return;
    }
    const queue = [line];
    for (let next = queue.shift(); next; next = queue.shift()) queue.unshift(...readLine(next, records));
  }

  /** Reads a line; returns those that must be read again, as they are no part of a record with an earlier one. */
  function readLine(line: TextLine, records: ParsedRecord[]): readonly TextLine[] {
    // The header comes again in files that were joined.
    if (held.length === 0 && (line.text.trim() === "" || line.text === headerText)) return [];
    held.push(line);
    heldLength += line.text.length + 1;
    if (heldLength > MAX_LINE_BYTES + 1) return refuseFirst(records, FAULTS.OPEN_QUOTE);
    const fields = splitter.read(line.text);
    if (!fields.ok && fields.error === "OPEN_QUOTE") {
      return held.length < MAX_RECORD_LINES ? [] : refuseFirst(records, `${FAULTS.OPEN_QUOTE} within ${MAX_RECORD_LINES} lines`);
    }
    if (!fields.ok && held.length > 1) return refuseFirst(records, FAULTS.OPEN_QUOTE);
    const { number } = held[0]!;
    const record = fields.ok ? toRecord(fields.value, columns) : err(FAULTS[fields.error]);
    records.push(record.ok ? { line: number, record: record.value } : { line: number, reason: record.error });
    drop();
    return [];
  }

  /** Refuses the first line, whose open quote was a mistake; returns the lines after it. */
  function refuseFirst(records: ParsedRecord[], reason: string): readonly TextLine[] {
    const [first, ...others] = held;
    if (first) records.push({ line: first.number, reason });
    drop();
    return others;
  }

  function drop(): void {
    splitter.reset();
    held = [];
    heldLength = 0;
  }

  function end(records: ParsedRecord[]): void {
    while (held.length > 0) for (const line of refuseFirst(records, FAULTS.OPEN_QUOTE)) read(line, records);
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
    if (column !== undefined) record[column] = TEXTS.has(column) ? unguardFormula(fields[at]!) : fields[at]!;
  }
  return ok(record);
}
