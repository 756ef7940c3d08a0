import type { AssetCode, Observation, UtcMillis } from "../../core/mod.ts";
import { SNAPSHOT_KIND, SNAPSHOT_SCHEMA } from "./make.ts";
import type { AssetSummary, Runs, SnapshotColumns, SnapshotHead } from "./make.ts";

// The checksum shows that a snapshot is as it was written; this shows that what was written is a snapshot.

/** Parses the first line of a snapshot. Throws `TypeError` for what is none, `RangeError` for one of a later version. */
export function parseHead(line: string): SnapshotHead {
  const { kind, schema, version, assets, crc32 } = objectOf(jsonOf(line), "snapshot");
  if (kind !== SNAPSHOT_KIND) throw new TypeError(`Cannot open a snapshot as its kind must be "${SNAPSHOT_KIND}": received "${String(kind)}"`);
  if (schema !== SNAPSHOT_SCHEMA) throw new RangeError(`Cannot open a snapshot as its schema must be ${SNAPSHOT_SCHEMA}: received "${String(schema)}"`);
  const summaries = listOf(assets, "assets").map(parseSummary);
  if (new Set(summaries.map(({ latest }) => latest.code)).size < summaries.length) wrong("assets", "one for each code");
  return { kind, schema, version: textOf(version, "version"), assets: summaries, crc32: textOf(crc32, "checksum") };
}

function parseSummary(value: unknown): AssetSummary {
  const { version, records, latest, availableFrom, providers } = objectOf(value, "asset");
  const found = parseObservation(latest);
  const from = timeOf(availableFrom, "availableFrom");
  if (from > found.businessTime) wrong("availableFrom", "no later than the latest record");
  return {
    version: textOf(version, "version"),
    records: countOf(records, "records"),
    latest: found,
    availableFrom: from,
    providers: listOf(providers, "providers").map((name) => textOf(name, "provider")),
  };
}

function parseObservation(value: unknown): Observation {
  const { code, value: price, businessTime, sourceTime, insertTime, provider, qualityStatus, qualityMessage } = objectOf(value, "latest record");
  if (qualityStatus !== "ACCEPTED") wrong("quality status", '"ACCEPTED"');
  return {
    code: textOf(code, "code") as AssetCode,
    value: valueOf(price),
    businessTime: timeOf(businessTime, "business time"),
    sourceTime: sourceTime === null ? null : timeOf(sourceTime, "source time"),
    insertTime: timeOf(insertTime, "insert time"),
    provider: provider === null ? null : textOf(provider, "provider"),
    qualityStatus,
    qualityMessage: textOf(qualityMessage, "quality message"),
  };
}

/**
 * Parses the line of an asset's columns. Throws `TypeError` where it is none, or does not belong to the summary:
 * one price in the wrong row would be worse than none.
 */
export function parseColumns(line: string, summary: AssetSummary): SnapshotColumns {
  const { records, latest, providers } = summary;
  const { times, values, sources, inserts, providers: names, remarks } = objectOf(jsonOf(line), "columns");
  const prices = listOf(values, "values").map(valueOf);
  if (prices.length !== records || prices.at(-1) !== latest.value) wrong("values", "one for each record, and last that of the latest");
  return {
    times: timesOf(times, summary),
    values: prices,
    sources: runsOf(sources, "source times", records, (cell) => cell === null || isWhole(cell)),
    inserts: runsOf(inserts, "insert times", records, isWhole),
    providers: runsOf(names, "providers", records, (cell) => cell === null || (isWhole(cell) && providers[cell] !== undefined)),
    remarks: remarksOf(remarks, records),
  };
}

function timesOf(value: unknown, { records, latest, availableFrom }: AssetSummary): Runs {
  const runs = runsOf(value, "times", records, isWhole) as readonly number[]; // isWhole has seen each cell.
  let time = 0;
  for (let at = 0; at < runs.length; at += 2) {
    const [step, count] = [runs[at]!, runs[at + 1]!];
    // The first step is the first time itself; from there on, times ascend.
    if (step <= 0 && (at > 0 || count > 1)) wrong("times", "ascending");
    time += step * count;
  }
  if (runs[0] !== availableFrom || time !== latest.businessTime) wrong("times", "from that of the first record to that of the latest");
  return runs;
}

function runsOf(value: unknown, what: string, rows: number, isCell: (cell: unknown) => boolean): Runs {
  const runs = listOf(value, what);
  let covered = 0;
  for (let at = 0; at < runs.length; at += 2) {
    if (!isCell(runs[at])) wrong(what, "numbers that fit them");
    covered += countOf(runs[at + 1], what);
  }
  return covered === rows ? (runs as Runs) : wrong(what, "one for each record");
}

function remarksOf(value: unknown, rows: number): Readonly<Record<string, string>> {
  const remarks = objectOf(value, "quality messages");
  for (const [row, remark] of Object.entries(remarks)) {
    if (typeof remark !== "string" || !/^\d+$/.test(row) || Number(row) >= rows) wrong("quality messages", "texts by row");
  }
  return remarks as Readonly<Record<string, string>>;
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new TypeError(`Cannot open a snapshot as each of its lines must be JSON: received "${line.slice(0, 64)}"`);
  }
}

function objectOf(value: unknown, what: string): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : wrong(what, "an object");
}

function listOf(value: unknown, what: string): readonly unknown[] {
  return Array.isArray(value) ? value : wrong(what, "a list");
}

function textOf(value: unknown, what: string): string {
  return typeof value === "string" ? value : wrong(what, "a text");
}

function timeOf(value: unknown, what: string): UtcMillis {
  return isWhole(value) ? (value as UtcMillis) : wrong(what, "a whole number");
}

function countOf(value: unknown, what: string): number {
  return isWhole(value) && value > 0 ? value : wrong(what, "a whole number above zero");
}

function valueOf(value: unknown): number {
  return typeof value === "number" && value > 0 && value < Infinity ? value : wrong("value", "above zero");
}

function isWhole(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

function wrong(what: string, wanted: string): never {
  throw new TypeError(`Cannot read ${what} as it must be ${wanted}`);
}
