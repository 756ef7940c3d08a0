import { type JsonFileStore, openJsonFiles } from "../../adapters/stores/json_files/mod.ts";
import type { AccountBook } from "../../core/accounts/accounts.ts";
import type { AccountId, CalendarDate } from "../../core/branded_types.ts";
import type { Observation } from "../../core/market/observation.ts";
import type { ObservationKey } from "../../core/ports.ts";
import { NOW } from "../support/json_files_fixtures.ts";
import { observed } from "../support/store_suite.ts";
import type { FaultFs } from "./fault_fs.ts";

/** What a store was asked for, and whether it has answered. */
interface AskedUnits<T> {
  readonly what: T;
  answered: boolean;
}

/** What a line of the log says: a record, or that some were removed. */
export type Change = Observation | { readonly removed: readonly ObservationKey[] };

/** What a store has been asked for and has promised so far. */
export interface Promises {
  /** Batches in the order they were sent, without those that were refused. Each change is a line of the log. */
  readonly batches: AskedUnits<readonly Change[]>[];
  /** Names of plans in the order they were added, without those that were refused. */
  readonly plans: AskedUnits<string>[];
  /** By account. */
  readonly units: Map<AccountId, Units>;
  /** The highest sequence number that a reader could see. */
  seen: number;
  /** The highest generation that a store was opened with. */
  generation: number;
  /** Whether the store is closed in good order, so that not even a reserved unit may be lost. */
  closed: boolean;
}

interface Units {
  /** Units granted and not given back. */
  granted: number;
  /** Units that crashes have cost. */
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

/** Makes the state before anything was asked. */
export function noPromises(): Promises {
  return { batches: [], plans: [], units: new Map(), seen: 0, generation: 0, closed: true };
}

/** The same promises, of which later ones do not become part. */
export function copyOfPromises({ batches, plans, units, ...rest }: Promises): Promises {
  const copies = new Map([...units].map(([account, counts]) => [account, { ...counts }]));
  return {
    ...rest,
    batches: batches.map((one) => ({ ...one })),
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

/** What the store shows now must be there after a crash, too. */
export function readAll(store: JsonFileStore, promises: Promises): void {
  promises.seen = Math.max(promises.seen, sequenceOf(store));
}

/** The records after some batches: values by business time. */
export function valuesAfter(batches: readonly { readonly what: readonly Change[] }[]): Map<number, number> {
  const values = new Map<number, number>();
  for (const change of batches.flatMap(({ what }) => what)) {
    if ("removed" in change) for (const { businessTime } of change.removed) values.delete(businessTime);
    else values.set(change.businessTime, change.value);
  }
  return values;
}

/** The number of the last change that a reader sees. */
export function sequenceOf(store: JsonFileStore): number {
  return Number(String(store.observations.version()).split(".")[1]);
}

/** What is left of a store, and what it had promised. */
export interface Remains {
  readonly directory: string;
  readonly disk: Pick<FaultFs, "fs">;
  readonly promises: Promises;
  readonly segmentBytes: number;
}

/** Opens what a crash has left and tells in words which promises it breaks. `alsoWrites`: whether it must also go on well. */
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
    found.push(...(await brokenIn(store, promises)));
    if (!alsoWrites || found.length > 0) return found;

    const before = sequenceOf(store);
    await store.observations.append([observed(50_000, 7)]);
    await store.close();
    store = await openJsonFiles(directory, options);
    const after = sequenceOf(store);
    if (after !== before + 1) found.push(`goes on from ${before} to ${after}`);
    if (store.damages.length + store.torn.length > 0) found.push("is damaged when opened again");
  } catch (error) {
    found.push(`fails: ${String(error)}`);
  } finally {
    await store.close();
  }
  return found;
}

/** Tells in words which promises an opened store breaks. */
async function brokenIn(store: JsonFileStore, promises: Promises): Promise<readonly string[]> {
  const found = [...brokenRecords(store, sequenceOf(store), promises), ...brokenPlans(store.accounts.book(), promises)];
  for (const account of promises.units.keys()) found.push(...(await brokenUnits(store, promises, account)));
  return found;
}

/** What is there must be the first so many batches, whole, each in its place, and all that were answered or seen. */
function brokenRecords(store: JsonFileStore, sequence: number, { batches, seen }: Promises): readonly string[] {
  let lines = 0;
  let kept = 0;
  for (const { what } of batches) {
    if (lines >= sequence) break;
    lines += what.length;
    kept++;
  }
  const expected = valuesAfter(batches.slice(0, kept));
  if (lines !== sequence) return [`${sequence} lines are no whole number of batches`];
  const lost = batches.slice(kept).filter(({ answered }) => answered).length;
  if (lost > 0) return [`${lost} acknowledged batches lost`];
  if (seen > sequence) return [`line ${seen} was seen and is lost`];
  let records = 0;
  for (const { businessTime, value } of store.observations.records()) {
    records++;
    if (expected.get(businessTime) !== value) return [`wrong value ${value}, not ${expected.get(businessTime)}`];
  }
  return records === expected.size ? [] : [`${records} records, not ${expected.size}`];
}

function brokenPlans({ plans: found }: AccountBook, { plans }: Promises): readonly string[] {
  const names = found.map(({ name }) => name).filter((name) => name.startsWith("PLAN_"));
  const isPrefix = names.every((name, i) => plans[i]?.what === name);
  if (!isPrefix) return [`plans ${names.join()} are not the first of ${plans.map(({ what }) => what).join()}`];
  return plans.slice(names.length).some(({ answered }) => answered)
    ? ["an acknowledged change of the accounts is lost"]
    : [];
}

async function brokenUnits(
  { quota }: JsonFileStore,
  { units, closed }: Promises,
  account: AccountId,
): Promise<readonly string[]> {
  const { granted, forfeited, limit } = units.get(account)!;
  const used = await quota.used(account, DAY);
  if (used < granted) return [`${granted} units of "${account}" granted, ${used} known`];
  if (used > limit) return [`${used} units of "${account}" reserved of ${limit}`];
  const lost = used - granted - forfeited;
  return closed && lost > 0 ? [`${lost} units of "${account}" lost by a clean stop`] : [];
}
