import { CONFIRM, checkRecord, DAY_MS, isPending, keyOf } from "../../../core/internal.ts";
import type { Asset, AssetCode, Observation, UtcMillis } from "../../../core/mod.ts";
import type { FeedRule } from "../../intake/levels/feed_rule.ts";
import { inBatches } from "../../stores/shared/store_copying.ts";
import { membersOf } from "./ask_upstream.ts";
import type { MirrorOptions } from "./mirror_options.ts";
import { AHEAD_MS, BEHIND_MS, type HistoryRequest } from "./planner/mod.ts";

/** The source of the records that a mirror stores. */
export const SOURCE = "mirror";

interface Context extends Pick<MirrorOptions, "observations" | "onJudged"> {
  readonly catalog: ReadonlyMap<string, Asset>;
  readonly provider: string;
  readonly rule: FeedRule;
  /** The requested days, or `undefined` if the latest values were requested. */
  readonly wanted: HistoryRequest | undefined;
  /** This machine's time. The upstream's time decides which records are in the future. */
  readonly receivedAt: UtcMillis;
}

/** The result of storing an answer. */
export type StoredRecords = Readonly<{
  newlyPending: readonly Observation[];
  /** How many of `newlyPending` were not stored, because too many values of the mirror are pending. */
  dropped: number;
  refused: readonly RejectedUpstreamRecord[];
  /** Codes that the upstream quotes in another unit. */
  otherUnits: readonly string[];
  /** The newest business time of each asset, and the assets with a pending value. */
  newestOf: ReadonlyMap<AssetCode, UtcMillis>;
  pendingCodes: ReadonlySet<AssetCode>;
  oldest: UtcMillis | null;
  newest: UtcMillis | null;
}>;

/** A record that is not stored. `code` has at most 32 characters of the upstream's text. */
export type RejectedUpstreamRecord = Readonly<Record<"code" | "reason", string>>;

const TWO_VALUES = "the upstream has two values for this time: ";
/**
 * Checks the records of an answer and stores the valid records; returns a text if the answer is not a list. A stored
 * record with the same value stays unchanged, even if an operator has rejected it. A value beyond the daily bound of
 * its asset becomes `PENDING`. If an answer has two values for the same time, the first value becomes `PENDING`.
 *
 * @param now The upstream's time.
 */
export async function storeRecords(
  body: unknown,
  { catalog, provider, observations, rule, wanted, receivedAt, onJudged }: Context,
  now: UtcMillis,
): Promise<StoredRecords | string> {
  if (!Array.isArray(body)) return "The answer is not a list of records";
  const good = new Map<string, Observation>();
  /** The second value for the same asset and time, if the answer has two. */
  const clashing = new Map<string, number>();
  const refused: RejectedUpstreamRecord[] = [];
  const otherUnits = new Set<string>();
  for (const record of body as readonly unknown[]) {
    const { code, value, businessTime, quoteUnit } = membersOf(record);
    const name = typeof code === "string" ? code.slice(0, 32) : "";
    const asset = typeof code === "string" ? catalog.get(code) : undefined;
    // Other members, such as status and provider, are not taken from the upstream.
    const checked = checkRecord({ code, value, businessTime, provider }, catalog, now);
    if (!asset && name !== "") continue;
    if (typeof quoteUnit === "string" && quoteUnit !== asset?.quoteUnit) {
      otherUnits.add(name);
      const reason = `it is quoted in "${quoteUnit.slice(0, 16)}", but in ${asset?.quoteUnit} on this server`;
      refused.push({ code: name, reason });
    } else if (!checked.ok) refused.push({ code: name, reason: checked.error });
    else if (wanted && !isWanted(checked.value, wanted))
      refused.push({ code: name, reason: "it is not for the requested asset and days" });
    else {
      const key = keyOf(checked.value);
      const other = good.get(key);
      if (other && other.value !== checked.value.value) clashing.set(key, checked.value.value);
      good.set(key, other ?? checked.value);
    }
  }

  const changed: Observation[] = [];
  const pendingCodes = new Set<AssetCode>();
  for (const [key, one] of good) {
    const { at, pending = [] } = await observations.around(one.code, one.businessTime);
    if (at?.value === one.value) continue;
    const other = clashing.get(key);
    const known = pending.find(({ value, source }) => value === one.value && source === SOURCE);
    const qualityMessage = `${TWO_VALUES}${one.value} and ${other}`;
    // Once an answer has only one value for this time, the pending value is judged again.
    const isSettled = other === undefined && known?.qualityMessage.startsWith(TWO_VALUES);
    if (known && !isSettled) pendingCodes.add(one.code);
    else if (other === undefined) changed.push({ ...one, insertTime: receivedAt });
    else changed.push({ ...one, insertTime: receivedAt, qualityStatus: "PENDING", qualityMessage });
  }
  const batch = await rule(changed, SOURCE);
  onJudged?.(batch);
  let dropped = 0;
  for await (const part of inBatches(batch, observations.maxBatch ?? Infinity))
    dropped += (await observations.append(part, SOURCE)).kept ?? 0;
  const newlyPending = batch.filter(isPending);
  for (const one of newlyPending) if (!one.qualityMessage.startsWith(CONFIRM)) pendingCodes.add(one.code);
  const sorted = [...good.values()].sort((a, b) => a.businessTime - b.businessTime);
  const newestOf = new Map(sorted.map(({ code, businessTime }) => [code, businessTime]));
  const [oldest, newest] = [sorted[0]?.businessTime ?? null, sorted.at(-1)?.businessTime ?? null];
  return { newlyPending, dropped, refused, otherUnits: [...otherUnits], oldest, newest, newestOf, pendingCodes };
}

function isWanted({ code, businessTime }: Pick<Observation, "code" | "businessTime">, wanted: HistoryRequest): boolean {
  return (
    code === wanted.code &&
    businessTime >= wanted.from * DAY_MS - AHEAD_MS &&
    businessTime < (wanted.to + 1) * DAY_MS + BEHIND_MS
  );
}
