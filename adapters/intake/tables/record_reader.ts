import { isModestJson, parseObject } from "../../../core/internal.ts";
import type { TableOptions } from "./detect_dialect.ts";
import { findTable } from "./find_table.ts";
import { createJsonCollector, MAX_DEPTH } from "./json_collector.ts";
import { toItem } from "./json_rows.ts";
import { rowsOf } from "./json_shapes.ts";
import { findAsSuggested, isOpenToRows, joinUnread, type Unread } from "./open_questions.ts";
import type { ParsedRecord } from "./record_columns.ts";
import { NOTHING_SKIPPED } from "./row_findings.ts";
import { createLineSplitter, MAX_LINE_BYTES, type SplitLine } from "./split_lines.ts";
import type { TableReader } from "./table_reader.ts";
import { joinBytes, textOf } from "./utf8_text.ts";

const SAMPLE_LINES = 200;
/** The size to which the sample is extended if more lines may answer an open question. */
const MAX_SAMPLE_LINES = 20_000;
const MAX_SAMPLE_BYTES = 8 * 1_048_576;
const [ARRAY_BEGIN, OBJECT_BEGIN] = [0x5b, 0x7b];
const LINE_FEED = 0x0a;
/** Blanks, line ends and the byte order mark. */
const BEFORE_TEXT: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf]);

/** Creates a reader of records from a file's bytes. The first lines show the format, unless the options do. */
export function createRecordReader(options: TableOptions) {
  const splitter = createLineSplitter();
  /** The first bytes, until they show the kind of the file. */
  let begin: Uint8Array | undefined = new Uint8Array(0);
  let json: ReturnType<typeof createJsonCollector> | undefined;
  /** The first lines after leading blank lines, until the format is known. */
  let sample: SplitLine[] | undefined = [];
  let sampleLines = SAMPLE_LINES;
  let table: TableReader<SplitLine> | undefined;
  let found: Omit<TableReader<never>, "read" | "end"> | undefined;
  let [bytesRead, isStopped] = [0, false];
  let failure: Unread | undefined;

  function stop(why: Unread | undefined): never[] {
    failure = why;
    isStopped = true;
    return [];
  }

  function take(lines: readonly SplitLine[]): ParsedRecord[] {
    if (!sample) return readAll(lines);
    const first = sample.length > 0 ? 0 : lines.findIndex((line) => "fault" in line || line.text.trim() !== "");
    if (first === -1) return [];
    // However the bytes are split, the sample has the same number of lines, unless lines are megabytes long.
    const wanted = bytesRead > MAX_SAMPLE_BYTES ? Math.max(sample.length, SAMPLE_LINES) : sampleLines;
    const end = first + wanted - sample.length;
    sample.push(...lines.slice(first, end));
    return sample.length < wanted ? [] : [...decide(false), ...take(lines.slice(end))];
  }

  function readAll(lines: readonly SplitLine[]): ParsedRecord[] {
    const records: ParsedRecord[] = [];
    for (const line of lines) records.push(...(table?.read(line) ?? []));
    return records;
  }

  /** Finds the table in the sample and reads the sample. If more lines may answer an open question, waits for them. */
  function decide(isLast: boolean): ParsedRecord[] {
    const lines = sample;
    if (!lines || lines.length === 0 || isStopped) return [];
    const result = findAsSuggested(options, (using) => findTable(lines, using));
    if (!isLast && sampleLines < MAX_SAMPLE_LINES && result.why && isOpenToRows(result.why)) {
      sampleLines = MAX_SAMPLE_LINES;
      return [];
    }
    sample = undefined;
    if (!result.found) return stop(result.why);
    failure = result.why;
    found = table = result.found.table;
    return readAll(lines.slice(result.found.start));
  }

  function* readJson(collected: NonNullable<typeof json>): Generator<ParsedRecord> {
    const { found: read, why } = collected.end();
    failure = why;
    if (!read) return;
    found = read.table;
    for (const [at, row] of read.rows.entries()) yield* read.table.read(toItem(at + 1, row));
    failure = joinUnread(failure, read.table.unread());
  }

  /** Finds out the kind of the file; returns the bytes to read now, or `undefined` if more bytes are needed. */
  function opened(bytes: Uint8Array, isEnd: boolean): Uint8Array | undefined {
    const first = bytes.findIndex((byte) => !BEFORE_TEXT.has(byte));
    if (bytes[first] === OBJECT_BEGIN) {
      const end = bytes.indexOf(LINE_FEED, first);
      if (end === -1 && !isEnd && bytes.length - first <= MAX_LINE_BYTES) return void (begin = bytes);
      const line = textOf(bytes.subarray(first, end === -1 ? undefined : end)) ?? "";
      const object = isModestJson(line, { parts: Infinity, depth: MAX_DEPTH }) ? parseObject(line) : undefined;
      // One object per line can be read as a stream.
      if (!object || rowsOf(object)) json = createJsonCollector(options);
    } else if (bytes[first] === ARRAY_BEGIN) json = createJsonCollector(options);
    if (first !== -1) begin = undefined;
    return bytes;
  }

  function pushed(chunk: Uint8Array, isEnd = false): readonly ParsedRecord[] {
    const bytes = begin ? opened(joinBytes([begin, chunk]), isEnd) : chunk;
    if (!bytes || isStopped) return [];
    bytesRead += bytes.length;
    if (!json) return take(splitter.push(bytes));
    const reason = json.push(bytes);
    return reason === undefined ? [] : stop({ reason });
  }

  return {
    /** Returns the records that end in this chunk; records of the first lines follow once the format is known. */
    push: (chunk: Uint8Array) => pushed(chunk),
    /** Returns the remaining records, which may be read lazily. */
    end(): Iterable<ParsedRecord> {
      const held = begin?.length ? pushed(new Uint8Array(0), true) : [];
      if (isStopped) return [];
      if (json) return readJson(json);
      const records = [...held, ...take(splitter.end()), ...decide(true), ...(table?.end() ?? [])];
      if (!isStopped) failure = table ? joinUnread(failure, table.unread()) : { reason: "it is empty" };
      return records;
    },
    /** Whether the rest of the file cannot be read. */
    get isStopped() {
      return isStopped;
    },
    get distinguishing() {
      return found?.distinguishing;
    },
    /** What is known about the file so far. After a failure with open questions, records assume suggested answers. */
    get facts() {
      const read = failure ? undefined : found;
      return {
        ...{ failure, saysUnit: found?.saysUnit ?? false, header: read?.header, reading: read?.reading },
        ignored: read?.ignored ?? [],
        skipped: read?.skipped ?? NOTHING_SKIPPED,
      };
    },
  };
}
