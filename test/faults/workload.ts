import { type JsonFileStore, openJsonFiles, type StoreError } from "../../adapters/stores/json_files/mod.ts";
import type { AccountId, UtcMillis } from "../../core/branded_types.ts";
import type { Observation } from "../../core/market/observation.ts";
import { NOW } from "../support/json_files_fixtures.ts";
import { observed } from "../support/store_suite.ts";
import {
  type Change,
  DAY,
  LARGE,
  type Promises,
  type Remains,
  readAll,
  SMALL,
  sequenceOf,
  unitsOf,
  valuesAfter,
} from "./acknowledged_writes.ts";
import type { Random } from "./random_trial.ts";

/** How a run differs from another. */
export interface Run extends Remains {
  readonly random: Random;
  readonly steps: number;
  /** Told of the opened store. */
  readonly opened?: (store: JsonFileStore) => void;
  /** Called between steps. */
  readonly between?: () => void;
}

/** A run whose store is open. */
interface Running extends Run {
  readonly store: JsonFileStore;
  readonly fatal: readonly StoreError[];
  readonly violations: string[];
}

/** How a run has ended. */
export interface Ended {
  /** Why the store could not be opened for writing, if so. */
  readonly refused: unknown;
  readonly fatal: readonly StoreError[];
  /** What the store itself did wrong, in words. */
  readonly violations: readonly string[];
}

/** Opens a store, works with it for some steps and closes it, keeping count of what it promises. */
export async function work(run: Run): Promise<Ended> {
  const { directory, disk, promises, random, segmentBytes } = run;
  const fatal: StoreError[] = [];
  const violations: string[] = [];
  promises.closed = false;
  let store: JsonFileStore;
  try {
    store = await openJsonFiles(directory, {
      clock: () => NOW,
      fs: disk.fs,
      segmentBytes,
      onFatal: (error) => fatal.push(error),
    });
  } catch (error) {
    return { refused: error, fatal, violations };
  }
  const { generation } = await store.access.info();
  if (generation <= promises.generation) violations.push(`generation ${generation} after ${promises.generation}`);
  promises.generation = generation;
  await keepSurvivors(store, promises);
  run.opened?.(store);

  const running: Running = { ...run, store, fatal, violations };
  for (let step = 0; step < run.steps; step++) {
    await Promise.all(Array.from({ length: 1 + random.below(3) }, () => oneCall(running)));
    readAll(store, promises);
    run.between?.();
  }
  await store.close().catch((error: unknown) => violations.push(`does not close: ${String(error)}`));
  promises.closed = fatal.length === 0;
  return { refused: undefined, fatal, violations };
}

/** What a crash left of the unanswered changes is shown from now on; the rest was never made. */
async function keepSurvivors(store: JsonFileStore, { batches, plans, units }: Promises): Promise<void> {
  let lines = 0;
  const sequence = sequenceOf(store);
  const kept = batches.findIndex(({ what }) => (lines += what.length) > sequence);
  if (kept !== -1) batches.length = kept;
  plans.length = store.accounts.book().plans.filter(({ name }) => name.startsWith("PLAN_")).length;
  for (const change of [...batches, ...plans]) change.answered = true;
  for (const [account, counts] of units) {
    // A day that cannot be opened just now says nothing of what is left of it.
    const used = await (async () => store.quota.used(account, DAY))().catch(() => counts.granted);
    counts.forfeited = used - counts.granted;
  }
}

async function oneCall(run: Running): Promise<void> {
  const { store, promises, random } = run;
  const kind = random.below(12);
  if (kind === 10) return compact(store);
  if (kind === 11) return random.chance(0.5) ? remove(run) : appendAgain(run);
  if (kind < 5) return append(run, newBatch(promises, random));
  if (kind < 6) return addPlan(run);
  const account = kind < 8 ? SMALL : LARGE;
  if (random.chance(0.2)) return giveBack(store, promises, account);
  await Promise.all(Array.from({ length: 1 + random.below(6) }, () => take(store, promises, account)));
}

function newBatch({ batches }: Promises, random: Random): readonly Observation[] {
  const firstMinute = batches.reduce((sum, { what }) => sum + what.length, 0);
  const value = batches.length + 1;
  return Array.from({ length: 1 + random.below(4) }, (_, i) => {
    const minute = firstMinute > 0 && random.chance(0.2) ? random.below(firstMinute) : firstMinute + i;
    return observed(minute, value + i / 10, {
      qualityMessage: "x".repeat(random.chance(0.3) ? random.below(1_500) : 0),
    });
  });
}

function append(run: Running, what: readonly Observation[]): Promise<void> {
  return change(run, what, () => run.store.observations.append(what));
}

/** Removes a record or two; the last one stays, as an empty store has the version of a new one. */
async function remove(run: Running): Promise<void> {
  const { store, promises, random } = run;
  const times = [...valuesAfter(promises.batches).keys()] as UtcMillis[];
  if (times.length < 3) return;
  const removed = Array.from({ length: 1 + random.below(2) }, () => ({
    code: observed(0, 1).code,
    businessTime: times[1 + random.below(times.length - 1)]!,
  }));
  await change(run, [{ removed }], () => store.observations.remove(removed));
}

/** Appends a record that is there already: no line may be written for it. */
async function appendAgain({ store, promises, violations }: Running): Promise<void> {
  const unanswered = promises.batches.filter(({ answered }) => !answered).flatMap(({ what }) => what);
  const pending = new Set(
    unanswered.flatMap((one) => ("removed" in one ? one.removed : [one])).map(({ businessTime }) => businessTime),
  );
  const [stored] = [...store.observations.records()].filter(({ businessTime }) => !pending.has(businessTime));
  if (!stored) return;
  try {
    const { unchanged } = await store.observations.append([{ ...stored, insertTime: NOW }]);
    if (unchanged !== 1) violations.push("a record that is there already was stored again");
  } catch {
    // A store that has stopped acknowledges nothing.
  }
}

/** Whatever comes of it, no record changes. */
async function compact(store: JsonFileStore): Promise<void> {
  await store.compact().catch(() => {});
}

async function change(
  { promises: { batches }, fatal }: Running,
  what: readonly Change[],
  call: () => Promise<unknown>,
): Promise<void> {
  const sent = { what, answered: false };
  batches.push(sent);
  try {
    await call();
    sent.answered = true;
  } catch {
    // From a store that must stop, nobody learns whether it was done; else it was not.
    if (fatal.length === 0) batches.splice(batches.indexOf(sent), 1);
  }
}

async function addPlan({ store, promises: { plans }, fatal }: Running): Promise<void> {
  const plan = {
    what: `PLAN_${plans.length}_${Math.max(0, ...plans.map(({ what }) => Number(what.split("_")[2]) + 1))}`,
    answered: false,
  };
  plans.push(plan);
  try {
    await store.accounts.update([{ op: "plan.patch", name: plan.what, dailyUnits: 5, attributionRequired: false }]);
    plan.answered = true;
  } catch {
    if (fatal.length === 0) plans.splice(plans.indexOf(plan), 1);
  }
}

async function take(store: JsonFileStore, promises: Promises, account: AccountId): Promise<void> {
  const counts = unitsOf(promises, account);
  try {
    if ((await store.quota.take(account, DAY, counts.limit)).granted) counts.granted++;
  } catch {
    // Unavailable: the unit may be reserved, and was not served.
  }
}

async function giveBack(store: JsonFileStore, promises: Promises, account: AccountId): Promise<void> {
  const counts = unitsOf(promises, account);
  if (counts.granted === 0) return;
  counts.granted--;
  try {
    await store.quota.giveBack(account, DAY);
  } catch {
    counts.forfeited++;
  }
}
