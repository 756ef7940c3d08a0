import { formatDecimal, formatTimestamp } from "../../../core/internal.ts";
import type { Observation, ObservationWriter } from "../../../core/mod.ts";

/** A record as a line of a snapshot. The line also has the insert time, because answers include it. */
export function snapshotLine(observation: Observation): string {
  return recordLine(observation, { insertTime: formatTimestamp(observation.insertTime) });
}

/** The accepted records of a store as one text for `openSnapshot`. */
export async function makeSnapshot(records: ReturnType<ObservationWriter["records"]>): Promise<string> {
  const lines: string[] = [];
  for await (const record of records) if (record.qualityStatus === "ACCEPTED") lines.push(snapshotLine(record));
  return lines.join("");
}

/** A record as a line of NDJSON with its line feed, as `mazaneh export` writes it, plus the members of `more`. */
export function recordLine(
  { code, value, businessTime, sourceTime, provider, qualityStatus, qualityMessage }: Observation,
  more: object = {},
): string {
  const rest = {
    ...(sourceTime !== null && { sourceTime: formatTimestamp(sourceTime) }),
    ...more,
    ...(provider !== null && { provider }),
    qualityStatus,
    ...(qualityMessage !== "" && { qualityMessage }),
  };
  // Not JSON.stringify, because it writes small values with an exponent.
  const head = `{"code":${JSON.stringify(code)},"value":${formatDecimal(value)},"businessTime":"${formatTimestamp(businessTime)}"`;
  return `${head},${JSON.stringify(rest).slice(1)}\n`;
}
