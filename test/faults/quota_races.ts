import { type JsonFileStore, openJsonFiles } from "../../adapters/stores/json_files/mod.ts";
import type { AccountId } from "../../core/branded_types.ts";
import { NOW } from "../support/json_files_fixtures.ts";
import { DAY } from "./acknowledged_writes.ts";
import type { Trial, TrialResult } from "./random_trial.ts";

const CALLERS = 500;
const LAST = 10;
/** Limits for which the store reserves one unit, several units, or all units at a time. */
const LIMITS = [50, 1_000, 20_000];

/** A single caller waits for 0 to 11 microtask turns after an answer; in one of these turns, a reservation ends. */
const TURNS = 12;

/** For many accounts, 500 callers take the last ten units at once. Then single callers take units one by one. */
export async function raceForUnits({ directory, rounds, enough }: Trial): Promise<TrialResult> {
  const counts = { races: 0, granted: 0, refused: 0 };
  const violations: string[] = [];
  const store = await openJsonFiles(directory, { clock: () => NOW });
  for (; counts.races < rounds && violations.length < enough; counts.races++) {
    const account = `account-${counts.races}` as AccountId;
    const limit = LIMITS[counts.races % LIMITS.length]!;
    // In every other round, the last units were taken and given back, so they are already reserved.
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

/** Takes units one by one. If a call is never answered, the process has nothing to do, and ends without a result. */
async function askAgain({ quota }: JsonFileStore, limit: number, turns: number): Promise<void> {
  const account = `asks after ${turns} of ${limit}` as AccountId;
  for (let asked = 0; asked < 8; asked++) {
    await quota.take(account, DAY, limit);
    for (let turn = 0; turn < turns; turn++) await undefined;
  }
}
