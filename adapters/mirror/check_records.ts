import { DAY_MS, HOUR_MS, checkRecord, isFar, jumpOf } from "../../core/internal.ts";
import type { FoundJump, Neighbours } from "../../core/internal.ts";
import type { PendingValue, Wanted } from "../../core/mirror/mod.ts";
import type { Asset, AssetCode, MaybePromise, Observation, UtcMillis } from "../../core/mod.ts";
import { membersOf } from "./upstream.ts";

/** What the records of an answer are checked against. */
export interface CheckPlan {
  readonly catalog: ReadonlyMap<string, Asset>;
  readonly provider: string;
  /** What is stored around a time. */
  readonly around: (code: AssetCode, businessTime: UtcMillis) => MaybePromise<Neighbours>;
  /** Values that earlier answers had, and that no second one has confirmed. */
  readonly pending: readonly PendingValue[];
  readonly now: UtcMillis;
}

/** The records of an answer. */
export interface CheckedRecords {
  /** Those to be stored. */
  readonly batch: readonly Observation[];
  /** The pending values after this answer. */
  readonly pending: readonly PendingValue[];
  /** Records that jump, stored as `PENDING`. */
  readonly jumps: readonly FoundJump[];
  readonly refused: readonly RefusedRecord[];
  /** Codes that are not in the catalog. */
  readonly unknown: readonly string[];
  /** The codes of good records. */
  readonly codes: readonly AssetCode[];
  /** Business time of the oldest good record. */
  readonly oldest: UtcMillis | null;
}

/** A record that is not stored, and why. */
export interface RefusedRecord {
  /** As the upstream has written it, at most 32 characters. */
  readonly code: string;
  readonly reason: string;
}

/** The clocks of the world are at most 14 hours ahead of UTC, and 12 behind it. */
const AHEAD_MS = 14 * HOUR_MS;
const BEHIND_MS = 12 * HOUR_MS;
/** A value that agrees with a pending one is at most this much later. */
const SAME_VALUE_MS = 2 * DAY_MS;
/** More are not remembered: they stay pending. */
const MAX_PENDING = 2_000;
const PENDING_MESSAGE = "jumps by a factor of 5 or more; waits for a second answer that agrees";
const NOTHING: Neighbours = { at: undefined, before: undefined, after: undefined, count: 0 };

/**
 * Checks the records of an answer, the newest first. What is stored with the same value stays as it is, also if an operator
 * has rejected it. A value that jumps becomes `PENDING`, and is accepted when a later answer has it again: for latest values,
 * also at a later time with a value on the same level.
 *
 * @param wanted The days that were asked for; `undefined` for latest values.
 */
export async function checkRecords(records: readonly unknown[], { catalog, provider, around, pending, now }: CheckPlan, wanted: Wanted | undefined): Promise<CheckedRecords> {
  const good: Observation[] = [];
  const refused: RefusedRecord[] = [];
  const unknown = new Set<string>();
  for (const record of records) {
    const { code, value, businessTime, quoteUnit } = membersOf(record);
    const name = typeof code === "string" ? code.slice(0, 32) : "";
    const asset = typeof code === "string" ? catalog.get(code) : undefined;
    // Only these members are taken over: the upstream does not decide on status and provider here.
    const checked = checkRecord({ code, value, businessTime, provider }, catalog, now);
    if (!asset && name !== "") unknown.add(name);
    else if (!checked.ok) refused.push({ code: name, reason: checked.error });
    else if (typeof quoteUnit === "string" && quoteUnit !== asset?.quoteUnit) {
      refused.push({ code: name, reason: `it is quoted in "${quoteUnit.slice(0, 16)}", and here in ${asset?.quoteUnit}` });
    }
    else if (wanted && !isWanted(checked.value, wanted)) refused.push({ code: name, reason: "it is not of the asset and days that were asked for" });
    else good.push(checked.value);
  }

  const batch: Observation[] = [];
  const jumps: FoundJump[] = [];
  let waiting = [...pending];
  let newer: Observation | undefined;
  for (const one of good.toSorted((a, b) => b.businessTime - a.businessTime)) {
    const stored = await around(one.code, one.businessTime);
    const isListed = (other: PendingValue): boolean => other.code === one.code && other.businessTime === one.businessTime && other.value === one.value;
    if (stored.at?.value === one.value) {
      const { qualityStatus } = stored.at;
      if (qualityStatus === "PENDING" && pending.some(isListed)) accept(one);
      else if (qualityStatus === "PENDING" && stored.at.provider === provider) waiting.push(one); // It was stored just before a crash.
      else if (qualityStatus === "ACCEPTED") newer = one;
      continue;
    }
    const found = jumpOf({ observation: one, stored }, wanted && newer ? { ...NOTHING, after: newer } : NOTHING);
    if (!found || pending.some((other) => isSameLevel(other, one))) accept(one);
    else {
      jumps.push(found);
      batch.push({ ...one, qualityStatus: "PENDING", qualityMessage: PENDING_MESSAGE });
      waiting.push({ code: one.code, value: one.value, businessTime: one.businessTime });
    }
  }
  if (wanted?.part === "again") waiting = waiting.filter((other) => !isWanted(other, wanted));
  const oldest = good.reduce<UtcMillis | null>((least, { businessTime }) => (least === null || businessTime < least ? businessTime : least), null);
  return { batch, pending: waiting.slice(-MAX_PENDING), jumps, refused, unknown: [...unknown], codes: good.map(({ code }) => code), oldest };

  /** Accepts a record and, for latest values, the pending ones before it on the same level. Pending ones on another level are dropped. */
  function accept(one: Observation): void {
    if (wanted) newer = one;
    else for (const other of waiting) if (isSameLevel(other, one)) batch.push({ ...one, value: other.value, businessTime: other.businessTime });
    batch.push(one);
    waiting = waiting.filter(({ code, businessTime }) => code !== one.code || (wanted ? businessTime !== one.businessTime : businessTime < one.businessTime - SAME_VALUE_MS));
  }
}

function isSameLevel(earlier: PendingValue, { code, value, businessTime }: Observation): boolean {
  const age = businessTime - earlier.businessTime;
  return earlier.code === code && age > 0 && age <= SAME_VALUE_MS && !isFar(earlier.value, value);
}

function isWanted({ code, businessTime }: Pick<Observation, "code" | "businessTime">, wanted: Wanted): boolean {
  return code === wanted.code && businessTime >= wanted.from * DAY_MS - AHEAD_MS && businessTime < (wanted.to + 1) * DAY_MS + BEHIND_MS;
}
