import { isPrintable, observationFault } from "../../../../core/internal.ts";
import type { Observation, UtcMillis } from "../../../../core/mod.ts";
import type { Entry, RecordsEntry, RemovalEntry } from "../../price_state/entries.ts";
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

/**
 * Reads the entry of a line whose checksum is right, so this program has written its members: see `encodeEntry`.
 * Returns `undefined` for a line without an entry, such as a header, and for records that no append accepts, because a
 * single time that cannot be printed would stop every reader.
 */
export function decodeEntry(line: object): Entry | undefined {
  const members = line as Readonly<Record<string, unknown>>;
  const { type, source = null, import: id = null, undo, by, at, code, businessTime, value } = members;
  if (type === "import") return { type, imported: id as Import };
  if (!Array.isArray(businessTime)) return undefined;
  const from = { source, import: id, code };
  if (type === "removal")
    return businessTime.every(isPrintable) ? ({ type, ...from, times: businessTime } as RemovalEntry) : undefined;
  const usual = usualValues(type as RecordsEntry["type"]);
  const columns = UNIFORM.map((name) => members[name] ?? usual[name]);
  const [insertTime, sourceTime, provider, qualityStatus, qualityMessage] = columns;
  const records = businessTime.map((time: UtcMillis, row) => {
    return {
      code,
      value: cellOf(value, row),
      businessTime: time,
      sourceTime: cellOf(sourceTime, row),
      insertTime: cellOf(insertTime, row),
      provider: cellOf(provider, row),
      qualityStatus: cellOf(qualityStatus, row),
      qualityMessage: cellOf(qualityMessage, row),
    } as Observation;
  });
  if (records.some((record) => observationFault(record) !== undefined)) return undefined;
  return { ...from, type, records, ...(type === "replaced" ? { by, at } : { undo }) } as RecordsEntry;
}

function cellOf(column: unknown, row: number): unknown {
  return Array.isArray(column) ? column[row] : column;
}
