import { type JsonFileStore, openJsonFiles } from "../../adapters/stores/json_files/mod.ts";
import type { AccountId } from "../../core/branded_types.ts";
import { NOW } from "../support/json_files_fixtures.ts";
import { DAY } from "./acknowledged_writes.ts";
import type { Trial, TrialResult } from "./random_trial.ts";

const CALLERS = 500;
const LAST = 10;
/** Limits with reservation blocks of one unit, of several, and of all units. */
const LIMITS = [50, 1_000, 20_000];

/** A caller takes again this many microtask turns after its answer: after one of them, a reservation ends. */
const TURNS = 12;

/** For many accounts, lets 500 callers take the last ten units at once, and one caller take again and again. */
export async function raceForUnits({ directory, rounds, enough }: Trial): Promise<TrialResult> {
  const counts = { races: 0, granted: 0, refused: 0 };
  const violations: string[] = [];
  const store = await openJsonFiles(directory, { clock: () => NOW });
  for (; counts.races < rounds && violations.length < enough; counts.races++) {
    const account = `account-${counts.races}` as AccountId;
    const limit = LIMITS[counts.races % LIMITS.length]!;
    // The last units either were never taken, or were given back and are therefore reserved.
    const givenBack = counts.races % 2 === 0 ? 0 : LAST;
    await Promise.all(
      Array.from({ length: limit - LAST + givenBack }, async () => store.quota.take(account, DAY, limit)),
    );
    for (let i = 0; i < givenBack; i++) await store.quota.giveBack(account, DAY);
    const taken = await Promise.all(Array.from({ length: CALLERS }, async () => store.quota.take(account, DAY, limit)));
    const granted = taken.filter((one) => one.granted);
    counts.granted += granted.length;
    counts.refused += CALLERS - granted.length;
    if (granted.length !== LAST) violations.push(`race ${counts.races}, limit ${limit}: ${granted.length} granted`);
    if (new Set(granted.map(({ used }) => used)).size !== granted.length)
      violations.push(`race ${counts.races}: a unit was granted twice`);
    const used = await store.quota.used(account, DAY);
    if (used !== limit) violations.push(`race ${counts.races}, limit ${limit}: ${used} used`);
  }
  for (const limit of LIMITS) {
    for (let turns = 0; turns < TURNS; turns++) await askAgain(store, limit, turns);
  }
  await store.close();
  return { ...counts, violations };
}

/** A forgotten caller waits forever: the process then has nothing left to do, and the harness ends without a result. */
async function askAgain({ quota }: JsonFileStore, limit: number, turns: number): Promise<void> {
  const account = `asks after ${turns} of ${limit}` as AccountId;
  for (let asked = 0; asked < 8; asked++) {
    await quota.take(account, DAY, limit);
    for (let turn = 0; turn < turns; turn++) await undefined;
  }
}
