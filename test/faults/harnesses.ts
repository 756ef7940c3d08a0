import { newDirectory } from "../support/json_files_fixtures.ts";
import { SEED } from "../support/seeded_random.ts";
import { bundle, callInThread } from "./bundle.ts";
import type { TrialResult } from "./random_trial.ts";
import type { SeededBug } from "./seeded_bugs.ts";

/** A harness: it breaks a store or a server again and again. */
export interface Harness {
  /** The rule that must hold, as the title of a test. */
  readonly rule: string;
  /** A module of this folder, and the exported function to run. */
  readonly module: string;
  readonly call: string;
  /** The program that the harness starts. A seeded bug is planted in this program, or else in the module. */
  readonly program?: string;
  /** The rounds in `npm test`, with a seeded bug, and in the nightly run (default: ten times those in `npm test`). */
  readonly rounds: readonly [small: number, forBug: number, nightly?: number];
}

export const HARNESSES = {
  crashes: {
    rule: "after any power cut, the store opens without damage, and keeps all promises",
    ...{ module: "crashes", call: "exploreCrashes", rounds: [200, 9_000, 10_000] },
  },
  failures: {
    rule: "whichever file-system call fails, nothing acknowledged is lost and no partial change is kept",
    ...{ module: "failures", call: "failEachCall", rounds: [1, 28, 40] },
  },
  mutations: {
    rule: "a damaged log never crashes the store or makes it serve a wrong value, and no byte of it is lost",
    ...{ module: "damaged_logs", call: "mutateLogs", rounds: [200, 2_000, 3_000] },
  },
  kills: {
    rule: "after SIGKILL at any moment, every restart is clean, nothing acknowledged is lost, and no unit is served beyond the limit",
    ...{ module: "kill_writers", call: "killServer", program: "adapters/cli/main.ts", rounds: [5, 25, 1_000] },
  },
  "quota races": {
    rule: "exactly 10 of 500 callers get one of the last 10 units",
    ...{ module: "quota_races", call: "raceForUnits", rounds: [10, 20] },
  },
} as const satisfies Readonly<Record<string, Harness>>;

/** Runs a harness in a new thread and directory, until it has found `enough` violations. */
export async function run(
  { module, call, program }: Harness,
  rounds: number,
  { bug, enough = 5 }: { bug?: SeededBug; enough?: number } = {},
): Promise<TrialResult> {
  const path = await bundle(`test/faults/${module}.ts`, program === undefined ? bug : undefined);
  const started = program === undefined ? {} : { program: await bundle(program, bug) };
  const trial = { seed: SEED, enough, rounds, directory: await newDirectory(), ...started };
  return callInThread<object, TrialResult>(path, call, trial);
}
