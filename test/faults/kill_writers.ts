import { setTimeout as delay } from "node:timers/promises";
import { systemClock } from "../../adapters/http/web_system.ts";
import { openJsonFiles } from "../../adapters/stores/json_files/mod.ts";
import type { AssetCode } from "../../core/branded_types.ts";
import { createRandom } from "../support/seeded_random.ts";
import { type Child, ownEnvironment, startNode } from "../support/start_child.ts";
import { askOn, createChanger, feed, LIMITS, newKey } from "./kill_clients.ts";
import { accountOf, createLedger, type Ledger } from "./kill_ledger.ts";
import { CHANGED } from "./price_acts.ts";
import type { TrialOfProgram, TrialResult } from "./random_trial.ts";

/** The maximum time between the start of the work and the kill. */
const WORK_MS = 200;
/** The usual duration of a start. */
const START_MS = 150;
const FIRST_ANSWER_MS = 2_000;
const CLIENTS = 8;
const FED = ["USD_RLS", "BTC_USD"] as AssetCode[];

/**
 * Starts the server with one client that appends, one that changes prices and imports, and eight that read. Kills the
 * server with SIGKILL and starts it again, many times. Returns the broken promises. Now and then the server is killed
 * while it starts, or stopped cleanly.
 */
export async function killServer({ program, directory, seed, rounds, enough }: TrialOfProgram): Promise<TrialResult> {
  const random = createRandom(seed);
  const ledger = createLedger(LIMITS);
  const changer = createChanger(directory, CHANGED, { ledger, random });
  const keys = await prepare(directory);
  const counts = { kills: 0, killsWhileStarting: 0, stops: 0 };
  while (counts.kills < rounds && ledger.violations.length < enough) {
    const child = start(program, directory);
    if (random.chance(0.1)) {
      await delay(random.below(START_MS));
      counts.kills++;
      counts.killsWhileStarting++;
      await child.end();
      continue;
    }
    const url = await ready(child, ledger);
    if (url === undefined) break;
    const work = [feed(directory, FED, { ledger, random }), changer.change()];
    for (let i = 0; i < CLIENTS; i++)
      work.push(askOn(url, keys[i % keys.length]!, i % keys.length, { ledger, random }));
    await firstAnswer(ledger);
    await delay(random.below(WORK_MS));
    const stop = random.chance(0.05);
    const code = await child.end(stop ? "SIGTERM" : "SIGKILL");
    if (stop) counts.stops++;
    else counts.kills++;
    if (stop && code !== 0) ledger.violations.push(`the server ends with ${code} after SIGTERM`);
    await Promise.all(work);
  }
  await check(directory, ledger);
  await changer.settle();
  return { ...counts, ...ledger.counts(), changes: changer.changes(), violations: ledger.violations };
}

/** Makes a store with an account and a key for each limit. */
async function prepare(directory: string): Promise<readonly string[]> {
  const store = await openJsonFiles(directory, { clock: systemClock });
  const keys: string[] = [];
  for (const [i, dailyUnits] of LIMITS.entries()) {
    const id = accountOf(i);
    const { key, entry } = await newKey(id);
    await store.access.update([
      { op: "plan.patch", name: `PLAN_${i}`, dailyUnits, attributionRequired: false },
      { op: "key.create", entry, plan: `PLAN_${i}` },
    ]);
    keys.push(key);
  }
  await store.close();
  return keys;
}

function start(program: string, directory: string): Child {
  return startNode([program, "serve", "--json", "--port", "0", "--data", directory], { env: ownEnvironment() });
}

/** Waits for the server's address. If the server has found damage, that is a violation. */
async function ready(child: Child, { violations }: Ledger): Promise<string | undefined> {
  const line = await child.printed(/^.*(?=\n)/).catch((error: Error) => error);
  if (line instanceof Error) {
    violations.push(`does not start: ${line.message}`);
    return undefined;
  }
  const { url, damages } = JSON.parse(line[0]) as { url: string; damages: number };
  if (damages > 0) violations.push(`finds ${damages} damages`);
  return url;
}

/** Waits for the first answers, because on a busy machine the server could be killed before it has done any work. */
async function firstAnswer(ledger: Ledger): Promise<void> {
  const before = ledger.answers();
  for (let waited = 0; waited < FIRST_ANSWER_MS && ledger.answers() === before; waited++) await delay(1);
}

/** Opens the store on the disk, and compares it with the ledger. */
async function check(directory: string, ledger: Ledger): Promise<void> {
  const store = await openJsonFiles(directory, { clock: systemClock });
  if (store.damages.length > 0) ledger.violations.push(`${store.damages.length} damages at the end`);
  await ledger.check(store);
  await store.close();
}
