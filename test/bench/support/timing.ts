import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

let collector: (() => void) | undefined;

/** Collects garbage now, so that no contestant pays for the garbage of another. */
export function collectGarbage(): void {
  if (!collector) {
    setFlagsFromString("--expose-gc");
    collector = runInNewContext("gc") as () => void;
  }
  collector();
}

/** The milliseconds of a call on the clock, including its promise if it returns one. */
export async function millisecondsOf(work: () => unknown): Promise<number> {
  const began = performance.now();
  const result = work();
  if (result instanceof Promise) await result;
  return performance.now() - began;
}
