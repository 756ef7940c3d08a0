import { DAY_MS, HOUR_MS, checkRecord } from "../../core/internal.ts";
import type { LevelDoubt, Neighbours } from "../../core/internal.ts";
import type { PendingValue, Wanted } from "../../core/mirror/mod.ts";
import type { Asset, AssetCode, MaybePromise, Observation, UtcMillis } from "../../core/mod.ts";
import { siftDoubtful } from "../store/doubts.ts";
import { membersOf } from "./upstream.ts";

/** What the records of an answer are checked against. */
export interface CheckPlan {
  readonly catalog: ReadonlyMap<string, Asset>;
  readonly provider: string;
  /** What is stored around a time. */
  readonly around: (code: AssetCode, businessTime: UtcMillis) => MaybePromise<Neighbours>;
  /** Values of earlier answers that wait. */
  readonly pending: readonly PendingValue[];
  readonly now: UtcMillis;
}

/** The records of an answer. */
export interface CheckedRecords {
  /** Those to be stored. */
  readonly batch: readonly Observation[];
  /** The pending values after this answer. */
  readonly pending: readonly PendingValue[];
  /** Why records were stored as `PENDING`. */
  readonly doubts: readonly LevelDoubt[];
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

/**
 * Checks the records of an answer. What is stored with the same value stays as it is, also if an operator has rejected it.
 * What fails the rule for levels becomes `PENDING`, and is accepted when later values confirm it, as the rule says.
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

  const waiting = pending.map((one): Observation => ({ ...one, sourceTime: null, insertTime: now, provider, qualityStatus: "ACCEPTED", qualityMessage: "" }));
  const changed: Observation[] = [];
  for (const one of good) {
    const { at } = await around(one.code, one.businessTime);
    if (at?.value !== one.value) changed.push(one);
    else if (at.qualityStatus === "PENDING" && at.provider === provider) waiting.push(one); // It was stored just before a crash.
  }
  const sifted = await siftDoubtful(changed, { waiting, around: (keys) => Promise.all(keys.map(({ code, businessTime }) => around(code, businessTime))) });
  const oldest = good.reduce<UtcMillis | null>((least, { businessTime }) => (least === null || businessTime < least ? businessTime : least), null);
  const still = sifted.waiting.map(({ code, value, businessTime }) => ({ code, value, businessTime }));
  return { batch: sifted.batch, pending: still, doubts: sifted.doubts, refused, unknown: [...unknown], codes: good.map(({ code }) => code), oldest };
}

function isWanted({ code, businessTime }: Pick<Observation, "code" | "businessTime">, wanted: Wanted): boolean {
  return code === wanted.code && businessTime >= wanted.from * DAY_MS - AHEAD_MS && businessTime < (wanted.to + 1) * DAY_MS + BEHIND_MS;
}
