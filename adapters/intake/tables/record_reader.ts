import { isModestJson, parseObject } from "../../../core/internal.ts";
import type { TableOptions } from "./detect_dialect.ts";
import type { DistinguishingColumns } from "./distinguishing_columns.ts";
import { findTable } from "./find_table.ts";
import { createJsonCollector, type JsonCollector, MAX_DEPTH, toItem } from "./json_collector.ts";
import { hasRows } from "./json_shapes.ts";
import { findAsSuggested, isOpenToRows, joinUnread, type Unread } from "./open_questions.ts";
import type { ParsedRecord } from "./record_columns.ts";
import type { Skipped } from "./row_records.ts";
import { createLineSplitter, MAX_LINE_BYTES, type SplitLine } from "./split_lines.ts";
import type { TableReader } from "./table_reader.ts";
import { joinBytes, textOf } from "./utf8_text.ts";

/** Reads market records from the bytes of one file. */
export interface RecordReader {
  /** The records that end in this chunk. Those of the first lines come when enough of them are there to tell the format. */
  push(chunk: Uint8Array): readonly ParsedRecord[];
  /** The records left at the end of the file, which are read as they are taken. */
  end(): Iterable<ParsedRecord>;
  /** Whether nothing more of the file can be read. */
  readonly isStopped: boolean;
  /** Why nothing of the file is to be stored, which its last line may show. Where questions are open, the records are as their suggestions have them. */
  readonly failure: Unread | undefined;
  /** Layout and columns of the file; `undefined` until they are found. */
  readonly header: string | undefined;
  /** How the file is read, in words; `undefined` for the plain import format, and until that is decided. */
  readonly reading: string | undefined;
  /** Whether the file says its unit itself, which no answer changes. */
  readonly saysUnit: boolean;
  /** Names of the file's columns that are not part of the import format, each once. */
  readonly ignored: readonly string[];
  /** What was passed over, because it is no record and no mistake. */
  readonly skipped: Readonly<Skipped>;
  /** The columns that may tell prices apart; `undefined` until they are found. */
  readonly distinguishing: DistinguishingColumns | undefined;
}

const SAMPLE_LINES = 200;
/** As many lines are looked at where fewer leave open what more may decide. */
const MAX_SAMPLE_LINES = 20_000;
const MAX_SAMPLE_BYTES = 8 * 1_048_576;
const [ARRAY_BEGIN, OBJECT_BEGIN] = [0x5b, 0x7b];
const LINE_FEED = 0x0a;
/** Blanks, line ends and the byte order mark. */
const BEFORE_TEXT: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf]);
const NOTHING_SKIPPED: Skipped = { withoutValue: 0, totals: 0, opens: 0, unwanted: 0 };

/** Makes a reader. The first lines decide on the format, within what the options say. */
export function createRecordReader(options: TableOptions): RecordReader {
  const splitter = createLineSplitter();
  /** The first bytes, until they tell what the file is. */
  let begin: Uint8Array | undefined = new Uint8Array(0);
  let json: JsonCollector | undefined;
  /** The first lines, without blank ones before them, until they decide. */
  let sample: SplitLine[] | undefined = [];
  let sampleLines = SAMPLE_LINES;
  let table: TableReader<SplitLine> | undefined;
  let found:
    | Pick<TableReader<never>, "reading" | "header" | "saysUnit" | "ignored" | "skipped" | "distinguishing">
    | undefined;
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
    // The same lines always decide, however the bytes are cut, unless there are megabytes of them.
    const wanted = bytesRead > MAX_SAMPLE_BYTES ? Math.max(sample.length, SAMPLE_LINES) : sampleLines;
    const end = first + wanted - sample.length;
    sample.push(...lines.slice(first, end));
    return sample.length < wanted ? [] : [...decide(false), ...take(lines.slice(end))];
  }

  function readAll(lines: readonly SplitLine[]): ParsedRecord[] {
    const records: ParsedRecord[] = [];
    for (const line of lines) table?.read(line, records);
    return records;
  }

  /** Finds the table in the sample, unless that is empty, and reads the sample; where it leaves open what more lines may decide, waits for these. */
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

  function* readJson(collected: JsonCollector): Generator<ParsedRecord> {
    const { found: read, why } = collected.end();
    failure = why;
    if (!read) return;
    found = read.table;
    for (const [at, row] of read.rows.entries()) {
      const records: ParsedRecord[] = [];
      read.table.read(toItem(row, at), records);
      yield* records;
    }
    failure = joinUnread(failure, read.table.unread());
  }

  /** Decides what the first bytes belong to, once they tell; returns what is to be read now. */
  function opened(bytes: Uint8Array, isEnd: boolean): Uint8Array | undefined {
    const first = bytes.findIndex((byte) => !BEFORE_TEXT.has(byte));
    if (bytes[first] === OBJECT_BEGIN) {
      const end = bytes.indexOf(LINE_FEED, first);
      if (end === -1 && !isEnd && bytes.length - first <= MAX_LINE_BYTES) return void (begin = bytes);
      const line = textOf(bytes.subarray(first, end === -1 ? undefined : end)) ?? "";
      const object = isModestJson(line, { parts: Infinity, depth: MAX_DEPTH }) ? parseObject(line) : undefined;
      // Objects of one line each are read as they come.
      if (!object || hasRows(object)) json = createJsonCollector(options);
    } else if (bytes[first] === ARRAY_BEGIN) json = createJsonCollector(options);
    if (first !== -1) begin = undefined;
    return bytes;
  }

  function pushed(chunk: Uint8Array, isEnd = false): readonly ParsedRecord[] {
    const bytes = begin ? opened(joinBytes([begin, chunk]), isEnd) : chunk;
    if (!bytes || isStopped) return [];
    bytesRead += bytes.length;
    if (!json) return take(splitter.push(bytes));
    const why = json.push(bytes);
    return why ? stop(why) : [];
  }

  return {
    push: (chunk) => pushed(chunk),
    end() {
      const held = begin?.length ? pushed(new Uint8Array(0), true) : [];
      if (isStopped) return [];
      if (json) return readJson(json);
      const records = [...held, ...take(splitter.end()), ...decide(true)];
      if (table) table.end(records);
      if (!isStopped) failure = table ? joinUnread(failure, table.unread()) : { reason: "it is empty" };
      return records;
    },
    get isStopped() {
      return isStopped;
    },
    get failure() {
      return failure;
    },
    get header() {
      return failure ? undefined : found?.header;
    },
    get reading() {
      return failure ? undefined : found?.reading;
    },
    get saysUnit() {
      return found?.saysUnit ?? false;
    },
    get ignored() {
      return failure ? [] : (found?.ignored() ?? []);
    },
    get distinguishing() {
      return found?.distinguishing;
    },
    get skipped() {
      return failure ? NOTHING_SKIPPED : (found?.skipped ?? NOTHING_SKIPPED);
    },
  };
}
