import { newDirectory } from "../support/json_files_fixtures.ts";
import { SEED } from "../support/seeded_random.ts";
import { bundle, callInThread, type Seed } from "./bundle.ts";
import type { TrialResult } from "./random_trial.ts";

/** A harness: it breaks a store or a server again and again. */
export interface Harness {
  /** The rule that must hold, as the title of a test. */
  readonly rule: string;
  /** A module of this folder, and the exported function to run. */
  readonly module: string;
  readonly call: string;
  /** The program that the harness starts. Seeded bugs are planted in it, or by default in the module. */
  readonly program?: string;
  /** The rounds for `npm test`, to find a seeded bug, and for the nightly run (default: ten times the first). */
  readonly rounds: readonly [small: number, forBug: number, nightly?: number];
}

export const HARNESSES = {
  crashes: {
    rule: "after any power cut, the store opens without damage, and keeps all promises",
    ...{ module: "crashes", call: "exploreCrashes", rounds: [1_000, 9_000] },
  },
  failures: {
    rule: "whichever file-system call fails, nothing acknowledged is lost and no partial change is kept",
    ...{ module: "failures", call: "failEachCall", rounds: [1, 7] },
  },
  mutations: {
    rule: "a damaged log never crashes the store or makes it serve a wrong value, and no byte of it is lost",
    ...{ module: "damaged_logs", call: "mutateLogs", rounds: [300, 2_000] },
  },
  kills: {
    rule: "after SIGKILL at any moment, every restart is clean, nothing acknowledged is lost, and no unit is served beyond the limit",
    ...{ module: "kill_writers", call: "killServer", program: "adapters/cli/main.ts", rounds: [10, 25, 1_000] },
  },
  "quota races": {
    rule: "exactly 10 of 500 callers get one of the last 10 units",
    ...{ module: "quota_races", call: "raceForUnits", rounds: [10, 20] },
  },
} as const satisfies Readonly<Record<string, Harness>>;

/** Runs a harness in a new thread and directory. It must find the bugs in `seeds`; `more`: more arguments. */
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
