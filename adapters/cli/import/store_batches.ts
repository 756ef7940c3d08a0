import { keyOf, type Zone } from "../../../core/internal.ts";
import type { AppendOutcome, Observation, ObservationKey } from "../../../core/mod.ts";
import { reasonOf } from "../../feeds/suspicious_prices.ts";
import { completed } from "../../stores/shared/complete_from_stored.ts";
import type { ImportWriter } from "../../stores/shared/import_writer.ts";
import type { ImportAccess } from "../../stores/shared/imports.ts";
import type { Answers } from "./ask_about_values.ts";
import type { CheckedRecords, ScanResult } from "./scan.ts";

/** Where the records of an import go. */
export interface RecordTarget {
  append(checked: CheckedRecords): Promise<AppendOutcome>;
}

const REPLACED_DAY = "replaced by a correction of this day";

interface StoringOptions {
  readonly answers: Answers;
  /** The market's. */
  readonly zone: Zone;
  readonly imports: ImportAccess;
}

/** Stores records as the findings and the answers have it. */
export function createBatchWriter(
  writer: ImportWriter,
  findings: ScanResult,
  { answers, zone, imports }: StoringOptions,
): RecordTarget {
  const { doubtful, replaceDays } = answers;
  const pending = new Map<string, string>();
  if (doubtful === "pending") {
    for (const level of findings.suspicious) {
      const reason = `${reasonOf(level)}; waits for a decision`;
      // Where what is stored is in doubt, so is all that agrees with it.
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

  return {
    async append({ observations, records }) {
      const stored = findings.isCompleted ? await imports.around(observations) : [];
      const batch = observations.map((one, i) => asPending(completed(one, records[i]!, stored[i])));
      const days = corrected.size === 0 ? [] : batch.filter((one) => corrected.has(keyOf(one)));
      const others = await othersOfDays(days, zone, imports);
      const withdrawn = others.filter((one) => !findings.brings(one));
      if (withdrawn.length > 0)
        await writer.append(
          withdrawn.map((one) => ({ ...one, qualityStatus: "REJECTED", qualityMessage: REPLACED_DAY })),
        );
      return writer.append(batch);
    },
  };
}

/** The accepted records that are stored of the market days of these keys, besides those of the keys. */
async function othersOfDays(
  keys: readonly ObservationKey[],
  zone: Zone,
  { around }: Pick<ImportAccess, "around">,
): Promise<Observation[]> {
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
