import { DAY_MS } from "../../../core/internal.ts";
import type { AssetCode, Observation, UtcMillis } from "../../../core/mod.ts";
import type { Records } from "../../stores/shared/engine.ts";

/** A span without an accepted record counts as a gap if it is longer than this number of days. */
export const GAP_DAYS = 7;

/** Facts about the records of an asset. */
export type AssetFacts = Readonly<ReturnType<typeof startOf>>;

/** A change of the value from one record to the next. */
export interface Jump {
  /** Business time of the later record. */
  readonly at: UtcMillis;
  readonly before: number;
  readonly after: number;
}

/**
 * The facts of each asset, in the order of the records. Reads the records once, and keeps only figures for each asset
 * and provider in memory.
 *
 * @param records Grouped by asset, then by quality status, then ascending by business time.
 */
export async function factsOf(records: Records): Promise<AssetFacts[]> {
  const facts = new Map<AssetCode, ReturnType<typeof startOf>>();
  let current: ReturnType<typeof startOf> | undefined;
  for await (const record of records) {
    if (record.code !== current?.code) {
      current = facts.get(record.code) ?? startOf(record.code);
      facts.set(record.code, current);
    }
    add(current, record);
  }
  return [...facts.values()];
}

/** The number of records of every status. */
export function recordsOf({ counts }: Pick<AssetFacts, "counts">): number {
  return counts.ACCEPTED + counts.PENDING + counts.REJECTED;
}

/** The factor between two values, at least 1. */
export function factorOf({ before, after }: Jump): number {
  return after > before ? after / before : before / after;
}

function startOf(code: AssetCode) {
  return {
    code,
    /** Number of records by quality status. */
    counts: { ACCEPTED: 0, PENDING: 0, REJECTED: 0 },
    /** Number of records of any status, by provider. The key `null` means records without a provider. */
    providers: new Map<string | null, number>(),
    /** Business times of the first and the last accepted record; `null` if there is none. */
    first: null as UtcMillis | null,
    last: null as UtcMillis | null,
    lastValue: NaN,
    /** The number of gaps. */
    gaps: 0,
    longestGap: null as { readonly from: UtcMillis; readonly to: UtcMillis } | null,
    /** The change with the largest factor from one accepted record to the next; `null` for fewer than two records. */
    largestJump: null as Jump | null,
  };
}

function add(facts: ReturnType<typeof startOf>, { qualityStatus, provider, businessTime, value }: Observation): void {
  facts.counts[qualityStatus]++;
  facts.providers.set(provider, (facts.providers.get(provider) ?? 0) + 1);
  if (qualityStatus !== "ACCEPTED") return;
  const { last, longestGap, largestJump } = facts;
  if (last === null) {
    facts.first = businessTime;
  } else {
    if (businessTime - last > GAP_DAYS * DAY_MS) {
      facts.gaps++;
      if (!longestGap || businessTime - last > longestGap.to - longestGap.from)
        facts.longestGap = { from: last, to: businessTime };
    }
    const jump = { at: businessTime, before: facts.lastValue, after: value };
    if (!largestJump || factorOf(jump) > factorOf(largestJump)) facts.largestJump = jump;
  }
  facts.last = businessTime;
  facts.lastValue = value;
}
