import type { TestContext } from "node:test";
import { SEED } from "../support/seeded_random.ts";

/** The settings of a harness: a function that breaks something repeatedly and returns the violations it found. */
export interface Trial {
  /** An empty directory. If the disk is in memory, this directory contains only the store's sockets. */
  readonly directory: string;
  readonly seed: number;
  readonly rounds: number;
  /** The harness stops after this number of violations. */
  readonly enough: number;
}

/** The settings of a harness that starts a program. The program is one JavaScript file. */
export interface TrialOfProgram extends Trial {
  readonly program: string;
}

/** The violations that a harness found, and counts of what it tried. */
export interface TrialResult {
  readonly violations: readonly string[];
  readonly [counted: string]: unknown;
}

/** Prints the counts with the test's result. */
export function printCounts(t: TestContext, counts: Readonly<Record<string, unknown>>): void {
  const parts = Object.entries(counts).map(
    ([name, count]) => `${name} ${typeof count === "number" ? count.toLocaleString("en-US") : String(count)}`,
  );
  t.diagnostic(`${t.name}: ${parts.join(", ")} (seed ${SEED})`);
}
