import fc from "fast-check";
import type { AssetCode, UtcMillis } from "../../core/branded_types.ts";
import type { Observation } from "../../core/market/observation.ts";

// Generators that several property tests share: texts, times, days and observations.

export const CODE = "BTC_USD" as AssetCode;
export const MINUTE = 60_000;
export const HOUR = 3_600_000;
export const DAY = 86_400_000;
export const FIRST_MILLIS = Date.parse("0000-01-01T00:00:00.000Z");
export const LAST_MILLIS = Date.parse("9999-12-31T23:59:59.999Z");

/** A moment, in milliseconds since 1970. */
export function at(millis: number): UtcMillis {
  return millis as UtcMillis;
}

/** An observation with these parts; by default, it is accepted and has the code `CODE` and the value 1. */
export function observation(parts: Partial<Observation> & Pick<Observation, "businessTime">): Observation {
  return {
    code: CODE,
    value: 1,
    sourceTime: null,
    insertTime: at(0),
    provider: null,
    qualityStatus: "ACCEPTED",
    qualityMessage: "",
    ...parts,
  };
}

/** Any JavaScript string, including lone surrogates. */
export const anyText = fc.uint16Array({ maxLength: 40 }).map((units) => String.fromCharCode(...units));

/** Text that Unicode allows. `fc.string({ unit: "binary" })` would take a second to build its table of characters. */
export const properText = fc
  .array(
    fc.nat(0x10ffff).filter((point) => point < 0xd800 || point > 0xdfff),
    { maxLength: 12 },
  )
  .map((points) => String.fromCodePoint(...points));
