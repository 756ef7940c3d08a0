import { type AssetCode, type Observation, QUALITY_STATUSES, type UtcMillis } from "../../../core/mod.ts";
import type { StoredRecord } from "../shared/imports.ts";
import { fromStored } from "./escape_text.ts";

/** The columns of an `ObservationRow`. */
export const OBSERVATION = "business_time, insert_time, source_time, value, quality, provider, message";
/** The columns of a `RecordRow`. */
export const RECORD = `${OBSERVATION}, source, import`;

/** An observation. */
export interface ObservationRow {
  readonly business_time: number;
  readonly insert_time: number;
  readonly source_time: number | null;
  readonly value: number;
  readonly quality: number;
  readonly provider: string | null;
  readonly message: string;
}

/** The observation of a row. */
export function toObservation(code: AssetCode, row: ObservationRow): Observation {
  // Made member by member: in a large import, copying parts of objects would take most of the time.
  return {
    code,
    value: row.value,
    businessTime: row.business_time as UtcMillis,
    sourceTime: row.source_time as UtcMillis | null,
    insertTime: row.insert_time as UtcMillis,
    provider: row.provider === null ? null : fromStored(row.provider),
    qualityStatus: QUALITY_STATUSES[row.quality]!,
    qualityMessage: fromStored(row.message),
  };
}

/** A stored record. */
export interface RecordRow extends ObservationRow {
  readonly source: string;
  readonly import: number | null;
}

/** The record of a row. */
export function toRecord(code: AssetCode, row: RecordRow): StoredRecord {
  return { ...toObservation(code, row), source: fromStored(row.source), import: row.import };
}
