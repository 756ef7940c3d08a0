import { type AssetCode, type Observation, QUALITY_STATUSES, type UtcMillis } from "../../../core/mod.ts";
import type { StoredRecord } from "../shared/imports.ts";
import { fromStored } from "./escape_text.ts";

/** An observation as selected by `observationColumns`. */
export interface ObservationRow {
  readonly time: number;
  readonly inserted: number;
  readonly sourced: number | null;
  readonly value: number;
  readonly quality: number;
  readonly provider: string | null;
  readonly message: string;
}

/** The columns of an `ObservationRow`. Times are selected as float8, which `pg` converts to an exact number. */
export function observationColumns(table: string): string {
  return `${table}.business_time::float8 AS time, ${table}.insert_time::float8 AS inserted, ${table}.source_time::float8 AS sourced, ${table}.value, ${table}.quality::int AS quality, ${table}.provider, ${table}.message`;
}

/** The observation of a row. */
export function toObservation(
  code: AssetCode,
  { time, inserted, sourced, value, quality, provider, message }: ObservationRow,
): Observation {
  // Made member by member: in a large import, copying parts of objects would take most of the time.
  return {
    code,
    value,
    businessTime: time as UtcMillis,
    sourceTime: sourced as UtcMillis | null,
    insertTime: inserted as UtcMillis,
    provider: provider === null ? null : fromStored(provider),
    qualityStatus: QUALITY_STATUSES[quality]!,
    qualityMessage: fromStored(message),
  };
}

/** A record as selected by `recordColumns`. */
export interface RecordRow extends ObservationRow {
  readonly source: string;
  readonly import: number | null;
}

/** The columns of a `RecordRow`, from this table. */
export function recordColumns(table: string): string {
  return `${observationColumns(table)}, ${table}.source, ${table}.import`;
}

/** The record of a row. */
export function toRecord(code: AssetCode, row: RecordRow): StoredRecord {
  return { ...toObservation(code, row), source: fromStored(row.source), import: row.import };
}
