import {
  type FileSystem,
  type JsonFileStore,
  openJsonFiles,
  readJsonFiles,
} from "../../adapters/stores/json_files/mod.ts";
import type { AccountBook } from "../../core/accounts/accounts.ts";
import type { AccountId, CalendarDate } from "../../core/branded_types.ts";
import { NOW } from "../support/json_files_fixtures.ts";
import { createPriceModel } from "../support/price_model.ts";
import { observed } from "../support/store_suite.ts";
import type { FaultFs } from "./fault_fs.ts";
import { type Act, ask, carryOut, contentOf, contentOfModel, differenceOf, type PriceModel } from "./price_acts.ts";

/** A request to a store, and whether it was answered. */
export interface Asked<T> {
  readonly what: T;
  answered: boolean;
  /** Whether later requests may be carried out first. True for an undo, which first has to read the log. */
  isLate?: boolean;
}

/** The requests to a store and its promises so far. */
export interface Promises {
  /** Changes of prices that were not refused, in the order in which they were sent. */
  acts: Asked<Act>[];
  /** Names of plans that were not refused, in the order in which they were added. */
  readonly plans: Asked<string>[];
  /** By account. */
  readonly units: Map<AccountId, Units>;
  /** The highest sequence number that a reader could see. */
  seen: number;
  /** The highest lock number of the store so far. */
  generation: number;
  /** Whether the store was closed cleanly, so that not even a reserved unit may be lost. */
  closed: boolean;
}

interface Units {
  /** Units granted and not given back. */
  granted: number;
  /** Units lost in crashes. */
  forfeited: number;
  readonly limit: number;
}

/** The quota day of all tests. */
export const DAY = "2026-11-21" as CalendarDate;
export const SMALL = "small" as AccountId;
export const LARGE = "large" as AccountId;
const LIMITS = new Map([
  [SMALL, 20],
  [LARGE, 2_000],
]);

/** The promises before the first request. */
export function noPromises(): Promises {
  return { acts: [], plans: [], units: new Map(), seen: 0, generation: 0, closed: true };
}

/** A copy of the promises, which later requests do not change. */
export function copyOfPromises({ acts, plans, units, ...rest }: Promises): Promises {
  const copies = new Map([...units].map(([account, counts]) => [account, { ...counts }]));
  return {
    ...rest,
    acts: acts.map((one) => ({ ...one })),
    plans: plans.map((one) => ({ ...one })),
    units: copies,
  };
}

/** Counts of an account. */
export function unitsOf({ units }: Promises, account: AccountId): Units {
  let counts = units.get(account);
  if (!counts) units.set(account, (counts = { granted: 0, forfeited: 0, limit: LIMITS.get(account)! }));
  return counts;
}

/** Records the visible content of the store, which must survive a crash. */
export function readAll(store: JsonFileStore, promises: Promises): void {
  promises.seen = Math.max(promises.seen, sequenceOf(store));
}

/** The model after these acts. */
export function modelAfter(acts: readonly Asked<Act>[]): PriceModel {
  const model = createPriceModel(() => NOW);
  for (const { what } of acts) carryOut(model, what);
  return model;
}

/** Returns a list of acts that leads to this content and has all answered acts; if no list does, the difference. */
export function findDone(acts: readonly Asked<Act>[], content: string): Asked<Act>[] | string {
  let [last, expected] = [-1, ""];
  for (const order of ordersOf(acts)) {
    const model = createPriceModel(() => NOW);
    const answered = order.findLastIndex((one) => one.answered) + 1;
    for (let kept = 0; kept <= order.length; kept++) {
      if (kept > 0) carryOut(model, order[kept - 1]!.what);
      if (kept < answered) continue;
      [last, expected] = [kept, contentOfModel(model)];
      if (expected === content) return order.slice(0, kept);
    }
  }
  const difference = differenceOf(content, expected);
  return `the prices differ from the model after ${last} acts, the last of type "${acts.at(-1)?.what.type}": ${difference}`;
}

/** Whether two possible orders of these acts lead to the same content, but to different results of later undos. */
export function isAmbiguous(acts: readonly Asked<Act>[]): boolean {
  const found = new Map<string, string>();
  for (const order of ordersOf(acts)) {
    const model = modelAfter(order);
    const content = contentOfModel(model);
    const traces = Array.from(model.traces(), (one) => JSON.stringify(one))
      .sort()
      .join();
    if ((found.get(content) ?? traces) !== traces) return true;
    found.set(content, traces);
  }
  return false;
}

/** The possible orders in which acts were carried out. */
function* ordersOf(acts: readonly Asked<Act>[]): Generator<readonly Asked<Act>[]> {
  yield acts;
  const late = acts.findIndex(({ isLate }) => isLate);
  if (late === -1) return;
  for (let to = late + 1; to < acts.length; to++)
    yield [...acts.slice(0, late), ...acts.slice(late + 1, to + 1), acts[late]!, ...acts.slice(to + 1)];
}

/** Reads the content of a store's files. Throws when the opened store shows different prices. */
export async function readContent(directory: string, fs: FileSystem, store: JsonFileStore): Promise<string> {
  const { state, observations } = await readJsonFiles(directory, fs);
  // Sorted, because the order of assets depends on the first record of each, and compaction changes this order.
  const listOf = ({ records }: { records(): Iterable<object> }): string =>
    Array.from(records(), (record) => JSON.stringify(record))
      .sort()
      .join();
  if (listOf(store.observations) !== listOf(observations)) throw new Error("the store differs from its files");
  return contentOf(state.records(), state.imports());
}

/** The sequence number of the last change that a reader sees. */
export function sequenceOf(store: JsonFileStore): number {
  return Number(String(store.observations.version()).split(".")[1]);
}

/** The files of a store after a fault, and its promises. */
export interface Remains {
  readonly directory: string;
  readonly disk: FaultFs;
  readonly promises: Promises;
  readonly segmentBytes: number;
}

/** Opens a store after a crash; describes broken promises. With `alsoWrites`, also tests further writes. */
export async function broken(
  { directory, disk, promises, segmentBytes }: Remains,
  alsoWrites: boolean,
): Promise<readonly string[]> {
  const options = { clock: () => NOW, fs: disk.fs, segmentBytes };
  const found: string[] = [];
  let store: JsonFileStore;
  try {
    store = await openJsonFiles(directory, options);
  } catch (error) {
    return [`does not open: ${String(error)}`];
  }
  try {
    for (const { file, offset, reason } of store.damages) found.push(`damage in ${file} at ${offset}: ${reason}`);
    const { generation } = await store.access.info();
    if (generation <= promises.generation) found.push(`generation ${generation} comes again`);
    const sequence = sequenceOf(store);
    if (sequence < promises.seen && [...store.observations.records()].length > (await store.info()).pending)
      found.push(`line ${promises.seen} was read before, and is now lost`);
    found.push(...brokenPlans(store.accounts.book(), promises));
    for (const account of promises.units.keys()) found.push(...(await brokenUnits(store, promises, account)));
    const done = findDone(promises.acts, await readContent(directory, disk.fs, store));
    if (typeof done === "string") found.push(done);
    if (!alsoWrites || found.length > 0 || typeof done === "string") return found;

    found.push(...(await brokenLater({ directory, disk, store }, modelAfter(done))));
    const last = sequenceOf(store);
    await store.close();
    store = await openJsonFiles(directory, options);
    if (last <= sequence) found.push(`the sequence does not advance: from ${sequence} to ${last}`);
    if (sequenceOf(store) < last) found.push(`the sequence goes back from ${last} to ${sequenceOf(store)}`);
    if (store.damages.length + store.torn.length > 0) found.push("the store is damaged when opened again");
  } catch (error) {
    found.push(`fails: ${String(error)}`);
  } finally {
    await store.close();
  }
  return found;
}

/** Appends, undoes each import, and compacts now and then; returns the differences from the model. */
async function brokenLater(
  { directory, disk, store }: Pick<Remains, "directory" | "disk"> & { readonly store: JsonFileStore },
  model: PriceModel,
): Promise<readonly string[]> {
  const found: string[] = [];
  const acts: Act[] = [{ type: "append", source: "embedder", batch: [observed(50_000, 7)] }];
  for (const { id } of [...model.list()].reverse()) acts.push({ type: "undo", id });
  const { generation } = await store.access.info();
  for (const [i, act] of acts.entries()) {
    if (i % 4 === generation % 4) await store.compact();
    await ask(store, act);
    carryOut(model, act);
    const [content, expected] = [await readContent(directory, disk.fs, store), contentOfModel(model)];
    if (content !== expected) found.push(`the result of ${act.type} ${i} is wrong: ${differenceOf(content, expected)}`);
  }
  return found;
}

function brokenPlans({ plans: found }: AccountBook, { plans }: Promises): readonly string[] {
  const names = found.map(({ name }) => name).filter((name) => name.startsWith("PLAN_"));
  const isPrefix = names.every((name, i) => plans[i]?.what === name);
  if (!isPrefix) return [`found plans ${names.join()}; added in this order: ${plans.map(({ what }) => what).join()}`];
  return plans.slice(names.length).some(({ answered }) => answered)
    ? ["an acknowledged change of accounts is lost"]
    : [];
}

async function brokenUnits(
  { quota }: JsonFileStore,
  { units, closed }: Promises,
  account: AccountId,
): Promise<readonly string[]> {
  const { granted, forfeited, limit } = units.get(account)!;
  const used = await quota.used(account, DAY);
  if (used < granted) return [`${granted} units of "${account}" granted, but only ${used} counted`];
  if (used > limit) return [`${used} units of "${account}" reserved, above the limit of ${limit}`];
  const lost = used - granted - forfeited;
  return closed && lost > 0 ? [`${lost} units of "${account}" lost in a clean stop`] : [];
}
