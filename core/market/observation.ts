import type { AssetCode, UtcMillis } from "../branded_types.ts";
import { quote } from "../http/errors.ts";
import { isTime } from "../time/timestamps.ts";

/** Only `ACCEPTED` observations are ever public. */
export const QUALITY_STATUSES = ["ACCEPTED", "PENDING", "REJECTED"] as const;
/** Whether an observation is public. */
export type QualityStatus = (typeof QUALITY_STATUSES)[number];

/** The maximum length of a provider's name, in UTF-16 units. */
export const MAX_PROVIDER_LENGTH = 64;

/**
 * Begins the message of a pending record that asks the operator to confirm an equal accepted record. If the operator
 * rejects the pending record, the accepted record is rejected, too.
 */
export const CONFIRM = "confirm: ";

/** The source of records for which a program names no source. */
export const EMBEDDER = "embedder";

/** The maximum number of providers listed for an asset. Without a limit, each record could add a provider. */
const MAX_LISTED_PROVIDERS = 20;

/** Sorts the names, and replaces all after the 20th with `OTHER`. Takes linear time. */
export function listedProviders(names: Iterable<string>): readonly string[] {
  const first: string[] = [];
  for (const name of names) {
    if (first.length > MAX_LISTED_PROVIDERS && name > first.at(-1)!) continue;
    first.push(name);
    first.sort().splice(MAX_LISTED_PROVIDERS + 1);
  }
  return first.length > MAX_LISTED_PROVIDERS ? [...first.slice(0, MAX_LISTED_PROVIDERS), "OTHER"] : first;
}

/** One market record: the value of an asset at a business time. `(code, businessTime)` is unique. */
export interface Observation {
  readonly code: AssetCode;
  /** In the asset's quote unit. Finite and above zero. Stored as given, never rounded. */
  readonly value: number;
  /** The time of the price in the market. */
  readonly businessTime: UtcMillis;
  /** The time at which the provider published the value, if known. */
  readonly sourceTime: UtcMillis | null;
  /** The time at which the record was stored. */
  readonly insertTime: UtcMillis;
  /** The name of the provider, if known. At most 64 UTF-16 units. */
  readonly provider: string | null;
  readonly qualityStatus: QualityStatus;
  /** A remark on the quality; may be empty. */
  readonly qualityMessage: string;
}

/**
 * Why an observation cannot be stored, such as `its value must be finite and above zero: received "0"`, or `undefined`
 * if it can be stored. Checks every member, because callers in plain JavaScript have no compiler.
 */
export function observationFault(observation: Observation): string | undefined {
  if (typeof observation !== "object" || observation === null) return "it must be an object";
  const members: { readonly [Member in keyof Observation]: unknown } = observation;
  const { code, value, businessTime, insertTime, sourceTime, provider, qualityStatus, qualityMessage } = members;
  if (typeof code !== "string" || code === "")
    return `its code must be a text that is not empty: received ${show(code)}`;
  if (typeof value !== "number" || !(value > 0 && value < Infinity))
    return `its value must be finite and above zero: received ${show(value)}`;
  if (!isTime(businessTime)) return `its businessTime ${TIME_RULE}: received ${show(businessTime)}`;
  if (!isTime(insertTime)) return `its insertTime ${TIME_RULE}: received ${show(insertTime)}`;
  if (sourceTime !== null && !isTime(sourceTime))
    return `its sourceTime ${TIME_RULE}, or null: received ${show(sourceTime)}`;
  if (provider !== null && (typeof provider !== "string" || provider.length > MAX_PROVIDER_LENGTH))
    return `its provider must be a text of at most ${MAX_PROVIDER_LENGTH} characters, or null: received ${show(provider)}`;
  if (!QUALITY_STATUSES.some((status) => status === qualityStatus))
    return `its qualityStatus must be one of ${QUALITY_STATUSES.join(", ")}: received ${show(qualityStatus)}`;
  return typeof qualityMessage === "string"
    ? undefined
    : `its qualityMessage must be a text: received ${show(qualityMessage)}`;
}

/** Throws `RangeError` for a batch with an invalid observation. Every store calls this before it stores a batch. */
export function demandObservations(batch: readonly Observation[]): void {
  for (const [index, observation] of batch.entries()) {
    const fault = observationFault(observation);
    if (fault !== undefined)
      throw new RangeError(`Cannot store observation ${index + 1} of ${batch.length} because ${fault}`);
  }
}

const TIME_RULE = "must be whole milliseconds in the years 0 to 9999";

function show(value: unknown): string {
  // Some objects cannot be converted to text.
  return typeof value === "object" && value !== null ? "an object" : quote(String(value));
}
