import { keyOf, type Zone } from "../../../core/internal.ts";
import type { Observation, ObservationKey } from "../../../core/mod.ts";
import { completed } from "../../stores/shared/complete_from_stored.ts";
import type { ImportWriter } from "../../stores/shared/import_writer.ts";
import type { ImportAccess, ImportOutcome } from "../../stores/shared/imports.ts";
import type { Findings } from "./judge_records.ts";
import type { ImportRequest } from "./run_import.ts";
import type { StagedRecord } from "./stage.ts";
import { reasonOf } from "./suspicious_price_text.ts";

const REPLACED_DAY = "replaced by a correction of this day";

/** Stores some records. */
export type RecordWriter = (records: readonly StagedRecord[]) => Promise<ImportOutcome>;

/** Makes a function that stores records as the findings and the answers require. */
export function createRecordWriter(
  writer: ImportWriter,
  findings: Findings,
  { answers, zone, around }: Pick<ImportRequest, "answers" | "zone"> & Pick<ImportAccess, "around">,
): RecordWriter {
  const { doubtful, replaceDays } = answers;
  const pending = new Map<string, string>();
  if (doubtful === "pending") {
    for (const level of findings.suspicious) {
      const reason = reasonOf(level);
      // If the stored values are suspicious, all imported values that agree with them are suspicious as well.
      if (level.why === "stored") pending.set(level.code, reason);
      for (const businessTime of level.times) pending.set(keyOf({ code: level.code, businessTime }), reason);
    }
  }
  const corrected = new Set(replaceDays ? findings.hidden.map(keyOf) : []);

  function asPending(observation: Observation): Observation {
    const qualityMessage =
      pending.size > 0 ? (pending.get(keyOf(observation)) ?? pending.get(observation.code)) : undefined;
    return qualityMessage === undefined || observation.qualityStatus !== "ACCEPTED"
      ? observation
      : { ...observation, qualityStatus: "PENDING", qualityMessage };
  }

  return async (records) => {
    const stored = findings.isCompleted ? await around(records.map(({ observation }) => observation)) : [];
    const batch = records.map(({ observation, stated }, i) => asPending(completed(observation, stated, stored[i])));
    const days = corrected.size === 0 ? [] : batch.filter((one) => corrected.has(keyOf(one)));
    const others = await othersOfDays(days, zone, around);
    const withdrawn = others.filter((one) => !findings.brings(one));
    if (withdrawn.length > 0)
      await writer.append(
        withdrawn.map((one) => ({ ...one, qualityStatus: "REJECTED", qualityMessage: REPLACED_DAY })),
      );
    return writer.append(batch);
  };
}

/** The stored accepted records with the assets and market days of these keys, but at other times. */
async function othersOfDays(keys: readonly ObservationKey[], zone: Zone, around: ImportAccess["around"]) {
  const others: Observation[] = [];
  for (const side of ["before", "after"] as const) {
    for (let edge = keys; edge.length > 0; ) {
      const found = await around(edge.map(({ code, businessTime }) => ({ code, businessTime })));
      const next = found.flatMap((near, i) => {
        const other = near[side];
        return other && zone.dateAt(other.businessTime) === zone.dateAt(edge[i]!.businessTime) ? [other] : [];
      });
      others.push(...next);
      edge = next;
    }
  }
  return others;
}
