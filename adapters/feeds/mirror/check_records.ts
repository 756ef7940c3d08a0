import { checkRecord, DAY_MS, HOUR_MS, keyOf } from "../../../core/internal.ts";
import type { Asset, AssetCode, Observation, UtcMillis } from "../../../core/mod.ts";
import { siftSuspicious } from "../suspicious_prices.ts";
import { membersOf } from "./ask_upstream.ts";
import type { MirrorObservations } from "./mirror_options.ts";
import type { HistoryRequest, PendingValue } from "./planner/mod.ts";

/** What the records of an answer are checked against and stored with; `pending` waits of earlier ones, `wanted` are the days that were asked for, `undefined` for latest values. */
export type RecordParts = Readonly<{
  catalog: ReadonlyMap<string, Asset>;
  provider: string;
  observations: MirrorObservations;
  pending: readonly PendingValue[];
  wanted: HistoryRequest | undefined;
}>;

/**
 * The records of an answer, after the good ones were stored: what waits after it, and what of it was stored as `PENDING`; what was not stored, and the codes
 * in another unit; the codes of good records, their oldest and newest business time, and whether some wait.
 */
export type TakenRecords = Readonly<{
  pending: readonly PendingValue[];
  newlyPending: readonly Observation[];
  refused: readonly RejectedUpstreamRecord[];
  otherUnits: readonly string[];
  codes: readonly AssetCode[];
  oldest: UtcMillis | null;
  newest: UtcMillis | null;
  isDoubtful: boolean;
}>;

/** A record that is not stored, and why. `code` is as the upstream has written it, at most 32 characters. */
export type RejectedUpstreamRecord = Readonly<Record<"code" | "reason", string>>;

/** The clocks of the world are at most 14 hours ahead of UTC, and 12 behind it. */
const [AHEAD_MS, BEHIND_MS] = [14 * HOUR_MS, 12 * HOUR_MS];

/**
 * Checks the records of an answer by the upstream's time and stores the good ones; a text says what is wrong with the answer as a whole. What is stored
 * with the same value stays as it is, also if an operator has rejected it. What fails the rule for levels becomes `PENDING`, and so does what contradicts itself.
 */
export async function takeRecords(
  body: unknown,
  { catalog, provider, observations, pending, wanted }: RecordParts,
  now: UtcMillis,
): Promise<TakenRecords | string> {
  if (!Array.isArray(body)) return "The answer is not a list of records";
  const good = new Map<string, Observation>();
  /** The other value of a record, where an answer has two for one time. */
  const clashing = new Map<string, number>();
  const refused: RejectedUpstreamRecord[] = [];
  const otherUnits = new Set<string>();
  for (const record of body as readonly unknown[]) {
    const { code, value, businessTime, quoteUnit } = membersOf(record);
    const name = typeof code === "string" ? code.slice(0, 32) : "";
    const asset = typeof code === "string" ? catalog.get(code) : undefined;
    // Only these members are taken over: the upstream does not decide on status and provider here.
    const checked = checkRecord({ code, value, businessTime, provider }, catalog, now);
    if (!asset && name !== "") continue;
    if (typeof quoteUnit === "string" && quoteUnit !== asset?.quoteUnit) {
      otherUnits.add(name);
      refused.push({
        code: name,
        reason: `it is quoted in "${quoteUnit.slice(0, 16)}", and here in ${asset?.quoteUnit}`,
      });
    } else if (!checked.ok) refused.push({ code: name, reason: checked.error });
    else if (wanted && !isWanted(checked.value, wanted))
      refused.push({ code: name, reason: "it is not of the asset and days that were asked for" });
    else {
      const key = keyOf(checked.value);
      const other = good.get(key);
      if (other && other.value !== checked.value.value) clashing.set(key, checked.value.value);
      good.set(key, other ?? checked.value);
    }
  }

  const around = async ({ code, businessTime }: Pick<Observation, "code" | "businessTime">) =>
    observations.around(code, businessTime);
  const waiting = pending.map(
    (one): Observation => ({
      ...one,
      sourceTime: null,
      insertTime: now,
      provider,
      qualityStatus: "ACCEPTED",
      qualityMessage: "",
    }),
  );
  const changed: Observation[] = [];
  for (const [key, one] of good) {
    const { at, pending: stored = [] } = await around(one);
    if (at?.value === one.value) continue;
    const other = clashing.get(key);
    const qualityMessage = `the upstream has ${one.value} and ${other} for this time; waits for a decision`;
    const waits = stored.find(({ value }) => value === one.value);
    if (!waits) changed.push(other === undefined ? one : { ...one, qualityStatus: "PENDING", qualityMessage });
    else if (other === undefined && waits.provider === provider) waiting.push(one); // It was stored just before a crash.
  }
  const { batch, pending: still } = await siftSuspicious(changed, {
    pending: waiting,
    around: (keys) => Promise.all(keys.map(around)),
  });
  const size = observations.maxBatch ?? Infinity;
  for (let from = 0; from < batch.length; from += size)
    await observations.append(batch.slice(from, from + size), "mirror");
  const times = [...good.values()].map(({ businessTime }) => businessTime).sort((a, b) => a - b);
  return {
    pending: still.map(({ code, value, businessTime }) => ({ code, value, businessTime })),
    newlyPending: batch.filter(({ qualityStatus }) => qualityStatus === "PENDING"),
    refused,
    otherUnits: [...otherUnits],
    codes: [...good.values()].map(({ code }) => code),
    oldest: times[0] ?? null,
    newest: times.at(-1) ?? null,
    isDoubtful: clashing.size > 0 || still.some((one) => good.has(keyOf(one))),
  };
}

function isWanted({ code, businessTime }: Pick<Observation, "code" | "businessTime">, wanted: HistoryRequest): boolean {
  return (
    code === wanted.code &&
    businessTime >= wanted.from * DAY_MS - AHEAD_MS &&
    businessTime < (wanted.to + 1) * DAY_MS + BEHIND_MS
  );
}
