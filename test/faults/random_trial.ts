import type { TestContext } from "node:test";
import { SEED } from "../support/seeded_random.ts";

/** How a harness is run: it breaks something over and over, and returns what it has found. */
export interface Trial {
  /** An empty directory. With a disk in memory, only the store's sockets are really made there. */
  readonly directory: string;
  readonly seed: number;
  readonly rounds: number;
  /** How many violations end it. */
  readonly enough: number;
}

/** The same for a harness that starts a program, which is one JavaScript file. */
export interface TrialOfProgram extends Trial {
  readonly program: string;
}

/** What a harness has found, and counts of what it has tried. */
export interface TrialResult {
  readonly violations: readonly string[];
  readonly [counted: string]: unknown;
}

/** Prints counts with the test's result. */
export function printCounts(t: TestContext, counts: Readonly<Record<string, unknown>>): void {
  const parts = Object.entries(counts).map(
    ([name, count]) => `${name} ${typeof count === "number" ? count.toLocaleString("en-US") : String(count)}`,
  );
  t.diagnostic(`${t.name}: ${parts.join(", ")} (seed ${SEED})`);
}
