import { formatDecimal } from "../../core/bytes/json.ts";
import type { Observation } from "../../core/market/observation.ts";

/** The members of an observation's line as the format says it: the plain reference of what the store writes and reads. */
export function plainMembers(observation: Observation): string {
  const { code, value, businessTime, sourceTime, insertTime, provider, qualityStatus, qualityMessage } = observation;
  return (
    `"c":${JSON.stringify(code)},"t":${businessTime},"v":"${formatDecimal(value)}","it":${insertTime}` +
    (sourceTime === null ? "" : `,"st":${sourceTime}`) +
    (provider === null ? "" : `,"src":${JSON.stringify(provider)}`) +
    (qualityStatus === "ACCEPTED" ? "" : `,"q":"${qualityStatus}"`) +
    (qualityMessage === "" ? "" : `,"m":${JSON.stringify(qualityMessage)}`)
  );
}
