import { openJsonFiles } from "../../adapters/stores/json_files/mod.ts";
import type { AccountId, CalendarDate } from "../../core/branded_types.ts";
import { NOW } from "../support/json_files_fixtures.ts";
import { createPriceModel } from "../support/price_model.ts";
import { observed } from "../support/store_suite.ts";
import { ask, CHANGED, carryOut, nextAct } from "./price_acts.ts";
import { createRandom } from "./random_trial.ts";

// Works with a store until it is killed, and prints a line for each answer it was given; see power_cuts.ts.

const store = await openJsonFiles(process.argv[2]!, { clock: () => NOW, segmentBytes: 30_000 });

/** Resolves when the line is on its way: what a slow reader has not let through is lost when this process is killed. */
function print(what: string, number: number): Promise<void> {
  return new Promise((resolve) => process.stdout.write(`${what} ${number}\n`, () => resolve()));
}

async function append(from: number): Promise<void> {
  for (let minute = from; ; minute += 4) {
    await store.observations.append([observed(minute, minute + 1)]);
    void print("record", minute);
  }
}

async function take(): Promise<void> {
  for (let units = 1; ; units++) {
    await store.quota.take("alice" as AccountId, "2026-11-21" as CalendarDate, 1_000_000);
    void print("unit", units);
    if (units % 50 === 0) await new Promise(setImmediate);
  }
}

async function change(): Promise<void> {
  for (let plan = 0; ; plan++) {
    await store.accounts.update([
      { op: "plan.patch", name: `PLAN_${plan}`, dailyUnits: 5, attributionRequired: false },
    ]);
    void print("plan", plan);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** The same changes for the same seed, which the test makes again in its model. */
async function changePrices(): Promise<void> {
  const random = createRandom(Number(process.argv[3]));
  const model = createPriceModel(() => NOW);
  for (let acts = 1; ; acts++) {
    const act = nextAct(model, random, { codes: CHANGED, isAlone: true });
    await ask(store, act);
    carryOut(model, act);
    // At most one act is carried out and not printed.
    await print("act", acts);
    if (acts % 20 === 0) await store.compact();
  }
}

await Promise.all([append(0), append(1), append(2), append(3), take(), change(), changePrices()]);
