import { DAY_MS, keyOf, type Neighbours } from "../../core/internal.ts";
import type { AssetCode, Observation, ObservationKey, UtcMillis } from "../../core/mod.ts";
import { referencesOf } from "../intake/levels/expected_prices.ts";
import { findSuspiciousLevels, type PriceSeries, type SuspiciousLevel } from "../intake/levels/suspicious_levels.ts";
import { USUAL_BATCH } from "../stores/shared/imports.ts";

/** A feed of prices: nobody can be asked about them. */
export interface Feed {
  /** What waits of it, stored as `PENDING`. */
  readonly pending: readonly Observation[];
  /** What is stored next to prices. */
  readonly around: (keys: readonly ObservationKey[]) => Promise<readonly Neighbours[]>;
  /** The same for the records of the batch, where that is known already. */
  readonly found?: readonly Neighbours[];
}

/** What becomes of a batch of a feed. */
export interface Sifted {
  /** The records, those in doubt as `PENDING` with the reason, and before them what has waited and is believed now. */
  readonly batch: readonly Observation[];
  /** What waits after this. What was decided about, or was corrected, waits no more. */
  readonly pending: readonly Observation[];
}

/** What waits longer is not judged again: somebody has to decide about it. */
const MAX_PENDING = 2_000;

/** Judges the accepted records of a batch, together with what waits, by the rule for levels. */
export async function siftSuspicious(
  batch: readonly Observation[],
  { pending, around, found: given }: Feed,
): Promise<Sifted> {
  const own = new Set(batch.map(keyOf));
  const isAccepted = batch.map(({ qualityStatus }) => qualityStatus === "ACCEPTED");
  const accepted = batch.filter((_, i) => isAccepted[i]);
  const earlier = [...new Map(pending.map((one) => [idOf(one), one])).values()].filter((one) => !own.has(keyOf(one)));
  const lookUp = async (keys: readonly ObservationKey[]): Promise<readonly Neighbours[]> => {
    const found: Neighbours[] = [];
    for (let from = 0; from < keys.length; from += USUAL_BATCH)
      found.push(...(await around(keys.slice(from, from + USUAL_BATCH))));
    return found;
  };
  const keysOf = (records: readonly Observation[]): ObservationKey[] =>
    records.map(({ code, businessTime }) => ({ code, businessTime }));
  const found = [
    ...(await lookUp(keysOf(earlier))),
    ...(given?.filter((_, i) => isAccepted[i]) ?? (await lookUp(keysOf(accepted)))),
  ];
  // Where another value is accepted at its time, or it was decided about, somebody has to decide: it must not take the place.
  const stillPending = earlier.filter(({ value }, i) => {
    const { at, pending: stored } = found[i]!;
    const isFree = at === undefined || (at.qualityStatus === "REJECTED" && at.value !== value);
    return isFree && stored?.some((one) => one.value === value);
  });
  const judged = [...stillPending, ...accepted];
  const near = [...found, ...(await lookUp(referenceKeys(judged)))].flatMap(({ before, at, after }) => [
    before,
    at,
    after,
  ]);
  const stored = near.filter((one): one is Observation => one?.qualityStatus === "ACCEPTED");

  // Of one time, a value that is right stays so when another one follows: each is judged after those before it.
  const suspicionOf = new Map<string, SuspiciousLevel>();
  for (let rest: readonly Observation[] = judged; rest.length > 0; ) {
    const round = new Map(rest.toReversed().map((one) => [keyOf(one), one]));
    for (const level of findSuspiciousLevels(pricesOf([...round.values()], stored))) {
      for (const businessTime of level.times)
        suspicionOf.set(idOf(round.get(keyOf({ code: level.code, businessTime }))!), level);
    }
    stored.push(...[...round.values()].filter((one) => !suspicionOf.has(idOf(one))));
    rest = rest.filter((one) => round.get(keyOf(one))!.value !== one.value);
  }
  return {
    batch: [
      ...stillPending.filter((one) => !suspicionOf.has(idOf(one))),
      ...batch.map((one): Observation => {
        const level = one.qualityStatus === "ACCEPTED" ? suspicionOf.get(idOf(one)) : undefined;
        return level
          ? { ...one, qualityStatus: "PENDING", qualityMessage: `${reasonOf(level)}; waits for a decision` }
          : one;
      }),
    ],
    pending: judged.filter((one) => suspicionOf.has(idOf(one))).slice(-MAX_PENDING),
  };
}

function idOf(one: Observation): string {
  return `${keyOf(one)} ${one.value}`;
}

/** Noon of the days on which what prices are compared with is looked up. */
function referenceKeys(records: readonly Observation[]): ObservationKey[] {
  const daysOf = new Map<AssetCode, Set<number>>();
  for (const { code, businessTime } of records)
    (daysOf.get(code) ?? daysOf.set(code, new Set()).get(code)!).add(Math.floor(businessTime / DAY_MS));
  const keys = [...daysOf].flatMap(([code, days]) =>
    referencesOf(code).flatMap((reference) =>
      [...days].map((day) => ({ code: reference, businessTime: ((day + 0.5) * DAY_MS) as UtcMillis })),
    ),
  );
  return [...new Map(keys.map((key) => [keyOf(key), key])).values()];
}

function pricesOf(
  batch: readonly Observation[],
  stored: readonly Observation[],
): Parameters<typeof findSuspiciousLevels>[0] {
  const codes = new Set([...batch, ...stored].map(({ code }) => code));
  const unique = [...new Map(stored.map((one) => [keyOf(one), one])).values()];
  return new Map([...codes].map((code) => [code, { batch: columnsOf(batch, code), stored: columnsOf(unique, code) }]));
}

function columnsOf(records: readonly Observation[], code: AssetCode): PriceSeries {
  const own = records.filter((one) => one.code === code).sort((a, b) => a.businessTime - b.businessTime);
  return { times: own.map(({ businessTime }) => businessTime), values: own.map(({ value }) => value) };
}

/** Why records are in doubt, without which they are, e.g. `looks like toman: about 1900000 expected`. */
export function reasonOf({ code, why, level, expected }: SuspiciousLevel): string {
  const factor = level < 0 ? `a ${10 ** -level}th of what it should be` : `${10 ** level} times what it should be`;
  let text = `looks like ${factor}`;
  if (why === "jump") text = "jumps, and no later value confirms it";
  else if (why === "asset") text = "does not fit its market";
  else if (level === -1 && code.endsWith("_RLS")) text = "looks like toman";
  else if (level === -3) text = "looks like thousands whose point was read as a decimal mark";
  return Number.isNaN(expected) ? text : `${text}: about ${Number(expected.toPrecision(2))} expected`;
}
