import { newDirectory } from "../support/json_files_fixtures.ts";
import { SEED } from "../support/seeded_random.ts";
import { bundle, callInThread, type Seed } from "./bundle.ts";
import type { TrialResult } from "./random_trial.ts";

/** A way to break a store or a server, over and over. */
export interface Harness {
  /** What must hold, as the title of a test. */
  readonly rule: string;
  /** A module of this folder, and the function of it that does it. */
  readonly module: string;
  readonly call: string;
  /** The program that it starts, which gets the seeded bugs. Default: the bugs go into the module. */
  readonly program?: string;
  /** Rounds of `npm test -- faults`, those in which it finds a seeded bug, and those of the nightly run. Default of the last: ten times the first. */
  readonly rounds: readonly [small: number, forBug: number, nightly?: number];
}

export const HARNESSES = {
  crashes: {
    rule: "whatever a power cut leaves opens without damage, and holds all that was promised",
    ...{ module: "crashes", call: "exploreCrashes", rounds: [1_000, 9_000] },
  },
  failures: {
    rule: "whichever call to the file system fails, nothing acknowledged is lost and nothing half-done is kept",
    ...{ module: "failures", call: "failEachCall", rounds: [1, 7] },
  },
  mutations: {
    rule: "a damaged log never crashes the store or serves a wrong value; what is kept and what is quarantined make up what was found",
    ...{ module: "damaged_logs", call: "mutateLogs", rounds: [300, 2_000] },
  },
  kills: {
    rule: "after SIGKILL at any moment every restart is clean, nothing acknowledged is lost, and no unit is served beyond the limit",
    ...{ module: "kill_writers", call: "killServer", program: "adapters/cli/main.ts", rounds: [10, 25, 1_000] },
  },
  "quota races": {
    rule: "of 500 callers for the last 10 units exactly 10 get one",
    ...{ module: "quota_races", call: "raceForUnits", rounds: [10, 20] },
  },
} as const satisfies Readonly<Record<string, Harness>>;

/** Runs a harness in a thread of its own, on a new directory. `seeds`: bugs that it has to find; `more`: more arguments. */
export async function run(
  { module, call, program }: Harness,
  rounds: number,
  { seeds = [], more = {} }: { seeds?: readonly Seed[]; more?: object } = {},
): Promise<TrialResult> {
  const path = await bundle(`test/faults/${module}.ts`, program === undefined ? seeds : []);
  const started = program === undefined ? {} : { program: await bundle(program, seeds) };
  return callInThread<object, TrialResult>(path, call, {
    seed: SEED,
    enough: 5,
    rounds,
    directory: await newDirectory(),
    ...started,
    ...more,
  });
}
