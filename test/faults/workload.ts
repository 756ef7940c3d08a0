import { type JsonFileStore, openJsonFiles, type StoreError } from "../../adapters/stores/json_files/mod.ts";
import type { AccountId, AssetCode } from "../../core/branded_types.ts";
import type { AppendOutcome } from "../../core/ports.ts";
import { NOW } from "../support/json_files_fixtures.ts";
import type { Random } from "../support/seeded_random.ts";
import {
  DAY,
  findDone,
  isAmbiguous,
  LARGE,
  modelAfter,
  type Promises,
  type Remains,
  readAll,
  readContent,
  SMALL,
  unitsOf,
} from "./acknowledged_writes.ts";
import { createFaultFs } from "./fault_fs.ts";
import { type Act, ask, nextAct } from "./price_acts.ts";

const CODES = ["USD_RLS", "EUR_RLS"] as AssetCode[];

/** The settings of a run. */
export interface Run extends Remains {
  readonly random: Random;
  readonly steps: number;
  /** Called with the opened store. */
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

/** The end of a run. */
export interface Ended {
  /** The error if the store could not be opened for writing. */
  readonly refused: unknown;
  readonly fatal: readonly StoreError[];
  /** Descriptions of broken promises during the run. */
  readonly violations: readonly string[];
}

/** Opens a store, makes some changes, and closes the store. Keeps track of its promises. */
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
  const running: Running = { ...run, store, fatal, violations };
  await keepSurvivors(running);
  run.opened?.(store);
  for (let step = 0; step < run.steps; step++) {
    await Promise.all(Array.from({ length: 1 + random.below(3) }, (_, i) => oneCall(running, i === 0)));
    readAll(store, promises);
    await checkPrices(running);
    run.between?.();
  }
  await store.close().catch((error: unknown) => violations.push(`does not close: ${String(error)}`));
  promises.closed = fatal.length === 0;
  return { refused: undefined, fatal, violations };
}

/** After a crash, stored changes must stay, even unanswered ones. Changes that are not stored are forgotten. */
async function keepSurvivors({ store, promises, directory, disk, violations }: Running): Promise<void> {
  const { plans, units } = promises;
  const done = findDone(promises.acts, await contentNow({ store, directory, disk }));
  if (typeof done === "string") violations.push(done);
  else promises.acts = done;
  plans.length = store.accounts.book().plans.filter(({ name }) => name.startsWith("PLAN_")).length;
  for (const change of [...promises.acts, ...plans]) Object.assign(change, { answered: true, isLate: false });
  for (const [account, counts] of units) {
    // If the quota day cannot be opened now, the number of units left is unknown.
    const used = await (async () => store.quota.used(account, DAY))().catch(() => counts.granted);
    counts.forfeited = used - counts.granted;
  }
}

/** The current prices, read from a copy of the disk on which no call fails. */
function contentNow({ store, directory, disk }: Pick<Running, "store" | "directory" | "disk">): Promise<string> {
  return readContent(directory, createFaultFs(disk.image()).fs, store);
}

/** While no call is running, the content must be exactly the result of the acts. */
async function checkPrices(run: Running): Promise<void> {
  if (run.fatal.length > 0) return;
  const { promises, violations } = run;
  const done = findDone(promises.acts, await contentNow(run));
  if (typeof done === "string") violations.push(done);
  else promises.acts = done;
  for (const act of promises.acts) act.isLate = false;
}

async function oneCall(run: Running, isAlone: boolean): Promise<void> {
  const { store, promises, random } = run;
  const kind = random.below(12);
  if (kind < 6) {
    const { acts } = promises;
    const act = nextAct(modelAfter(acts), random, { codes: CODES, isAlone });
    if (!isAmbiguous([...acts, { what: act, answered: false }])) await change(run, act);
    return;
  }
  // A compaction never changes prices, even if it fails. The next calls do not wait for the compaction.
  if (kind === 10) return void store.compact().catch(() => {});
  if (kind === 11) return isAlone ? appendAgain(run) : undefined;
  if (kind === 6) return addPlan(run);
  const account = kind === 7 ? SMALL : LARGE;
  if (random.chance(0.2)) return giveBack(store, promises, account);
  await Promise.all(Array.from({ length: 1 + random.below(6) }, () => take(store, promises, account)));
}

/** Appends an existing record. The store must not write a line for this record. */
async function appendAgain(run: Running): Promise<void> {
  const [stored] = run.store.observations.records("ACCEPTED");
  if (!stored) return;
  const batch = [{ ...stored, insertTime: NOW }];
  const outcome = (await change(run, { type: "append", source: "embedder", batch })) as AppendOutcome | undefined;
  if (outcome && outcome.unchanged !== 1) run.violations.push("an existing record was stored again");
}

/** Resolves to the answer, or to `undefined` if there was none. */
async function change({ store, promises, fatal, violations }: Running, what: Act): Promise<unknown> {
  const starting = { what: { ...what, type: "startUndo" } as Act, answered: false };
  const sent = { what, answered: false, isLate: what.type === "undo" };
  promises.acts.push(...(sent.isLate ? [starting] : []), sent);
  try {
    const answer = await ask(store, what);
    starting.answered = sent.answered = true;
    return answer;
  } catch (error) {
    // A store that continues after an error has not made the change.
    if (fatal.length === 0) promises.acts.splice(promises.acts.indexOf(sent), 1);
    const isUndone = promises.acts.some(({ isLate }) => isLate);
    if (error instanceof RangeError && !isUndone) violations.push(`refuses to ${what.type}: ${error.message}`);
    return undefined;
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
    // The store may have reserved the unit, but has not granted it.
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
