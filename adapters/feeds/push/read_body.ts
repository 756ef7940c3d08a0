import { isModestJson, parseObject, UNREADABLE, unguardFormula, utf8MediaType } from "../../../core/internal.ts";
import type { ApiRequest, CustomAnswer, ErrorCode, RawRecord } from "../../../core/mod.ts";
import { createCsvRows } from "../../intake/tables/csv_rows.ts";
import { COLUMNS, type Column, type Row } from "../../intake/tables/record_columns.ts";
import { splitCsv } from "../../intake/tables/split_fields.ts";
import type { TextLine } from "../../intake/tables/split_lines.ts";

/** A record that is not stored. The place is the line or, in a JSON array, the number of the record; both count from 1. */
export type RejectedPushRecord = { readonly place: number; readonly reason: string };
/** A record of a body, or why it cannot be read. */
export type PushRecord = { readonly place: number; readonly record: RawRecord } | RejectedPushRecord;
/** The records of a body, or the answer if none of them is stored. */
type Read = readonly PushRecord[] | Extract<CustomAnswer, { failure: unknown }>;
type Reader = (text: string) => Read | Promise<Read>;

const MAX_BYTES = 1 << 20;
/** The maximum number of records in a body. */
export const MAX_RECORDS = 10_000;
/** The maximum number of lines of CSV or NDJSON. Blank lines are skipped, but a megabyte of them takes a tenth of a second. */
const MAX_LINES = 20_000;
/** Each unreadable record takes microseconds, so a body full of them would delay all other requests. */
const MAX_UNREADABLE = 1_000;
/** After this many records, other requests get their turn. */
export const TURN_RECORDS = 1_000;
const TOO_MUCH = `A body may have at most ${MAX_BYTES} bytes, compressed or not, and ${MAX_RECORDS} records, ${MAX_UNREADABLE} of them unreadable; CSV and NDJSON may have at most ${MAX_LINES} lines`;

/** Parsing a megabyte of brackets takes half a second. */
const MODEST = { parts: 40_000, depth: 16 };

/** A reader for each media type. */
const READERS = new Map([
  ["application/json", ifModest(readArray)],
  ["application/x-ndjson", ifFewLines(ifModest((text) => collect(jsonRecords(text))))],
  ["text/csv", ifFewLines(readCsv)],
]);

const NEEDED: readonly Column[] = ["code", "value", "businessTime"];
const MAX_COLUMNS = 1_000;

/** Reads the records of a request. Stops at the first record above a limit. */
export async function readBody(request: ApiRequest): Promise<Read> {
  const reader = READERS.get(utf8MediaType(request.headers));
  if (!reader)
    return refusal(`Content-Type must be one of ${[...READERS.keys()].join(", ")}, in UTF-8`, "UNSUPPORTED_MEDIA_TYPE");
  const coding = (request.headers.get("content-encoding") ?? "").toLowerCase();
  if (coding !== "" && coding !== "gzip")
    return refusal("The body must be sent uncompressed or with Content-Encoding: gzip", "UNSUPPORTED_MEDIA_TYPE");
  const body = await request.text(MAX_BYTES, coding === "gzip" ? coding : undefined);
  if (body.ok) return reader(body.value);
  if (body.error === "TOO_LARGE") return refusal(TOO_MUCH, "BODY_TOO_LARGE");
  const { code, message } = UNREADABLE[body.error];
  return refusal(message, code);
}

function refusal(message: string | undefined, failure: ErrorCode = "INVALID_BODY"): Read {
  return { failure, message };
}

function ifModest(read: Reader): Reader {
  const refused = `The body has more than ${MODEST.parts} lists and objects, or they are more than ${MODEST.depth} deep`;
  return (text) => (isModestJson(text, MODEST) ? read(text) : refusal(refused));
}

function ifFewLines(read: Reader): Reader {
  return (text) =>
    text.split("\n", MAX_LINES + 1).length > MAX_LINES ? refusal(TOO_MUCH, "BODY_TOO_LARGE") : read(text);
}

function readArray(text: string): Read {
  try {
    const list: unknown = JSON.parse(text);
    if (Array.isArray(list) && list.length > MAX_RECORDS) return refusal(TOO_MUCH, "BODY_TOO_LARGE");
    // The records are checked one by one later.
    if (Array.isArray(list)) return list.map((record: unknown, at) => ({ place: at + 1, record: record as RawRecord }));
  } catch {
    // Not JSON, or nested too deep for the runtime.
  }
  return refusal("The body must be a JSON array of records; send one record per line as application/x-ndjson");
}

function readCsv(text: string): Read | Promise<Read> {
  const lines = linesOf(text);
  let header = lines.next();
  while (!header.done && header.value.text.trim() === "") header = lines.next();
  const headerText = header.done ? "" : header.value.text;
  const names = splitCsv(headerText);
  const columns = names.ok ? names.value.map((name) => name.trim()) : [];
  if (columns.length > MAX_COLUMNS)
    return refusal(`CSV is limited to ${MAX_COLUMNS} columns: received ${columns.length}`);
  const missing = NEEDED.filter((column) => !columns.includes(column));
  if (missing.length > 0)
    return refusal(`The first line of CSV must name the columns, separated by commas: ${missing.join(", ")} missing`);
  const twice = COLUMNS.find((column) => columns.indexOf(column) !== columns.lastIndexOf(column));
  if (twice) return refusal(`The first line of CSV names the column ${twice} twice`);
  return collect(csvRecords(lines, headerText, columns));
}

async function collect(records: Iterable<PushRecord>): Promise<Read> {
  const read: PushRecord[] = [];
  let unreadable = 0;
  for (const one of records) {
    if ("reason" in one) unreadable++;
    if (read.length === MAX_RECORDS || unreadable > MAX_UNREADABLE) return refusal(TOO_MUCH, "BODY_TOO_LARGE");
    if (read.push(one) % TURN_RECORDS === 0) await nextTurn();
  }
  return read;
}

function* jsonRecords(text: string): Generator<PushRecord> {
  for (const { number: place, text: line } of linesOf(text)) {
    if (line.trim() === "") continue;
    const record = parseObject(line);
    yield record ? { place, record } : { place, reason: "the line is not a JSON object" };
  }
}

function* csvRecords(lines: Iterable<TextLine>, headerText: string, columns: readonly string[]): Generator<PushRecord> {
  const places = COLUMNS.map((column) => [column, columns.indexOf(column)] as const).filter(([, at]) => at !== -1);
  const splitter = createCsvRows(",", headerText);

  function toRecord(row: Row): PushRecord {
    const place = row.line;
    if ("reason" in row) return { place, reason: row.reason };
    const { cells } = row;
    if (cells.length > columns.length)
      return { place, reason: `the row has ${cells.length} fields, and the header ${columns.length}` };
    const members = places
      .filter(([, at]) => cells[at])
      .map(([column, at]) => [column, unguardFormula(String(cells[at]))]);
    return { place, record: Object.fromEntries(members) as RawRecord };
  }

  for (const line of lines) yield* splitter.read(line).map(toRecord);
  yield* splitter.end().map(toRecord);
}

/** Yields the lines one by one, so that a reader can stop early. LF and CRLF end a line. */
function* linesOf(text: string): Generator<TextLine, undefined> {
  for (let start = 0, number = 1; start <= text.length; number++) {
    const feed = text.indexOf("\n", start);
    const end = feed === -1 ? text.length : feed;
    yield { number, text: text.slice(start, text[end - 1] === "\r" && feed !== -1 ? end - 1 : end) };
    start = end + 1;
  }
}

/** Waits while other requests get their turn. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve));
}
