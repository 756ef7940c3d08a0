import type { MaybePromise } from "../../../core/mod.ts";
import { inTime } from "../../stores/shared/answer_in_time.ts";

/** Figures of the store are left out if the store takes longer than this. */
const FIGURES_MS = 2_000;

/** The result of `find`; `undefined` if `find` fails or takes longer than two seconds. */
export function figure<Value>(find: () => MaybePromise<Value>): Promise<Value | undefined> {
  const found = Promise.resolve().then(find);
  return inTime<Value | undefined>(found, FIGURES_MS, () => undefined).catch(() => undefined);
}
