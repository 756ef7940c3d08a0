import { isPrintable, observationFault } from "../../../../core/internal.ts";
import type { AssetCode, Observation, UtcMillis } from "../../../../core/mod.ts";
import type { Entry, RecordsEntry } from "../../price_state/entries.ts";
import type { Import } from "../../shared/imports.ts";
import { demandRoomFor } from "./group.ts";

/** Members that are written once if equal in all records, and left out if all records have the default value. */
const UNIFORM = ["insertTime", "sourceTime", "provider", "qualityStatus", "qualityMessage"] as const;

/** The lines of entries. Throws `RangeError` if the entries are too large for one append. */
export function encodeEntries(entries: readonly Entry[]): string[] {
  const lines = entries.map(encodeEntry);
  demandRoomFor(lines);
  return lines;
}

/**
 * An entry as the members of a line, without braces. Records become columns: `businessTime` and `value` are arrays.
 * Each of the other members is an array, or one value for all records. Members with only default values are left out.
 */
export function encodeEntry(entry: Entry): string {
  if (entry.type === "import") return `"type":"import","import":${JSON.stringify(entry.imported)}`;
  const { type, source, import: id, code } = entry;
  let line = `"type":"${type}"`;
  if (source !== null) line += `,"source":${JSON.stringify(source)}`;
  if (id !== null) line += `,"import":${id}`;
  line += `,"code":${JSON.stringify(code)}`;
  if (type === "removal") return `${line},"businessTime":[${entry.times.join()}]`;
  const { records, undo, by, at } = entry;
  if (undo !== undefined) line += `,"undo":${undo}`;
  if (by !== undefined) line += `,"by":${JSON.stringify(by)},"at":[${at?.join()}]`;
  const usual = usualValues(type);
  line += `,"businessTime":[${records.map(({ businessTime }) => businessTime).join()}]`;
  line += `,"value":[${records.map(({ value }) => value).join()}]`;
  for (const name of UNIFORM) {
    const first = records[0]![name];
    if (!records.every((record) => record[name] === first))
      line += `,"${name}":${JSON.stringify(records.map((record) => record[name]))}`;
    else if (first !== usual[name]) line += `,"${name}":${JSON.stringify(first)}`;
  }
  return line;
}

function usualValues(type: RecordsEntry["type"]): Readonly<Record<(typeof UNIFORM)[number], unknown>> {
  const qualityStatus = type === "pending" ? "PENDING" : "ACCEPTED";
  return { insertTime: undefined, sourceTime: null, provider: null, qualityStatus, qualityMessage: "" };
}

/** A line, or another object in it. */
type Members = Readonly<Record<string, unknown>>;

/** Reads the entry of a line; returns `undefined` if `encodeEntry` could not have written it. */
export function decodeEntry(line: object): Entry | undefined {
  const { type, source, import: id, undo, by, at, code, businessTime } = line as Members;
  if (type === "import") return isImport(id) ? { type, imported: id } : undefined;
  if (!(source === undefined || isText(source)) || !isNumberOrAbsent(id) || !isText(code)) return undefined;
  const from = { source: source ?? null, import: id ?? null, code: code as AssetCode };
  if (type === "removal") return areTimes(businessTime) ? { type, ...from, times: businessTime } : undefined;
  if (source === undefined || !isRecordsType(type) || !isNumberOrAbsent(undo)) return undefined;
  const records = recordsOf(line as Members, type, from.code);
  if (type !== "replaced") return records && { ...from, type, source, records, undo };
  const isComplete = isText(by) && areTimes(at) && at.length === records?.length;
  return isComplete ? { ...from, type, source, records, by, at } : undefined;
}

function isNumberOrAbsent(value: unknown): value is number | undefined {
  return value === undefined || Number.isSafeInteger(value);
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function isRecordsType(type: unknown): type is RecordsEntry["type"] {
  return ["observations", "pending", "decision", "restored", "replaced"].includes(type as string);
}

function areTimes(value: unknown): value is UtcMillis[] {
  return Array.isArray(value) && value.length > 0 && value.every((time) => Number.isInteger(time) && isPrintable(time));
}

function recordsOf(line: Members, type: RecordsEntry["type"], code: AssetCode): Observation[] | undefined {
  const { businessTime: times, value: values } = line;
  if (!Array.isArray(times) || times.length === 0) return undefined;
  const usual = usualValues(type);
  const columns = UNIFORM.map((name) => (line[name] === undefined ? usual[name] : line[name]));
  const isWhole = (column: unknown): boolean => Array.isArray(column) && column.length === times.length;
  if (!isWhole(values) || columns.some((column) => Array.isArray(column) && !isWhole(column))) return undefined;
  // If all values were `null`, the member would have been left out.
  if (UNIFORM.some((name) => line[name] === null)) return undefined;
  const [insertTime, sourceTime, provider, qualityStatus, qualityMessage] = columns;
  const records: Observation[] = [];
  for (let i = 0; i < times.length; i++) {
    const record = {
      code,
      value: cellOf(values, i),
      businessTime: times[i] as unknown,
      sourceTime: cellOf(sourceTime, i),
      insertTime: cellOf(insertTime, i),
      provider: cellOf(provider, i),
      qualityStatus: cellOf(qualityStatus, i),
      qualityMessage: cellOf(qualityMessage, i),
    } as Observation; // `observationFault` checks the members.
    if (
      observationFault(record) !== undefined ||
      ((record.qualityStatus === "PENDING") !== (type === "pending") && type !== "restored")
    )
      return undefined;
    records.push(record);
  }
  return records;
}

function cellOf(column: unknown, row: number): unknown {
  return Array.isArray(column) ? column[row] : column;
}

function isImport(value: unknown): value is Import {
  const { id, type, time, subjects, source, by, summary, undone } = (value ?? {}) as Members;
  return (
    [id, time].every(Number.isSafeInteger) &&
    (type === "import" || type === "withdrawal") &&
    Array.isArray(subjects) &&
    isText(source) &&
    typeof by === "object" &&
    by !== null &&
    // The checksum is right, so this program has written these values.
    typeof summary === "object" &&
    typeof undone === "object"
  );
}
